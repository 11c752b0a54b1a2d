import ArgusKit
import CommandLineKit

/// The command `argus events export`.
enum EventsExport: ArgusCommand {
    struct Options: Sendable, Equatable {
        var filter = EventFilterOptions()
        var path: String?
        var mayOverwrite = false
        var continues = false
        var isServerSide = false
    }

    static let about = CommandInfo(
        name: "export", summary: "Save events, oldest first, as CSV or lines of JSON",
        paragraphs: [
            """
            The format is csv unless \(flag: "format") says otherwise. Without \(flag: "output") \
            the rows go to stdout.
            """,
            """
            A file grows as \(code: "FILE.part") and gets its name when it is whole. When something \
            breaks, what has come stays there, and \(flag: "resume") goes on after its last row: no \
            row is repeated and none is missing. The file must have the fields id and timestamp \
            for that, and the same fields and filters must be given again.
            """,
            """
            \(flag: "server-side") takes the server's own export, one request that costs it less, \
            where \(flag: "fields") asks for no more than id, camera_id, timestamp, objects, \
            confidence, description and alert_triggered, and the conditions are times, one \
            \(flag: "camera"), \(flag: "min-confidence") and \(flag: "alerts"). Today's server \
            skips rows of it while events are deleted, so that it is not taken otherwise.
            """,
        ],
        examples: [
            Example("argus events export --since 7d -o week.csv", "A week for a spreadsheet"),
            Example(
                "argus events export --format ndjson --resume -o events.ndjson",
                "Everything; the same line goes on after a break"),
        ],
        exitStatuses: ExitStatus.requests(
            3, ExitStatus(12, "A row was no event, or events changed too fast to be read")),
        fields: EventView.fields.infos(),
        formats: [OutputFormat.csv, .ndjson, .tsv, .json].map(\.rawValue))

    static let defaults = Options()

    static let flags: [Flag<Options>] =
        EventFilterOptions.flags(at: \Options.filter) + [
            .option(
                "output", short: "o", value: "FILE", sets: \.path,
                "Write to FILE, or to stdout (-)"
            ).completing(.file),
            .toggle("resume", sets: \.continues, "Go on with a FILE.part that was left"),
            .toggle("force", sets: \.mayOverwrite, "Overwrite FILE and FILE.part"),
            .toggle("server-side", sets: \.isServerSide, "Take the server's own export"),
        ]

    static func validate(_ options: Options) throws(UsageError) {
        if options.continues, options.path ?? "-" == "-" {
            throw UsageError("--resume needs a file", hint: "name it with --output")
        }
        if options.continues, options.mayOverwrite {
            throw UsageError("give --resume or --force, not both")
        }
    }

    static func run(_ options: Options, in context: Context) async throws(Failure) {
        let format = try format(options, in: context)
        if options.path ?? "-" == "-" {
            let printer = try context.printer(of: EventView.fields, .list, as: format)
            let home = try await context.server()
            let filter = try await options.filter.resolve(with: home, in: context)
            _ = try await export(
                filter, [], to: printer, isServerSide: options.isServerSide, on: home, in: context)
            return
        }
        // The words are checked before a file is touched.
        _ = try context.printer(of: EventView.fields, .list, as: format)
        let home = try await context.server()
        var filter = try await options.filter.resolve(with: home, in: context)
        let file = try ExportFile(options, format, in: context)
        if let time = file.tail.time { filter.since = max(filter.since ?? time, time) }
        let printer = try context.printer(
            of: EventView.fields, .list, as: format, to: ByteSink(descriptor: file.descriptor),
            hidesHeader: file.tail.size > 0)
        let before = file.tail.rowCount
        do throws(Failure) {
            let count = try await export(
                filter, file.tail.ids, to: printer, isServerSide: options.isServerSide, on: home,
                in: context)
            try file.commit()
            let more = before > 0 ? ", \(count) of them new" : ""
            context.say("'\(file.path)' has \(before + count) events\(more)")
        } catch {
            throw file.keeping(after: error)
        }
    }

    /// - Throws: `Failure` 2 for a format that no export has.
    private static func format(
        _ options: Options, in context: Context
    ) throws(Failure) -> OutputFormat {
        if context.globals.isRaw { throw Failure(.usage, "an export has no --raw") }
        let format = try context.format()
        guard format == .table else {
            if options.continues, format == .json {
                throw Failure(
                    .usage, "one array of JSON cannot be continued", hint: "use --format ndjson")
            }
            return format
        }
        guard context.globals.format == nil else {
            throw Failure(.usage, "an export is no table", hint: "use csv, tsv, ndjson or json")
        }
        return .csv
    }

