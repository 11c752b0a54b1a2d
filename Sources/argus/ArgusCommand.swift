import CommandLineKit

/// The work of a parsed command line.
struct Invocation: Sendable {
    /// True if `--server` may name several servers.
    let takesSeveralServers: Bool
    /// True if the verb declares that a server may be unreachable.
    let sendsRequests: Bool
    let work: @Sendable (Context) async throws(Failure) -> Void
}

/// A verb of argus: a table of options, and `run`.
protocol ArgusCommand: Command where Invocation == argus.Invocation {
    /// True if an unreadable `--passphrase-file` ends the run before it begins.
    static var needsPassphrase: Bool { get }

    /// Checks options against local state, before a sign-in is needed, or throws `Failure` 2.
    static func check(_ options: Options, in context: Context) throws(Failure)

    /// True if `--server` may name several servers.
    static var takesSeveralServers: Bool { get }

    /// Does the work: takes a service from the context, makes one call, hands the value to a view.
    static func run(_ options: Options, in context: Context) async throws(Failure)

    /// Does the work on several servers; by default, `run` on each, whose rows make one list.
    static func run(
        _ options: Options, on servers: SeveralServers, in context: Context
    ) async throws(Failure)
}

extension ArgusCommand {
    static var needsPassphrase: Bool { true }
    static var takesSeveralServers: Bool { false }

    static func check(_ options: Options, in context: Context) throws(Failure) {}

    static func run(
        _ options: Options, on servers: SeveralServers, in context: Context
    ) async throws(Failure) {
        try await servers.run(Self.self, options, in: context)
    }

    static func invocation(_ options: Options) -> Invocation {
        Invocation(
            takesSeveralServers: takesSeveralServers,
            sendsRequests: about.exitStatuses.contains {
                $0.code == ExitKind.unreachable.rawValue
            }
        ) { context async throws(Failure) in
            if needsPassphrase { try context.globals.expectReadablePassphrase() }
            if let servers = context.globals.severalServers {
                return try await run(options, on: servers, in: context)
            }
            try check(options, in: context)
            try await run(options, in: context)
        }
    }
}
