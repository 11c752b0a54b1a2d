import ArgusKit
import CommandLineKit

/// The command `argus events show`.
enum EventsShow: ArgusCommand {
    struct Options: VerbOptions {
        var events: [String] = []
    }

    static let about = CommandInfo(
        name: "show", summary: "Show events in detail",
        description: """
            An event is named by its whole id, by \(code: "latest"), or by the first 8 or more
            characters of the id of a recent event.
            """,
        examples: [
            "argus events show latest": "What happened last",
            "argus events show latest --json | jq -r .description": "Only what the AI says of it",
        ],
        exitStatuses: .requests(3, 11), prints: .objects(EventView.detailFields))

    static let arguments: [Argument<Options>] = [.events(\.events)]

    static func run(_ options: Options, in context: Context) async throws(Failure) {
        let printer = try context.printer(
            of: EventView.detailFields, .operands(options.events.count))
        let server = try await context.server()
        let service = EventService(session: server.session)
        var outcome = BatchResult()
        for name in options.events {
            try await outcome.collect(name) { () async throws(Failure) in
                var found = try await service.named(name, to: "show", on: server, in: context)
                if !context.globals.isRaw {
                    let extras = await service.extras(of: found.detail.event.id)
                    found.detail.frameCount = extras.frameCount
                    found.detail.hasVideo = extras.hasVideo
                }
                try printer.write(found.detail, raw: found.view)
            }
        }
        try printer.finish()
        try outcome.finish()
    }
}
