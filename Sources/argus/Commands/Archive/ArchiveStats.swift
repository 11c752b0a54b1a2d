import ArgusKit
import CommandLineKit

enum ArchiveStats: ArgusCommand {
    struct Options: VerbOptions {
        var stats = EventsStats.Options()
        var archive = ArchiveOptions()
    }

    static let about = CommandInfo(
        name: "stats", summary: "Count archived events by camera, type, hour, day and weekday",
        description: "Conditions, fields and charts are those of \(command: "events stats").",
        examples: [
            "argus archive stats --by weekday --since 1w": "A week, of a server that is gone",
            "argus archive stats --by day --type package --format csv": "Packages of each day",
        ],
        exitStatuses: [0, 1, 2, 3, .damagedArchive, .archiveInUse],
        prints: .lists(StatisticsView.fields))

    static let flags: [Flag<Options>] =
        EventsStats.flags.map { $0.at(\Options.stats) }
        + ArchiveOptions.flags(at: \Options.archive)

    static func run(_ options: Options, in context: Context) async throws(Failure) {
        let printer = try context.printer(of: StatisticsView.fields, .list)
        let reading = try ArchiveReading(options.archive, in: context)
        let query = try reading.query(options.stats.filter, in: context)
        let rows = try attempt(try ArchiveRows(query, in: reading.archive))
        var statistics = EventStatistics(zone: try context.displayZone())
        while let batch = try rows.nextBatch() {
            for row in batch { statistics.count(try row.readEvent()) }
        }
        try EventsStats.write(statistics, options.stats, with: printer, in: context)
        try rows.expectNoDamage()
    }
}
