import ArgusAccount
import CommandLineKit

enum PairResume: ArgusCommand {
    struct Options: VerbOptions {
        var keepsAlive = false
    }

    static let about = CommandInfo(
        name: "resume", summary: "Continue to wait for a pairing", effect: .changes,
        description: """
            Waits until the code of \(flag: "no-wait", of: "pair"), or of an interrupted
            \(command: "pair"), is confirmed, and stores the tokens. If several codes wait, choose
            one with \(flag: "server").
            """,
        examples: [
            "argus pair resume": "Wait for the code of 'pair --no-wait'",
            "argus pair resume --format ndjson": "The same, with each state as it comes",
        ],
        exitStatuses: .requests(3, 13), prints: .objects(PairingView.fields))

    static let flags: [Flag<Options>] = [.keepAlive(\.keepsAlive)]

    static func run(_ options: Options, in context: Context) async throws(Failure) {
        let printer = try context.printer(of: PairingView.fields, .operands(1))
        let known = try context.knownServers()
        let pendings = try await attempt(awaiting: await PendingPairings(of: context).load())
        let named = try context.settings[.server]
        let pairing = try attempt(pendings.chosen(naming: named, in: known, at: context.now()))
        try await attempt(awaiting: await context.signInTransaction().expectStorable())
        guard let endpoint = pairing.server.endpoints.first else {
            throw Failure(.failed, "the waiting pairing has no address")
        }
        let connector = try context.connector()
        // With the proof from the start of the pairing.
        let unverified = try await attempt(
            awaiting: await connector.unverifiedServer(
                resuming: pairing.server, at: endpoint, isNameGiven: pairing.isNameGiven, in: known)
        )
        try await PairingRun(with: unverified, printer, keepsAlive: options.keepsAlive, in: context)
            .wait(for: pairing)
    }
}
