import ArgusCore
import ArgusEvents
import ArgusKit
import CommandLineKit

enum EventsStats: ArgusCommand {
    struct Options: VerbOptions {
        var filter = EventFilterOptions()
        var keys: CommaSeparated<Group>?

        /// The groups that were chosen; nil for all.
        var chosenGroups: [EventStatistics.Group]? {
            keys?.values.compactMap { EventStatistics.Group(rawValue: $0.rawValue) }.distinct
        }

        var groups: [EventStatistics.Group] { chosenGroups ?? EventStatistics.Group.allCases }
    }

    /// The groups that can be counted alone.
    enum Group: String, Choice, Sendable {
        case camera, type, hour, day, weekday
    }

    static let about = CommandInfo(
        name: "stats", summary: "Count events by camera, type, hour, day and weekday",
        effect: .reads,
        description: """
            Draws bars and a heat map on one screen of a terminal, and longer charts with
            \(flag: "by", of: "events stats"). Elsewhere, or for several servers, prints a row for
            each count. Hours and days are local, or UTC with \(flag: "utc"). Reads all events that
            match.
            """,
        examples: [
            "argus events stats --during last-week": "What the week was like",
            "argus events stats --by weekday --since 90d": "The busiest day of the week",
            "argus events stats --since 7d --format csv > week.csv": "The same as numbers",
        ],
        exitStatuses: .requests(3, .lostEvents), prints: .lists(StatisticsView.fields),
        guesses: ["stats", "statistics"])

    static let flags: [Flag<Options>] =
        EventFilterOptions.flags(at: \Options.filter) + [
            .list(
                "by", value: "KEY[,KEY]", adds: \.keys,
                "Count only by camera, type, hour, day or weekday")
        ]

    static let tool = VerbTool(
        name: "statistics", summary: "Counts events by camera, type, hour, day and weekday.",
        server: "events stats", archive: "archive stats", results: .list("counts"),
        options: EventsList.toolOptions + ["by"])

    static let takesSeveralServers = true

    static func run(_ options: Options, in context: Context) async throws(Failure) {
        let (server, printer) = try await context.server(printing: StatisticsView.fields, .list)
        let filter = try await options.filter.resolve(with: server, in: context)
        let cursor = server.events.list(filter, wanted: nil, notify: context.console.eventNotice)
        var statistics = EventStatistics(zone: try context.displayZone())
        // The lines of several servers would overwrite each other.
        let progress =
            context.collected == nil
            ? context.console.progress("counting", unit: .items("event", "events"), total: nil)
            : nil
        defer { progress?.finish() }
        while let rows = try await server.attempt("count events", await cursor.next()) {
            for row in rows { statistics.count(row.event) }
            progress?.setTotal(cursor.total)
            progress?.advance(by: rows.count)
        }
        progress?.finish()
        try write(statistics, upTo: context.now(), options, with: printer, in: context)
        try cursor.expectComplete(on: server)
    }

    /// Prints counts of the events that the options choose, as far as there are any at `end`.
    static func write(
        _ statistics: EventStatistics, upTo end: Timestamp, _ options: Options,
        with printer: Printer<EventStatistics.Row>, in context: Context
    ) throws(Failure) {
        let showsChart =
            try context.format() == .table && context.terminal.isOutputTerminal
            && context.globals.fields == nil && context.collected == nil
        if showsChart {
            var statistics = statistics
            let (since, until) = try options.filter.time.resolve(in: context)
            (statistics.since, statistics.until) = (since, min(until ?? end, end))
            let chart = StatisticsChart(
                statistics, options.chosenGroups, terminal: context.terminal)
            try context.writePaged(chart.text)
        } else {
            for row in options.groups.flatMap(statistics.rows) { try printer.write(row) }
            try printer.finish()
        }
    }
}
