import ArgusKit
import CommandLineKit

/// The command `argus pair reject`.
enum PairReject: ArgusCommand {
    struct Options: VerbOptions {
        @Required var code: PairingCodeArgument
    }

    static let about = CommandInfo(
        name: "reject", summary: "Turn the device with a code away",
        description: "The code is worthless then. A device that is in already stays.",
        examples: ["argus pair reject 482913": "Turn it away"],
        exitStatuses: .requests(3), prints: .objects(PendingDeviceView.fields))

    static let arguments: [Argument<Options>] = [
        .required("CODE", sets: \.$code, "The code that the device shows").sensitive()
    ]

    static func run(_ options: Options, in context: Context) async throws(Failure) {
        let code = options.code.code
        let printer = try context.printer(of: PendingDeviceView.fields, .operands(1))
        let server = try await context.server()
        try await server.attempt(
            "reject the pairing", await server.session.call(PairingRoutes.reject, code))
        try context.report(
            PendingDeviceRow(state: "rejected", device: PendingDevice(code: code)), with: printer,
            "the device was turned away")
    }
}
