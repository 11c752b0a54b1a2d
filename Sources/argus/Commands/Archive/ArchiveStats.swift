import ArgusArchive
import ArgusEvents
import CommandLineKit

enum ArchiveStats: ArgusCommand {
    struct Options: VerbOptions {
        var stats = EventsStats.Options()
        var archive = ArchiveOptions()
    }

    static let about = CommandInfo(
        name: "stats", summary: "Count archived events by camera, type, hour, day and weekday",
        effect: .reads,
        description: """
            Filters, fields and charts are those of \(command: "events stats"). If the archive has
            several servers, argus counts each apart and prints a row for each count.
            """,
        examples: [
            "argus archive stats --by weekday --since 1w": "A week, of a server that is gone",
            "argus archive stats --by day --type package --format csv": "Packages of each day",
        ],
        exitStatuses: [0, 1, 2, 3, .damagedArchive, .archiveInUse],
        prints: .lists(ArchiveView.statisticsFields))

    static let flags: [Flag<Options>] =
        EventsStats.flags.map { $0.at(\Options.stats) }
        + ArchiveOptions.flags(at: \Options.archive)

    static func run(_ options: Options, in context: Context) async throws(Failure) {
        let (reading, printer) = try ArchiveReading.begin(
            options.archive, printing: ArchiveView.statisticsFields, .list, in: context)
        let query = try await reading.query(options.stats.filter, in: context)
        let rows = try attempt(try ArchiveRows(query, in: reading.archive))
        let zone = try context.displayZone()
        var counts: [String?: EventStatistics] = [:]
        while let batch = try rows.nextBatch() {
            for row in batch {
                let event = row.event
                let server = reading.isMixed ? event.server : nil
                counts[server, default: EventStatistics(zone: zone, of: server)].count(event)
            }
        }
        if reading.isMixed {
            for (_, count) in counts.sorted(by: { $0.key ?? "" < $1.key ?? "" }) {
                for row in options.stats.groups.flatMap(count.rows) { try printer.write(row) }
            }
            try printer.finish(whenEmpty: "no archived events match")
        } else {
            let synced = try attempt(reading.archive.servers()).compactMap(\.lastSync).max()
            try EventsStats.write(
                counts[nil] ?? EventStatistics(zone: zone), upTo: synced ?? context.now(),
                options.stats, with: printer, in: context)
        }
        try rows.expectNoDamage()
    }
}
