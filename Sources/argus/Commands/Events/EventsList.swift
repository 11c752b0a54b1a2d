import ArgusKit
import CommandLineKit

/// The command `argus events list`.
enum EventsList: ArgusCommand {
    struct Options: Sendable, Equatable {
        var filter = EventFilterOptions()
        var limit = 20
        var isUnlimited = false
        var isReversed = false
    }

    static let about = CommandInfo(
        name: "list", summary: "List events, newest first",
        paragraphs: [
            """
            Every condition must hold. Conditions that the server does not know are applied here, \
            so a list may take longer than its length suggests. No event is printed twice and none \
            is skipped while new ones arrive.
            """
        ],
        examples: [
            Example("argus events list -n 50 --json", "The last 50 events, for jq"),
            Example(
                "argus events list --camera 'Front Door' --type person,package --since today",
                "Who came to the door today"),
            Example(
                "argus events list --all --format ndjson > events.ndjson",
                "Everything, an object a line"),
        ],
        exitStatuses: ExitStatus.requests(3, ExitStatus(12, "A row was no event")),
        fields: EventView.fields.infos(), formats: OutputFormat.lists)

    static let defaults = Options()

    static let flags: [Flag<Options>] =
        EventFilterOptions.flags(at: \Options.filter) + [
            .option(
                "limit", short: "n", value: "N", sets: \.limit, within: 1...Int.max,
                "Stop after N events (20)"),
            .toggle("all", sets: \.isUnlimited, "List all events that match"),
            .toggle("reverse", sets: \.isReversed, "Print the same events oldest first"),
        ]

    static func run(_ options: Options, in context: Context) async throws(Failure) {
        let printer = try context.printer(of: EventView.fields, .list)
        let home = try await context.server()
        let filter = try await options.filter.resolve(with: home, in: context)
        let pager = EventService(session: home.session).list(
            filter, wanted: options.isUnlimited ? nil : options.limit, tell: context.note)
        var kept: [EventRow] = []
        var recent: [String] = []
        while let rows = try await home.attempt(
            "list events", { () async throws(APIError) in try await pager.next() })
        {
            recent += rows.prefix(CompletionCache.eventCount - recent.count).map(\.id)
            if options.isReversed {
                kept += rows
            } else {
                try write(rows, with: printer)
            }
        }
        try write(kept.reversed(), with: printer)
        try printer.finish(whenEmpty: "no events match")
        context.cache(for: home)?.remember(events: recent)
        guard pager.unreadableRows == 0 else {
            let count = pager.unreadableRows
            let rows = count == 1 ? "a row that is no event" : "\(count) rows that are no events"
            throw Failure(.gap, "'\(home.name)' sent \(rows)")
        }
    }

    private static func write(
        _ rows: [EventRow], with printer: Printer<Event>
    ) throws(Failure) {
        for row in rows { try printer.write(row.event, raw: row.view) }
        try printer.endPage()
    }
}
