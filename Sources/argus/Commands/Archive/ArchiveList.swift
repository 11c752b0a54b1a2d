import ArgusArchive
import ArgusEvents
import CommandLineKit

enum ArchiveList: ArgusCommand {
    struct Options: VerbOptions {
        var list = EventsList.Options()
        var archive = ArchiveOptions()
        var onlyDeleted = false
    }

    static let about = CommandInfo(
        name: "list", summary: "List archived events, newest first", effect: .reads,
        description: """
            Filters, fields and formats are those of \(command: "events list"); no server is
            asked. Lists the events of all servers in the archive, unless \(flag: "server") names
            one. \(flag: "raw") prints the events as the server's list had them.
            """,
        examples: [
            "argus archive list --type person --since 90d --all": "Everyone seen in three months",
            "argus archive list --deleted -n 50": "Events that the server no longer has",
        ],
        exitStatuses: [0, 1, 2, 3, .damagedArchive, .archiveInUse],
        prints: .lists(ArchiveView.listFields))

    static let flags: [Flag<Options>] =
        EventsList.flags.map { $0.at(\Options.list) } + [
            .toggle("deleted", sets: \.onlyDeleted, "Only events that the server no longer has")
                .inSection("Filter")
        ] + ArchiveOptions.flags(at: \Options.archive)

    static func validate(_ options: Options) throws(UsageError) {
        try EventsList.validate(options.list)
    }

    static func run(_ options: Options, in context: Context) async throws(Failure) {
        let (reading, printer) = try ArchiveReading.begin(
            options.archive,
            printing: try ArchiveView.listFields(of: options.list.filter, in: context), .list,
            in: context)
        var query = try await reading.query(options.list.filter, in: context)
        query.wanted = options.list.wanted
        query.onlyDeleted = options.onlyDeleted
        let keepsRows = options.list.keepsRows
        if options.list.isReversed, !keepsRows { query.order = .oldestFirst }
        let rows = try attempt(try ArchiveRows(query, in: reading.archive))
        var kept: [EventRow] = []
        while let batch = try rows.nextBatch() {
            if keepsRows { kept += batch } else { try EventsList.write(batch, with: printer) }
        }
        try EventsList.write(try EventsList.sorted(kept, options.list), with: printer)
        try printer.finish(
            whenEmpty: "no archived events match",
            counting: options.list.count(of: printer.count, total: nil))
        try rows.expectNoDamage()
    }
}

extension ExitStatus {
    static let damagedArchive = ExitStatus(12, "A part of the archive is damaged")
    static let archiveInUse = ExitStatus(13, "Another process goes on changing the archive")
}
