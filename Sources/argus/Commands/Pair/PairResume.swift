import ArgusKit
import CommandLineKit

enum PairResume: ArgusCommand {
    static let about = CommandInfo(
        name: "resume", summary: "Go on waiting for a pairing that was begun",
        description: """
            Waits for the code of \(flag: "no-wait", of: "pair"), or of a stopped
            \(command: "pair"), and stores the tokens; \(flag: "server") chooses among several. Any
            number of processes may wait at once: one exchanges the code, and all succeed.
            """,
        examples: [
            "argus pair resume": "Wait for the code of 'pair --no-wait'",
            "argus pair resume --format ndjson": "The same, with each state as it comes",
        ],
        exitStatuses: .requests(3, 13), prints: .objects(PairingView.fields))

    static func run(_ options: NoOptions, in context: Context) async throws(Failure) {
        let printer = try context.printer(of: PairingView.fields, .operands(1))
        let pairing = try await context.pendingPairing()
        try await context.checkChosenStore()
        let unverified = try context.unverifiedServer(of: pairing)
        try await PairingRun(with: unverified, printer, in: context).wait(for: pairing)
    }
}
