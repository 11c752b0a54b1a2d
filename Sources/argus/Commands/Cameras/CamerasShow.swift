import ArgusCore
import ArgusEvents
import ArgusTransport
import CommandLineKit

enum CamerasShow: ArgusCommand {
    struct Options: VerbOptions {
        var words: [String] = []
        var opensPage = false
    }

    static let about = CommandInfo(
        name: "show", summary: "Show cameras in detail", effect: .reads,
        examples: [
            "argus cameras show 'Front Door'": "One camera with all its fields",
            "argus cameras show 'Front Door' --web": "Its page in the server's web interface",
        ],
        exitStatuses: .requests(3, 11), prints: .objects(CameraView.detailFields))

    static let flags: [Flag<Options>] = [.web(\.opensPage)]
    static let arguments: [Argument<Options>] = [.cameras(\.words)]

    static func run(_ options: Options, in context: Context) async throws(Failure) {
        if options.opensPage { try context.expectTable(with: "--web") }
        let printer = try context.printer(
            of: CameraView.detailFields, .operands(options.words.count))
        let server = try await context.server()
        let listed = try await context.cameras(of: server)
        let pages = options.opensPage ? try await WebPages(of: server, in: context) : nil
        let links = options.opensPage ? nil : try WebPages.links(to: server, in: context)
        defer { links?.cancel() }
        try await context.forEach(options.words, with: printer) { name async throws(Failure) in
            let camera = try listed.values.named(name)
            if let pages { return try pages.open(pages.url(ofCamera: camera.id)) }
            guard let row = listed.first(where: { $0.value.id == camera.id }) else { return }
            let shown = try await server.attempt(
                "show camera \(name.inQuotes)",
                await server.cameras.show(row.value, row.view, extras: !context.globals.isRaw))
            try printer.write(
                shown.detail, raw: shown.view, page: await links?.value?.url(ofCamera: camera.id))
        }
    }
}
