import ArgusEvents
import CommandLineKit

enum EventsShow: ArgusCommand {
    struct Options: VerbOptions {
        var events: [String] = []
        var filter = EventFilterOptions()
        var opensPage = false
    }

    static let about = CommandInfo(
        name: "show", summary: "Show events in detail",
        description: """
            \(value: "EVENT") is a whole id, the first 8 or more characters of a recent one, or
            \(code: "latest"). Filters choose what \(code: "latest") means.
            """,
        examples: [
            "argus events show latest": "The last event",
            "argus events show latest --camera 'Front Door' --type person":
                "The last person at the door",
            "argus events show latest --web": "The same in the server's web interface",
            "argus events show latest --json | jq -r .description": "Only the AI's description",
        ],
        exitStatuses: .requests(3, 11), prints: .objects(EventView.detailFields),
        guesses: [
            Guess("latest", as: "latest"), Guess("events latest", as: "latest"),
            Guess("events last", as: "latest"),
        ])

    static let flags: [Flag<Options>] =
        EventFilterOptions.flags(at: \Options.filter) + [.web(\.opensPage)]

    static let arguments: [Argument<Options>] = [.events(\.events)]

    static func run(_ options: Options, in context: Context) async throws(Failure) {
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
            try printer.write(
                found.detail, raw: found.view, page: await links?.value?.url(ofEvent: id))
        }
    }
}
