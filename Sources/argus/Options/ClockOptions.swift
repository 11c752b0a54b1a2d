import ArgusAccount
import ArgusCore
import ArgusTransport
import CommandLineKit

/// The option of verbs that delete by age: trust a clock that seems wrong.
struct ClockOptions: OptionGroup, Equatable {
    var isTrusted = false

    static let own: [Flag<ClockOptions>] = [
        .toggle(
            "trust-clock", sets: \.isTrusted,
            "Delete by age even if the clock seems wrong")
    ]

    /// Compares the clock with a time that should be near; `source` names it, as in `'home' says`.
    ///
    /// A run that deletes nothing only warns.
    /// - Throws: `Failure` 1 if they are too far apart.
    func compare(
        with reference: Timestamp?, of source: String, isDryRun: Bool = false,
        in context: Context
    ) throws(Failure) {
        guard !isTrusted else { return }
        do throws(ClockDoubt) {
            try ClockDoubt.check(context.now(), against: reference, of: source)
        } catch {
            guard !isDryRun else { return context.console.warn("\(error)") }
            throw Failure(
                .failed, "\(error): nothing is deleted by age",
                hint: "set the clock; if it is right, repeat with --trust-clock",
                reason: Failure.clockReason)
        }
    }

    /// Compares the clock with that of the server, if it answers, else with a record of argus's own.
    /// - Throws: `Failure` 1 if they are too far apart.
    func compareWithServer(
        or record: Timestamp?, of source: String, isDryRun: Bool, in context: Context
    ) async throws(Failure) {
        guard !isTrusted else { return }
        if let server = try? await context.server(),
            (try? await server.session.client.call(AccountRoutes.health, ())) != nil,
            server.session.client.clock.now != nil
        {
            return try compare(with: server, isDryRun: isDryRun, in: context)
        }
        try compare(with: record, of: source, isDryRun: isDryRun, in: context)
    }

    /// Compares the clock with that of a server that has answered.
    /// - Throws: `Failure` 1 if they are too far apart.
    func compare(
        with server: SignedInServer, isDryRun: Bool = false, in context: Context
    ) throws(Failure) {
        try compare(
            with: server.session.client.clock.now, of: "'\(server.name)' says",
            isDryRun: isDryRun, in: context)
    }
}
