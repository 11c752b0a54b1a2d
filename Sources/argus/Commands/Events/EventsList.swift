import ArgusKit
import CommandLineKit

/// The command `argus events list`.
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
            Every condition must hold. Conditions that the server does not know are applied here, so
            a list may take longer than its length suggests. No event is printed twice and none is
            skipped while others come and go. With \(flag: "all") \(flag: "reverse") the list is
            walked from its oldest event on, where the server can sort so; else it is kept in memory
            until its beginning is reached.
            """,
        examples: [
            "argus events list -n 50 --json": "The last 50 events, for jq",
            "argus events list --camera 'Front Door' --type person,package --since today":
                "Who came to the door today",
            "argus events list --all --format ndjson > events.ndjson":
                "Everything, an object a line",
        ],
        exitStatuses: .requests(
            3, ExitStatus(12, "A row was no event, or events changed too fast to be read")),
        prints: .lists(EventView.fields))

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
        let printer = try context.printer(of: EventView.fields, .list)
        let server = try await context.server()
        let filter = try await options.filter.resolve(with: server, in: context)
        let cursor = cursor(options, filter, on: server, in: context)
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

    private static func cursor(
        _ options: Options, _ filter: EventFilter, on server: SignedInServer, in context: Context
    ) -> any EventCursor {
        let service = EventService(session: server.session)
        guard options.isReversed, options.isUnlimited else {
            return service.list(
                filter, wanted: options.isUnlimited ? nil : options.limit,
                notify: context.eventNotice)
        }
        return service.listOldestFirst(filter, notify: context.eventNotice)
    }

    private static func write(
        _ rows: [EventRow], with printer: Printer<Event>
    ) throws(Failure) {
        for row in rows { try printer.write(row) }
        try printer.endPage()
    }
}
