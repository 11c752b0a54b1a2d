import ArgusKit
import CommandLineKit

enum EventsList: ArgusCommand {
    struct Options: VerbOptions {
        var filter = EventFilterOptions()
        var limit = 20
        var isUnlimited = false
        var isReversed = false
    }

    static let about = CommandInfo(
        name: "list", summary: "List events, newest first",
        description: """
            Every condition must hold. argus applies those that the server does not know, so a short
            list may take a while. No event is printed twice or skipped while others come and go.
            \(flag: "all") \(flag: "reverse") starts with the oldest event if the server can sort
            so; else it keeps the list in memory until its beginning is reached.
            """,
        examples: [
            "argus events list -n 50 --json": "The last 50 events, for jq",
            "argus events list --camera 'Front Door' --type person,package --since today":
                "Who came to the door today",
            "argus events list --all --format ndjson > events.ndjson":
                "Everything, an object a line",
        ],
        exitStatuses: .requests(3, .lostEvents), prints: .lists(EventView.fields))

    static let flags: [Flag<Options>] =
        EventFilterOptions.flags(at: \Options.filter) + [
            .option(
                "limit", short: "n", value: "N", sets: \.limit,
                "Stop after N events (20)"
            ).within(1...Int.max),
            .toggle("all", sets: \.isUnlimited, "List all events that match"),
            .toggle("reverse", sets: \.isReversed, "Print the same events oldest first"),
        ]

    static func run(_ options: Options, in context: Context) async throws(Failure) {
        let (server, printer) = try await context.server(printing: EventView.fields, .list)
        let filter = try await options.filter.resolve(with: server, in: context)
        let (wanted, notify) = (
            options.isUnlimited ? nil : options.limit, context.console.eventNotice
        )
        let cursor: any EventCursor =
            options.isReversed && options.isUnlimited
            ? server.events.listOldestFirst(filter, notify: notify)
            : server.events.list(filter, wanted: wanted, notify: notify)
        // The newest N are known only at their end; all of them can be walked from the oldest on.
        let isKept = options.isReversed && !options.isUnlimited
        var kept: [EventRow] = []
        var recent: [String] = []
        while let rows = try await server.attempt("list events", await cursor.next()) {
            recent += rows.prefix(CompletionCache.eventCount - recent.count).map(\.id)
            if isKept { kept += rows } else { try write(rows, with: printer) }
        }
        try write(kept.reversed(), with: printer)
        try printer.finish(whenEmpty: "no events match")
        // A walk from the oldest event on passes the oldest first, which nobody means to name.
        if isKept || !options.isReversed { context.cache(for: server)?.remember(events: recent) }
        try cursor.expectNoUnreadableRows(of: server)
    }

    private static func write(_ rows: [EventRow], with printer: Printer<Event>) throws(Failure) {
        for row in rows { try printer.write(row) }
        try printer.endPage()
    }
}
