import ArgusAccount
import CommandLineKit

enum DevicesList: ArgusCommand {
    static let about = CommandInfo(
        name: "list", summary: "List the devices signed in to your account", effect: .reads,
        examples: [
            "argus devices": "All of them; this_device marks this machine",
            "argus devices --json | jq -r '.[] | select(.inactive) | .id'":
                "The ids of those that have not been seen for long",
        ],
        exitStatuses: .requests(.malformedRow), prints: .lists(DeviceView.fields))

    static let takesSeveralServers = true

    static func run(_ options: NoOptions, in context: Context) async throws(Failure) {
        let (server, printer) = try await context.server(printing: DeviceView.fields, .list)
        let devices = try await DeviceList(server, in: context)
        for (row, view) in devices.rows { try printer.write(row, raw: view) }
        let things = ("device", "devices")
        try printer.finish(
            whenEmpty: "no devices are signed in to your account on '\(server.name)'; "
                + "password sign-ins are in 'argus sessions'",
            counting: ListCount(things))
        try server.expectNoUnreadableRows(devices.unreadableRows, of: things)
    }
}
