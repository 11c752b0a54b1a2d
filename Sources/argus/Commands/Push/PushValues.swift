import ArgusAccount
import ArgusCore
import ArgusPush
package import CommandLineKit

extension PushService: Choice {}

extension PushPlatform: ArgumentValue {
    package static var completion: Completion { .choices(allCases.map(\.rawValue)) }

    package init(argument: String) throws(ValueError) {
        self = try value(PushPlatform(typed: argument))
    }
}

struct DeviceIDArgument: ArgumentValue, Equatable {
    var text: String

    init(argument: String) throws(ValueError) {
        text = try value(DeviceIDText.read(argument))
    }
}

/// A text that describes a device: a model, a name, a version.
struct DeviceText<let limit: Int>: ArgumentValue, Equatable {
    var text: String

    init(argument: String) throws(ValueError) {
        text = try value(PushText.read(argument, "text", atMost: limit))
    }
}

extension PushEndpoint: ArgumentValue {
    package init(argument: String) throws(ValueError) { self = try value(PushEndpoint(argument)) }
}

extension PushKeys {
    /// Checks keys before the file of the secret is read; `auth` is nil if a file has it.
    static func check(p256dh: String, auth: String?) throws(UsageError) {
        // A dummy stands for the secret of a file.
        do { _ = try PushKeys(p256dh: p256dh, auth: auth ?? "AAAAAAAAAAAAAAAAAAAAAA") } catch {
            throw UsageError("\(error)")
        }
    }

    /// Reads keys, the secret from a file if one is named.
    init(p256dh: String, auth: String?, file: String?, in context: Context) throws(Failure) {
        let secret = try file.map { (path) throws(Failure) in
            try context.console.secret(inFile: path, .visibleASCII).reveal()
        }
        self = try attempt(PushKeys(p256dh: p256dh, auth: secret ?? auth ?? ""))
    }
}

/// A push token: the word itself, `@FILE`, or `-` for stdin.
enum TokenSource: ArgumentValue, Equatable {
    case given(String)
    case file(String)
    case stdin

    init(argument: String) throws(ValueError) {
        guard !argument.isEmpty, argument != "@" else { throw ValueError("is empty") }
        self =
            argument == "-"
            ? .stdin
            : argument.hasPrefix("@") ? .file(String(argument.dropFirst())) : .given(argument)
    }

    /// - Throws: `Failure` 2 for an unreadable or invalid token.
    func read(in context: Context) throws(Failure) -> String {
        switch self {
        case .given(let text): text
        case .file(let path): try context.console.secret(inFile: path, .visibleASCII).reveal()
        case .stdin: try context.console.secretFromStdin(.visibleASCII).reveal()
        }
    }
}

private func value<Value>(
    _ read: @autoclosure () throws(PushFieldError) -> Value
) throws(ValueError) -> Value {
    do { return try read() } catch { throw ValueError(error.reason) }
}
