import ArgusEvents
import ArgusKit
import CommandLineKit

enum EventsList: ArgusCommand {
    struct Options: VerbOptions {
        var filter = EventFilterOptions()
        var limit: Int?
        var isUnlimited = false
        var isReversed = false
        var order = Order.time

        /// The number of events to list; nil for all.
        var wanted: Int? { isUnlimited ? nil : limit ?? defaultLimit }

        /// True if rows are printed only after the last one has arrived: in reverse, the newest N
        /// are known only then, while an unlimited list can be read from the oldest on.
        var keepsRows: Bool { order != .time || (isReversed && !isUnlimited) }

        /// The count below a list; its hint names `--all` if there are more.
        func count(of shown: Int, total: Int?) -> ListCount {
            let isCut = total.map { $0 > shown } ?? (shown == wanted)
            return ListCount(
                ("event", "events"), of: total,
                hint: isCut && !isUnlimited ? "--all lists all" : nil)
        }
    }

    private static let defaultLimit = 20

    enum Order: String, Choice, Sendable {
        case time, camera, type, confidence
    }

    static let about = CommandInfo(
        name: "list", summary: "List events, newest first", effect: .reads,
        description: """
            Events that arrive or disappear meanwhile never make another one appear twice or go
            missing.

            \(flag: "all") \(flag: "reverse") starts with the oldest event at once if the server
            can sort that way; otherwise argus first reads the whole list.
            """,
        examples: [
            "argus events list -n 50 --json": "The last 50 events, for jq",
            "argus events list --camera 'Front Door' --type person,package --since today":
                "Who came to the door today",
            "argus events list --all --format ndjson > events.ndjson":
                "Everything, one object per line",
        ],
        exitStatuses: .requests(3, .lostEvents), prints: .lists(EventView.fields),
        guesses: ["list", "ls"])

    static let limits: [Flag<Options>] = [
        .limit(\.limit, "Show at most N events").byDefault("\(defaultLimit)"),
        .toggle("all", sets: \.isUnlimited, "List all events that match"),
    ]

    static let flags: [Flag<Options>] =
        EventFilterOptions.flags(at: \Options.filter) + limits + [
            .toggle("reverse", sets: \.isReversed, "Print the oldest of the selected events first"),
            .option(
                "sort", value: "KEY", sets: \.order, "Sort the selected events by KEY",
                details: [
                    """
                    \(code: "time") begins with the newest event, \(code: "confidence") with the \
                    highest. Otherwise equal events are listed newest first.
                    """
                ]
            ).byDefault(Options().order.rawValue).once(),
        ]

    /// The options with which an assistant may choose events, of a server and of an archive.
    static let toolOptions = ["camera", "type", "entity", "since", "until", "during"]

    static let tool = VerbTool(
        name: "list_events", summary: "Lists events, newest first, 20 unless limit says more.",
        server: "events list", archive: "archive list", results: .list("events"),
        options: toolOptions + ["search", "limit"])

    static func validate(_ options: Options) throws(UsageError) {
        try UsageError.rejectBoth("--all", options.isUnlimited, "--limit", options.limit != nil)
    }

    static let takesSeveralServers = true

    static func run(_ options: Options, in context: Context) async throws(Failure) {
        let fields = try EventView.fields(of: options.filter, in: context)
        let (server, printer) = try await context.server(printing: fields, .list)
        let filter = try await options.filter.resolve(with: server, in: context)
        let notify = context.console.eventNotice
        let links = try WebPages.linksOfIDs(to: server, in: context)
        let cursor: any EventCursor =
            options.isReversed && !options.keepsRows
            ? server.events.listOldestFirst(filter, notify: notify)
            : server.events.list(filter, wanted: options.wanted, notify: notify)
        var (kept, recent): ([EventRow], [EventRow]) = ([], [])
        while let page = try await server.attempt("list events", await cursor.next()) {
            let rows = page.decodingFirst(CompletionCache.eventCount - recent.count)
            recent += rows.prefix(CompletionCache.eventCount - recent.count)
            if options.keepsRows { kept += rows } else { try write(rows, links, with: printer) }
        }
        try write(try sorted(kept, options), links, with: printer)
        try printer.finish(
            whenEmpty: "no events match",
            counting: options.count(of: printer.count, total: cursor.total))
        // A list in reverse begins with the oldest events, which users rarely name.
        if options.keepsRows || !options.isReversed {
            context.cache(for: server)?.remember(events: recent.map(\.event))
        }
        try cursor.expectComplete(on: server)
    }

    /// Sorts rows, which are newest first, into the requested order.
    static func sorted(
        _ rows: [EventRow], _ options: Options
    ) throws(Failure) -> [EventRow] {
        var keyed: [(row: EventRow, text: String, number: Int)] = []
        for row in rows {
            let event = row.event
            switch options.order {
            case .time: keyed.append((row, "", 0))
            case .camera: keyed.append((row, event.cameraName ?? event.cameraID ?? "", 0))
            case .type: keyed.append((row, event.type, 0))
            case .confidence: keyed.append((row, "", -(event.confidence ?? -1)))
            }
        }
        // The sort is stable: rows with equal keys stay newest first.
        keyed.sort { ($0.text, $0.number) < ($1.text, $1.number) }
        return options.isReversed ? keyed.reversed().map(\.row) : keyed.map(\.row)
    }

    static func write(
        _ rows: [EventRow], _ links: PageLinks? = nil, with printer: Printer<Event>
    ) throws(Failure) {
        let pages = links?.known
        for row in rows { try printer.write(row, page: pages?.url(ofEvent: row.id)) }
        try printer.endPage()
    }
}
