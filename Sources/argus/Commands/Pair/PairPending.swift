import ArgusAccount
import ArgusTransport
import CommandLineKit

enum PairPending: ArgusCommand {
    static let about = CommandInfo(
        name: "pending", summary: "List the devices that wait for confirmation", effect: .reads,
        description: """
            Every signed-in user sees all waiting devices.
            """,
        examples: ["argus pair pending": "Who wants to pair"],
        exitStatuses: .requests(3, .malformedRow), prints: .lists(PendingDeviceView.fields))

    static let takesSeveralServers = true

    static func run(_ options: NoOptions, in context: Context) async throws(Failure) {
        let (server, printer) = try await context.server(printing: PendingDeviceView.fields, .list)
        let devices = try await server.attempt(
            "list the devices that want to pair",
            await server.session.call(PairingRoutes.pending, ()))
        for (device, view) in devices {
            try printer.write(PendingDeviceRow(state: "waiting", device: device), raw: view)
        }
        try printer.finish(
            whenEmpty: "no device is waiting", counting: ListCount(("device", "devices")))
        try server.expectNoUnreadableRows(devices.unreadableRows, of: ("pairing", "pairings"))
    }
}
