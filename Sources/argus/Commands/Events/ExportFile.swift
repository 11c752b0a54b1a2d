import ArgusKit
import CommandLineKit

/// The file of an export, perhaps continued from an earlier run.
struct ExportFile {
    private let file: PartialFile
    private let format: OutputFormat
    private let mayOverwrite: Bool
    private(set) var tail: ExportTail

    var path: String { file.path }
    var descriptor: Int32 { file.descriptor }

    /// - Throws: `Failure` 1 if it exists or cannot be written, 2 if it cannot be continued.
    init(
        _ options: EventsExport.Options, _ format: OutputFormat, of origin: ExportOrigin,
        in context: Context
    ) throws(Failure) {
        self.format = format
        mayOverwrite = options.mayOverwrite
        let columns = context.exportColumns
        let separator: UInt8? =
            switch format {
            case .csv: UInt8(ascii: ",")
            case .tsv: UInt8(ascii: "\t")
            case .table, .json, .ndjson: nil
            }
        let hasHeader = separator != nil && !context.globals.hasNoHeader
        tail = ExportTail(
            separator.map { .separated(by: $0, quoted: format == .csv) } ?? .lines,
            columns: columns, hasHeader: hasHeader)
        let header = columns.joined(separator: format == .csv ? "," : "\t") + "\n"
        let remains: PartialFile.Remains =
            options.continues
            ? .continued
            : options.mayOverwrite
                ? .replaced : .refused(besides: hasHeader ? Array(header.utf8) : [])
        let path = try Self.path(options)
        file = try attempt(
            PartialFile(path, remains: remains, advice: Self.advice(format)), or: Self.failure)
        if options.continues { try readTail() }
        guard tail.rowCount > 0 else {
            file.note = origin.note
            return
        }
        if let note = file.note, let difference = origin.difference(from: note) {
            throw refusal("the first run was \(difference)", "use the options of the first run")
        }
        context.console.notice("continuing after \(tail.rowCount) events in '\(file.partPath)'")
    }

    private static func advice(_ format: OutputFormat) -> String {
        format == .json ? "a JSON array cannot be continued" : "continue with --resume"
    }

    /// The path of the file that `--output` names.
    ///
    /// - Throws: `Failure` 2 if it is not a regular file, 1 if it exists.
    static func path(_ options: EventsExport.Options) throws(Failure) -> String {
        let target = try attempt(
            OutputTarget.resolve(options.path, isBinary: false, force: options.mayOverwrite),
            or: failure)
        switch target {
        case .file(let path): return path
        case .folder(let folder):
            throw Failure(.usage, "--output: '\(folder)' is a folder", hint: "name a file in it")
        case .standardOutput, .stream:
            throw Failure(
                .usage, "--output: '\(options.path ?? "")' is not a file",
                hint: "leave --output out and redirect stdout")
        }
    }

    func commit() throws(Failure) {
        try attempt(file.commit(replacing: mayOverwrite), or: Self.failure)
    }

    /// The failure with a hint about the partial file.
    func keeping(after failure: Failure) -> Failure {
        var failure = failure
        guard let size = try? file.size, size > 0 else {
            file.discard()
            return failure
        }
        let kept = "the rows so far are in '\(file.partPath)'; \(Self.advice(format))"
        failure.hint = failure.hint.map { "\($0); \(kept)" } ?? kept
        return failure
    }

    private mutating func readTail() throws(Failure) {
        var offset = 0
        while true {
            let bytes = try attempt(file.read(from: offset, count: 1 << 18), or: Self.failure)
            if bytes.isEmpty { break }
            offset += bytes.count
            do { try tail.read(bytes) } catch { throw refusal(error) }
        }
        // The last row may be incomplete.
        try attempt(file.truncate(to: tail.size), or: Self.failure)
    }

    private func refusal(_ error: ExportTailError) -> Failure {
        let name = format.rawValue.uppercased()
        let (reason, remedy) =
            switch error {
            case .holdsLines: ("it contains NDJSON, not \(name)", "use --format ndjson")
            case .holdsNoLines: ("it holds no NDJSON", "use the --format of its rows")
            case .otherSeparator: ("its rows are not \(name)", "use the --format of its rows")
            case .otherFields(let names):
                ("it has other fields: \(names.joined(separator: ","))", "use the same --fields")
            case .otherCount(let count):
                (
                    "a row of it has \(count) cells, and one of this export would have another "
                        + "number", "use the same --fields"
                )
            case .hasHeader: ("it begins with a header line", "leave --no-header out")
            case .noHeader:
                (
                    "it does not begin with a header line",
                    "add --no-header if the first run had it"
                )
            case .noKey: ("its rows have no id or no timestamp", "use the same --fields")
            }
        return refusal(reason, remedy)
    }

    private func refusal(_ reason: String, _ remedy: String) -> Failure {
        Failure(
            .usage, "'\(file.partPath)' cannot be continued: \(reason)",
            hint: "\(remedy), or start over with --force")
    }

    /// The usual failure, with `--resume` as the remedy for an existing partial file.
    private static func failure(_ error: any Error) -> Failure {
        var failure = Failure(cause: error)
        if let cause = error as? FileSystemError, cause.reason == .exists,
            cause.path.hasSuffix(".part")
        {
            failure.hint = "continue with --resume, or start over with --force"
        }
        return failure
    }
}

extension Context {
    var exportColumns: [String] {
        globals.fields?.values.distinct ?? EventView.fields.map(\.name)
    }
}
