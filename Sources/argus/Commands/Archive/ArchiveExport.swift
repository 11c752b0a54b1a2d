import ArgusArchive
import ArgusCore
import ArgusEvents
import CommandLineKit

enum ArchiveExport: ArgusCommand {
    struct Options: VerbOptions {
        var export = EventsExport.Options()
        var archive = ArchiveOptions()
    }

    static let about = CommandInfo(
        name: "export", summary: "Save archived events, oldest first, as CSV or lines of JSON",
        effect: .reads,
        description: """
            Filters, fields and formats are those of \(command: "events export"). Writes csv to
            stdout unless \(flag: "format") and \(flag: "output") say otherwise. A file gets its
            name when it is complete.
            """,
        examples: [
            "argus archive export --type package --during last-week -o packages.csv":
                "The packages of a week for a spreadsheet",
            "argus archive export --format ndjson | gzip > events.ndjson.gz": "Everything",
        ],
        exitStatuses: [0, 1, 2, 3, .damagedArchive, .archiveInUse],
        prints: VerbOutput(
            fields: ArchiveView.listFields.infos(),
            formats: [OutputFormat.csv, .ndjson, .tsv, .json].map(\.rawValue)))

    static let flags: [Flag<Options>] =
        EventFilterOptions.flags(at: \Options.export.filter) + [
            .file("output", short: "o", sets: \.export.path, "Write to FILE, or to stdout (-)"),
            .toggle("force", sets: \.export.mayOverwrite, "Overwrite FILE and FILE.part"),
        ] + ArchiveOptions.flags(at: \Options.archive)

    static func run(_ options: Options, in context: Context) async throws(Failure) {
        let format = try EventsExport.format(options.export, in: context)
        let (reading, printer) = try ArchiveReading.begin(
            options.archive, printing: ArchiveView.listFields, .list, as: format, in: context)
        var query = try await reading.query(options.export.filter, in: context)
        query.order = .oldestFirst
        let rows = try attempt(try ArchiveRows(query, in: reading.archive))
        if options.export.path ?? "-" == "-" {
            try export(rows, to: printer)
        } else {
            let fields = reading.fields(ArchiveView.listFields, in: context)
            try save(rows, options.export, fields, format, in: context)
        }
        try rows.expectNoDamage()
    }

    private static func save(
        _ rows: ArchiveRows, _ options: EventsExport.Options, _ fields: [Field<Event>],
        _ format: OutputFormat, in context: Context
    ) throws(Failure) {
        let path = try ExportFile.path(options)
        let file = try attempt(
            try PartialFile(
                path, remains: options.mayOverwrite ? .replaced : .refused(besides: []),
                advice: "run it again with --force"))
        let printer = try context.printer(
            of: fields, .list, as: format,
            to: ByteSink(descriptor: file.descriptor, of: path))
        do {
            try export(rows, to: printer)
            try attempt(try file.commit(replacing: options.mayOverwrite))
        } catch {
            file.discard()
            throw error
        }
        let events = ListCount(("event", "events")).sentence(for: printer.count)
        context.console.notice("'\(path)' has \(events)")
    }

    private static func export(_ rows: ArchiveRows, to printer: Printer<Event>) throws(Failure) {
        while let batch = try rows.nextBatch() { try EventsList.write(batch, with: printer) }
        try printer.finish()
    }
}
