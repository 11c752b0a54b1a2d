import ArgusAccount
import ArgusCore
import ArgusEvents
import CommandLineKit

enum EventsExport: ArgusCommand {
    struct Options: VerbOptions {
        var filter = EventFilterOptions()
        var path: String?
        var mayOverwrite = false
        var continues = false
        var isServerSide = false
    }

    static let about = CommandInfo(
        name: "export", summary: "Save events, oldest first, as CSV or lines of JSON",
        effect: .reads,
        description: """
            Writes csv to stdout unless \(flag: "format") and \(flag: "output") say otherwise.

            A file is called \(code: "FILE.part") until it is complete. After a failure,
            \(flag: "resume") continues after its last row; no row is repeated or skipped. Repeat
            the command with the same server, format, fields (with id and timestamp) and filters:
            argus refuses differences that it can see.

            \(flag: "server-side") uses the server's own export: one request, and less work for
            the server. It needs \(flag: "fields") out of id, camera_id, timestamp, objects,
            confidence, description and alert_triggered, and filters only by time, one
            camera, \(flag: "min-confidence") and \(flag: "alerts"). Today's server
            skips rows in it if events are deleted meanwhile.
            """,
        examples: [
            "argus events export --since 7d -o week.csv": "A week for a spreadsheet",
            "argus events export --format ndjson --resume -o events.ndjson":
                "Everything; run it again to continue",
        ],
        exitStatuses: .requests(3, .lostEvents),
        prints: VerbOutput(
            fields: EventView.fields.infos(),
            formats: [OutputFormat.csv, .ndjson, .tsv, .json].map(\.rawValue)))

    static let flags: [Flag<Options>] =
        EventFilterOptions.flags(at: \Options.filter) + [
            .file("output", short: "o", sets: \.path, "Write to FILE, or to stdout (-)"),
            .toggle("resume", sets: \.continues, "Continue FILE.part of an earlier run"),
            .toggle("force", sets: \.mayOverwrite, "Overwrite FILE and FILE.part"),
            .toggle("server-side", sets: \.isServerSide, "Use the server's own export"),
        ]

    static func validate(_ options: Options) throws(UsageError) {
        if options.continues, options.path ?? "-" == "-" {
            throw UsageError("--resume needs a file", hint: "name it with --output")
        }
        try UsageError.rejectBoth("--resume", options.continues, "--force", options.mayOverwrite)
        guard options.isServerSide else { return }
        let filter = options.filter
        let unfit = [
            ("--type", !filter.types.isEmpty), ("--search", filter.search != nil),
            ("--source", filter.source != nil), ("--entity", !filter.entities.isEmpty),
            ("--rule", !filter.rules.isEmpty), ("a second camera", filter.cameras.count > 1),
        ]
        if let (option, _) = unfit.first(where: \.1) { throw unfitForServer(option) }
    }

    private static func unfitForServer(_ condition: String) -> UsageError {
        UsageError("--server-side: the server's export does not support \(condition)")
    }

    static func run(_ options: Options, in context: Context) async throws(Failure) {
        let format = try format(options, in: context)
        if options.isServerSide { try expectExportedFields(in: context) }
        // Options are checked before a file is touched.
        let printer = try context.printer(of: EventView.fields, .list, as: format)
        let server = try await context.server()
        let filter = try await options.filter.resolve(with: server, in: context)
        // One value may have named several.
        if options.isServerSide, filter.cameraIDs.count > 1 {
            throw Failure(unfitForServer("a second camera"))
        }
        guard options.path ?? "-" == "-" else {
            return try await save(filter, options, format, on: server, in: context)
        }
        let (_, gap) = try await export(
            filter, [], to: printer, isServerSide: options.isServerSide, on: server, in: context)
        if let gap { throw gap }
    }

    /// Writes the events to the file, after the rows it already has.
    private static func save(
        _ filter: EventFilter, _ options: Options, _ format: OutputFormat,
        on server: SignedInServer, in context: Context
    ) async throws(Failure) {
        var filter = filter
        let origin = ExportOrigin(server, options.filter, filter, in: context)
        let file = try ExportFile(options, format, of: origin, in: context)
        // A span such as 7d may mean another start by now; the rows continue where they ended.
        if let time = file.tail.time { filter.since = time }
        let printer = try context.printer(
            of: EventView.fields, .list, as: format,
            to: ByteSink(descriptor: file.descriptor, of: file.path),
            hidesHeader: file.tail.size > 0)
        let before = file.tail.rowCount
        let gap: Failure?
        do {
            let (count, missing) = try await export(
                filter, file.tail.ids, to: printer, isServerSide: options.isServerSide, on: server,
                in: context)
            try file.commit()
            let events = ListCount(("event", "events")).sentence(for: before + count)
            let more = before > 0 ? ", \(count) of them new" : ""
            context.console.notice("'\(file.path)' has \(events)\(more)")
            gap = missing
        } catch {
            throw file.keeping(after: error)
        }
        if let gap { throw gap }
    }

    /// - Throws: `Failure` 2 for a format that exports do not support.
    static func format(_ options: Options, in context: Context) throws(Failure) -> OutputFormat {
        if context.globals.isRaw { throw Failure(.usage, "an export does not support --raw") }
        let format = try context.format()
        if options.continues, format == .json {
            throw Failure(
                .usage, "--resume cannot continue a JSON array", hint: "use --format ndjson")
        }
        if options.continues, context.globals.hasLocalTimes {
            throw Failure(
                .usage, "--resume needs times in UTC to find where the rows end",
                hint: "leave out --local-times")
        }
        guard format == .table else { return format }
        guard context.globals.format == nil else {
            throw Failure(
                .usage, "an export cannot be a table", hint: "use csv, tsv, ndjson or json")
        }
        return .csv
    }

    /// - Throws: `Failure` 2 for fields that the server's own export does not have.
    private static func expectExportedFields(in context: Context) throws(Failure) {
        let missing = context.exportColumns.filter { !EventService.exportedFields.contains($0) }
        guard let first = missing.first else { return }
        let names = EventView.fields.map(\.name).filter(EventService.exportedFields.contains)
        throw Failure(
            .usage, "--server-side: the server's export has no field '\(first)'",
            hint: "choose from these: --fields \(names.joined(separator: ","))")
    }

    /// Writes the events, and returns their number and the failure of a list that lacks some.
    private static func export(
        _ filter: EventFilter, _ known: Set<String>, to printer: Printer<Event>,
        isServerSide: Bool, on server: SignedInServer, in context: Context
    ) async throws(Failure) -> (count: Int, gap: Failure?) {
        let fields = Set(context.exportColumns)
        let folder = context.system.environment["TMPDIR"] ?? "/tmp"
        let cursor =
            isServerSide
            ? server.events.export(
                filter, fields: fields, spoolingIn: folder, notify: context.console.eventNotice)
            : server.events.listOldestFirst(filter, notify: context.console.eventNotice)
        let progress = context.console.progress(
            "exporting", unit: .items("event", "events"), total: nil)
        defer { progress.finish() }
        var count = 0
        while let rows = try await server.attempt("export events", await cursor.next()) {
            for row in rows where !known.contains(row.id) {
                try printer.write(row)
                count += 1
            }
            try printer.endPage()
            progress.setTotal(cursor.total)
            progress.advance(by: rows.count)
        }
        try printer.finish()
        do { try cursor.expectComplete(on: server) } catch { return (count, error) }
        return (count, nil)
    }
}
