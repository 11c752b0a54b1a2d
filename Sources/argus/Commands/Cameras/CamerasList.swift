import ArgusAccount
import ArgusCore
import ArgusEvents
import ArgusTransport
import CommandLineKit

enum CamerasList: ArgusCommand {
    static let about = CommandInfo(
        name: "list", summary: "List the cameras", effect: .reads,
        examples: [
            "argus cameras list": "All cameras, and whether they deliver pictures",
            "argus cameras list --json | jq -r '.[] | select(.online == false) | .name'":
                "The names of those that are offline",
        ],
        exitStatuses: .requests(.malformedRow), prints: .lists(CameraView.fields))

    static let tool = VerbTool(
        name: "list_cameras", summary: "Lists the cameras, and whether they deliver pictures.",
        server: "cameras list", results: .list("cameras"))

    static let takesSeveralServers = true

    static func run(_ options: NoOptions, in context: Context) async throws(Failure) {
        let (server, printer) = try await context.server(printing: CameraView.fields, .list)
        // The server's own objects and other fields come with the list.
        let printsHealth =
            !context.globals.isRaw && context.globals.fields?.values.contains("online") ?? true
        let printsLastEvents = try printsLastEvents(in: context)
        let cameras = try await server.attempt(
            "list cameras",
            await printsHealth || printsLastEvents
                ? server.cameras.list(findsLastEvents: printsLastEvents)
                : server.cameras.plainList())
        context.remember(cameras.values, of: server)
        try printer.writeList(
            cameras, of: ("camera", "cameras"), on: server,
            whenEmpty: "'\(server.name)' has no cameras")
    }

    /// True on a terminal and where the field is chosen; other output is not worth a request more.
    private static func printsLastEvents(in context: Context) throws(Failure) -> Bool {
        if context.globals.isRaw { return false }
        if let fields = context.globals.fields?.values ?? context.collected?.chosenFields {
            return fields.contains("last_event_at")
        }
        return try context.isForScreen()
    }
}
