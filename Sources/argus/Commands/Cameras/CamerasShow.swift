import ArgusKit
import CommandLineKit

/// The command `argus cameras show`.
enum CamerasShow: ArgusCommand {
    struct Options: VerbOptions {
        var names: [String] = []
    }

    static let about = CommandInfo(
        name: "show", summary: "Show cameras in detail",
        examples: ["argus cameras show 'Front Door'": "One camera with all its fields"],
        exitStatuses: .requests(3, 11), prints: .objects(CameraView.detailFields))

    static let arguments: [Argument<Options>] = [
        .repeated("CAMERA", atLeast: 1, appends: \.names, "A camera's name, id or start of an id")
            .completing(.dynamic("cameras"))
    ]

    static func run(_ options: Options, in context: Context) async throws(Failure) {
        let printer = try context.printer(
            of: CameraView.detailFields, .operands(options.names.count))
        let server = try await context.server()
        let service = CameraService(session: server.session)
        let listed = try await context.cameras(of: server)
        var outcome = BatchResult()
        for name in options.names {
            try await outcome.collect(name) { () async throws(Failure) in
                let camera = try listed.values.named(name)
                guard let row = listed.first(where: { $0.value.id == camera.id }) else { return }
                let shown = try await server.attempt(
                    "show camera \(name.inQuotes)",
                    await service.show(row.value, row.view, extras: !context.globals.isRaw))
                try printer.write(shown.detail, raw: shown.view)
            }
        }
        try printer.finish()
        try outcome.finish()
    }
}
