import ArgusCore

/// The result of a check of `argus doctor`.
struct Finding: Sendable {
    enum State: String, Sendable {
        case ok, warning, failure
    }

    var check: String
    var state: State
    var message: String
    var remedy: String?
    /// The failure behind it, if it is one.
    var failure: Failure?
    /// The reason why the check was left out; nil if it was made.
    var skip: Skip?

    static func ok(_ check: String, _ message: String, _ remedy: String? = nil) -> Finding {
        Finding(check: check, state: .ok, message: message, remedy: remedy)
    }

    static func warning(_ check: String, _ message: String, _ remedy: String?) -> Finding {
        Finding(check: check, state: .warning, message: message, remedy: remedy)
    }

    static func failure(_ check: String, _ failure: Failure) -> Finding {
        Finding(
            check: check, state: .failure, message: failure.message, remedy: failure.hint,
            failure: failure)
    }

    /// A check that was left out because of another one, with the remedy of that.
    static func skipped(_ check: String, _ skip: Skip, _ remedy: String?) -> Finding {
        Finding(check: check, state: .warning, message: skip.message, remedy: remedy, skip: skip)
    }

    static let fields: [Field<Finding>] = [
        .column("check", "what was checked") { $0.check },
        .column("state", "ok, warning or failure") { $0.state.rawValue },
        .column("message", "what was found") { $0.message },
        .column("remedy", "what to do about it; null if nothing is known") { $0.remedy },
    ]

    /// The line for people.
    var line: ReportLine {
        ReportLine(
            sign: state.sign, word: state.word,
            color: TextColor(state: state.rawValue) ?? .green, name: check, message: message,
            remedy: remedy)
    }
}

extension Finding {
    /// Reads a finding that another run of doctor printed; nil for anything else.
    init?(_ view: JSONView) {
        guard let check = view["check"]?.string,
            let state = view["state"]?.string.flatMap(State.init(rawValue:)),
            let message = view["message"]?.string
        else { return nil }
        self.init(
            check: check, state: state, message: message, remedy: view["remedy"]?.string,
            skip: Skip.allCases.first { $0.message == message })
    }

    /// The reason why a check is left out.
    enum Skip: String, Sendable, CaseIterable {
        case noServer = "no server is known"
        case noAddress = "'name' failed"
        case noConnection = "'connection' failed"
        case noIdentity = "'identity' failed"
        case noCredentials = "there are no credentials"
        case notReached = "the server was not reached"
        case noSignIn = "the sign-in failed"

        fileprivate var message: String { "skipped because \(rawValue)" }

        /// The requirement that is not met.
        var need: String {
            switch self {
            case .noServer: "a server"
            case .noAddress: "the server's address"
            case .noConnection, .notReached: "a connection"
            case .noIdentity: "the server's identity"
            case .noCredentials: "credentials"
            case .noSignIn: "a sign-in"
            }
        }
    }
}

extension Finding.State {
    fileprivate var sign: String {
        switch self {
        case .ok: "✓"
        case .warning: "!"
        case .failure: "✗"
        }
    }

    /// The word for a person.
    var word: String { self == .failure ? "failed" : rawValue }
}

/// The parts of the report of `argus doctor`.
enum FindingGroup: String {
    case machine = "This machine"
    case server = "Server"
    case push = "Pushes"
    case surroundings = "Network and shell"

    init(ofCheck check: String) {
        switch check {
        case "configuration", "environment", "folders", "secrets", "archive", "queue":
            self = .machine
        case "push", "delivery": self = .push
        case "discovery", "terminal", "completions", "manual", OptionalPart.check:
            self = .surroundings
        default: self = .server
        }
    }
}
