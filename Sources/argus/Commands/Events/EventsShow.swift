import ArgusAccount
import ArgusCore
import ArgusEvents
import CommandLineKit

enum EventsShow: ArgusCommand {
    struct Options: VerbOptions {
        var events: [String] = []
        var filter = EventFilterOptions()
        var opensPage = false
        var isShown = false
    }

    static let about = CommandInfo(
        name: "show", summary: "Show events in detail", effect: .reads,
        description: """
            \(value: "EVENT") is a whole id, the first 8 or more characters of a recent one, or
            \(code: "latest"). Filters choose what \(code: "latest") means.
            """,
        examples: [
            "argus events show latest": "The last event",
            "argus events show latest --camera 'Front Door' --type person":
                "The last person at the door",
            "argus events show latest --show": "With its picture, in the terminal",
            "argus events show latest --web": "The same in the server's web interface",
            "argus events show latest --json | jq -r .description": "Only the AI's description",
        ],
        exitStatuses: .requests(3, 11), prints: .objects(EventView.detailFields),
        guesses: [
            Guess("latest", as: "latest"), Guess("events latest", as: "latest"),
            Guess("events last", as: "latest"),
        ])

    static let flags: [Flag<Options>] =
        EventFilterOptions.flags(at: \Options.filter) + [
            .web(\.opensPage), .show(\.isShown, "Show the picture above the fields"),
        ]

    static let arguments: [Argument<Options>] = [.events(\.events)]

    static func validate(_ options: Options) throws(UsageError) {
        try UsageError.rejectBoth("--show", options.isShown, "--web", options.opensPage)
    }

    static let tool = VerbTool(
        name: "show_event", summary: "Shows an event with its picture.", server: "events show",
        archive: "archive show", results: .object("event"), operand: "event",
        picture: (
            "events thumbnail",
            { row, source, context async throws(Failure) in
                switch source {
                case .server: try await EventsThumbnail.picture(of: row, in: context)
                case .archive: try ArchiveShow.picture(of: row)
                }
            }
        ))

    static func run(_ options: Options, in context: Context) async throws(Failure) {
        let screen = try context.pictureScreen(options.isShown)
        let printer = try context.printer(
            of: EventView.detailFields, .operands(options.events.count))
        try options.filter.expectLatest(options.events)
        if options.opensPage { try context.expectTable(with: "--web") }
        let server = try await context.server()
        let filter = try await options.filter.resolve(with: server, in: context)
        let pages = options.opensPage ? try await WebPages(of: server, in: context) : nil
        let links = options.opensPage ? nil : try WebPages.links(to: server, in: context)
        defer { links?.cancel() }
        try await context.forEach(options.events, with: printer) { name async throws(Failure) in
            let found = try await server.event(
                named: name, to: "show", latestOf: filter,
                withExtras: !context.globals.isRaw && !options.opensPage,
                in: context)
            let id = found.detail.event.id
            if let pages { return try pages.open(pages.url(ofEvent: id)) }
            let isPictured = await result { () async throws(Failure) in
                try await screen?.show(found.detail, from: server)
            }
            try printer.write(
                found.detail, raw: found.view, page: await links?.value?.url(ofEvent: id))
            try isPictured.get()
        }
    }
}

extension PictureScreen {
    /// Shows the picture of an event; without one, shows nothing.
    fileprivate func show(
        _ detail: EventDetail, from server: SignedInServer
    ) async throws(Failure) {
        do throws(Failure) {
            try show(
                await server.attempt(
                    "fetch the picture of event '\(detail.event.id)'",
                    await server.events.thumbnail(detail)))
        } catch  where error.kind == .notFound {}
    }
}
