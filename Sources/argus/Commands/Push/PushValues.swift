import ArgusKit
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

extension PushFieldError: FailureCause {
    var failure: Failure { Failure(.usage, "\(self)") }
}
