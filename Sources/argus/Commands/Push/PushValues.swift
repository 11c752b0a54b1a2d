import ArgusKit
import CommandLineKit

extension PushService: Choice {}

/// A platform in any case.
struct PlatformArgument: ArgumentValue, Equatable {
    static var completion: Completion { .choices(PushPlatform.allCases.map(\.rawValue)) }
    static var placeholder: String { "PLATFORM" }

    var platform: PushPlatform

    init(argument: String) throws(ValueError) {
        do { platform = try PushPlatform(typed: argument) } catch { throw ValueError(error.reason) }
    }
}

/// The id of a device, a UUID.
struct DeviceIDArgument: ArgumentValue, Equatable {
    static var placeholder: String { "UUID" }

    var text: String

    init(argument: String) throws(ValueError) {
        do { text = try DeviceIDText.read(argument) } catch { throw ValueError(error.reason) }
    }
}

/// A model, a name or a bundle id.
struct LongText: ArgumentValue, Equatable {
    static var placeholder: String { "TEXT" }

    var text: String

    init(argument: String) throws(ValueError) {
        do {
            text = try PushText.read(argument, "text", atMost: 100)
        } catch { throw ValueError(error.reason) }
    }
}

/// A version.
struct VersionText: ArgumentValue, Equatable {
    static var placeholder: String { "VERSION" }

    var text: String

    init(argument: String) throws(ValueError) {
        do {
            text = try PushText.read(argument, "text", atMost: 20)
        } catch { throw ValueError(error.reason) }
    }
}

/// Where a push endpoint is, which no message repeats.
struct EndpointArgument: ArgumentValue, Equatable {
    static var placeholder: String { "URL" }

    var endpoint: PushEndpoint

    init(argument: String) throws(ValueError) {
        do { endpoint = try PushEndpoint(argument) } catch { throw ValueError(error.reason) }
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

extension Failure {
    /// A value that cannot be right; nothing was sent.
    init(_ error: PushFieldError) {
        self.init(.usage, "\(error)")
    }
}