    private static func export(
        _ filter: EventFilter, _ known: Set<String>, to printer: Printer<Event>,
        isServerSide: Bool, on home: Home, in context: Context
    ) async throws(Failure) -> Int {
        let fields = Set(context.globals.fields?.values ?? EventView.fields.map(\.name))
        let folder = context.world.environment["TMPDIR"] ?? "/tmp"
        let service = EventService(session: home.session)
        let walk =
            isServerSide
            ? service.export(filter, fields: fields, spoolingIn: folder, tell: context.eventNotice)
            : service.listOldestFirst(filter, tell: context.eventNotice)
        let progress = context.progress("exporting", unit: .items("events"), total: nil)
        defer { progress.finish() }
        var count = 0
        while let rows = try await home.attempt(
            "export events", { () async throws(APIError) in try await walk.next() })
        {
            for row in rows where !known.contains(row.id) {
                try printer.write(row.event)
                count += 1
            }
            try printer.endPage()
            progress.advance(by: rows.count)
        }
        try printer.finish()
        try walk.expectNoUnreadableRows(of: home)
        return count
    }
}

/// The file of an export, and how far an earlier run has brought it.
struct ExportFile {
    private let file: PartialFile
    private let mayOverwrite: Bool
    private(set) var tail: ExportTail

    var path: String { file.path }
    var descriptor: Int32 { file.descriptor }

    /// - Throws: `Failure` 1 for what exists or cannot be written, 2 for what cannot be continued.
    init(
        _ options: EventsExport.Options, _ format: OutputFormat, in context: Context
    ) throws(Failure) {
        let path: String
        do {
            let target = try OutputTarget.resolve(
                options.path, isBinary: false, force: options.mayOverwrite)
            switch target {
            case .file(let name): path = name
            case .folder(let folder):
                throw Failure(
                    .usage, "--output: '\(folder)' is a folder", hint: "name a file in it")
            case .standardOutput, .stream:
                throw Failure(
                    .usage, "--output: '\(options.path ?? "")' is no file",
                    hint: "leave --output out and redirect stdout")
            }
        } catch let error as OutputTargetError {
            if case .file(let cause) = error { throw Self.failure(cause) }
            throw Failure(.usage, "--output: \(error)")
        } catch let failure as Failure {
            throw failure
        } catch {
            throw Failure(.failed, "--output: \(error)")
        }
        mayOverwrite = options.mayOverwrite
        let columns = context.globals.fields?.values ?? EventView.fields.map(\.name)
        let isSeparated = format == .csv || format == .tsv
        let hasHeader = isSeparated && !context.globals.hasNoHeader
        tail = ExportTail(
            isSeparated
                ? .separated(by: UInt8(ascii: format == .csv ? "," : "\t"), quoted: format == .csv)
                : .lines,
            columns: columns, hasHeader: hasHeader)
        let header = columns.joined(separator: format == .csv ? "," : "\t") + "\n"
        do {
            file = try PartialFile(
                path,
                remains: options.continues
                    ? .continued
                    : options.mayOverwrite
                        ? .replaced : .refused(besides: hasHeader ? Array(header.utf8) : []))
        } catch {
            throw Self.failure(error)
        }
        guard options.continues else { return }
        try readTail()
        if let header = tail.header, header != columns {
            throw Failure(
                .usage, "'\(file.partPath)' has other fields: \(header.joined(separator: ","))",
                hint: "give the same --fields, or begin anew with --force")
        }
        if tail.rowCount > 0 {
            context.say("going on after \(tail.rowCount) events in '\(file.partPath)'")
        }
    }

    /// Gives the file its name.
    func commit() throws(Failure) {
        do {
            try file.commit(replacing: mayOverwrite)
        } catch {
            throw Self.failure(error)
        }
    }

    /// What a failure means when some of the file is there.
    func keeping(after failure: Failure) -> Failure {
        var failure = failure
        guard let size = try? file.size, size > 0 else {
            file.discard()
            return failure
        }
        let kept = "what has come is in '\(file.partPath)'; go on with --resume"
        failure.hint = failure.hint.map { "\($0); \(kept)" } ?? kept
        return failure
    }

    private mutating func readTail() throws(Failure) {
        var offset = 0
        do {
            while true {
                let bytes = try file.read(from: offset, count: 1 << 18)
                if bytes.isEmpty { break }
                offset += bytes.count
                try read(bytes)
            }
            // The last row may have been cut in the middle.
            try file.truncate(to: tail.size)
        } catch let error as FileSystemError {
            throw Self.failure(error)
        } catch let failure as Failure {
            throw failure
        } catch {
            throw Failure(.failed, "cannot read '\(file.partPath)'")
        }
    }

    private mutating func read(_ bytes: [UInt8]) throws(Failure) {
        do throws(ExportTailError) {
            try tail.read(bytes)
        } catch {
            throw Failure(
                .usage,
                "'\(file.partPath)' cannot be continued: its rows have no id or no timestamp",
                hint: "begin anew with --force")
        }
    }

    private static func failure(_ error: FileSystemError) -> Failure {
        let isPart = error.path.hasSuffix(".part")
        let hint: String? =
            switch error.reason {
            case .exists:
                isPart
                    ? "go on with --resume, or begin anew with --force"
                    : "overwrite it with --force"
            default: nil
            }
        return Failure(.failed, "\(error)", hint: hint)
    }
}
