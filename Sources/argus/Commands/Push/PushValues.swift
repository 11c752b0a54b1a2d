import ArgusKit
import CommandLineKit

extension PushService: Choice {}

/// A platform in any case.
struct PlatformArgument: ArgumentValue, Equatable {
    static var completion: Completion { .choices(PushPlatform.allCases.map(\.rawValue)) }
    static var placeholder: String { "PLATFORM" }

    var platform: PushPlatform

    init(argument: String) throws(ValueError) {
        platform = try value(PushPlatform(typed: argument))
    }
}

/// The id of a device, a UUID.
struct DeviceIDArgument: ArgumentValue, Equatable {
    static var placeholder: String { "UUID" }

    var text: String

    init(argument: String) throws(ValueError) {
        text = try value(DeviceIDText.read(argument))
    }
}

/// A model, a name or a bundle id.
struct LongText: ArgumentValue, Equatable {
    static var placeholder: String { "TEXT" }

    var text: String

    init(argument: String) throws(ValueError) {
        text = try value(PushText.read(argument, "text", atMost: 100))
    }
}

/// A version.
struct VersionText: ArgumentValue, Equatable {
    static var placeholder: String { "VERSION" }

    var text: String

    init(argument: String) throws(ValueError) {
        text = try value(PushText.read(argument, "text", atMost: 20))
    }
}

/// Where a push endpoint is, which no message repeats.
struct EndpointArgument: ArgumentValue, Equatable {
    static var placeholder: String { "URL" }

    var endpoint: PushEndpoint

    init(argument: String) throws(ValueError) {
        endpoint = try value(PushEndpoint(argument))
    }
}

/// A push token: the word itself, `@FILE`, or `-` for stdin.
enum TokenSource: ArgumentValue, Equatable {
    case given(String)
    case file(String)
    case stdin

    static var placeholder: String { "TOKEN|@FILE|-" }

    init(argument: String) throws(ValueError) {
        guard !argument.isEmpty, argument != "@" else { throw ValueError("is empty") }
        self =
            argument == "-"
            ? .stdin
            : argument.hasPrefix("@") ? .file(String(argument.dropFirst())) : .given(argument)
    }

    /// The token's text.
    ///
    /// - Throws: `Failure` 2 for what cannot be read.
    func read(in context: Context) throws(Failure) -> String {
        switch self {
        case .given(let text): text
        case .file(let path): try context.secret(inFile: path, .visibleASCII).reveal()
        case .stdin: try context.secretFromStdin(.visibleASCII).reveal()
        }
    }
}

/// A value of a word, refused with the reason of the kit.
private func value<Value>(
    _ read: @autoclosure () throws(PushFieldError) -> Value
) throws(ValueError) -> Value {
    do { return try read() } catch { throw ValueError(error.reason) }
}

extension Failure {
    /// A value that cannot be right; nothing was sent.
    init(_ error: PushFieldError) {
        self.init(.usage, "\(error)")
    }
}
