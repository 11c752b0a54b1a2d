import ArgusKit
import CommandLineKit

/// The command `argus cameras list`.
enum CamerasList: ArgusCommand {
    static let about = CommandInfo(
        name: "list", summary: "List the cameras",
        examples: [
            "argus cameras list": "All cameras, and whether they deliver pictures",
            "argus cameras list --json | jq -r '.[] | select(.online == false) | .name'":
                "The names of those that are offline",
        ],
        exitStatuses: .requests(ExitStatus(12, "A row of the list was no camera")),
        prints: .lists(CameraView.fields))

    static func run(_ options: NoOptions, in context: Context) async throws(Failure) {
        let printer = try context.printer(of: CameraView.fields, .list)
        let server = try await context.server()
        let cameras = try await server.attempt(
            "list cameras", await CameraService(session: server.session).list())
        for (camera, view) in cameras { try printer.write(camera, raw: view) }
        try printer.finish(whenEmpty: "'\(server.name)' has no cameras")
        context.cache(for: server)?.remember(cameras: cameras.values)
        try server.expectNoUnreadableRows(cameras.unreadableRows, of: ("camera", "cameras"))
    }
}
