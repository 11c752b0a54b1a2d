import ArgusAccount
import CommandLineKit

enum PairReject: ArgusCommand {
    static let about = CommandInfo(
        name: "reject", summary: "Reject the code of a device", effect: .changes,
        description: """
            Makes the code invalid. A device that has already paired keeps its access.
            """,
        examples: ["argus pair reject 482913": "Reject the device"],
        exitStatuses: .requests(3), prints: .objects(PendingDeviceView.fields))

    static let arguments: [Argument<Operands>] = [.code(\.words)]

    static func validate(_ options: Operands) throws(UsageError) {
        _ = try options.words.pairingCode()
    }

    static func run(_ options: Operands, in context: Context) async throws(Failure) {
        let code = try attempt(options.words.pairingCode())
        let (server, printer) = try await context.server(
            printing: PendingDeviceView.fields, .operands(1))
        try await server.attempt(
            "reject the pairing", await server.session.call(PairingRoutes.reject, code))
        try context.report(
            PendingDeviceRow(state: "rejected", device: PendingDevice(code: code)), with: printer,
            "the device was rejected")
    }
}
