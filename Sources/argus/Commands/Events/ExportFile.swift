import ArgusAccount
import ArgusCore
import ArgusEvents
import ArgusTransport
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
        let separator: Unicode.Scalar = format == .csv ? "," : "\t"
        let isSeparated = format == .csv || format == .tsv
        let hasHeader = isSeparated && !context.globals.hasNoHeader
        tail = ExportTail(
            isSeparated
                ? .separated(by: UInt8(ascii: separator), quoted: format == .csv) : .lines,
            columns: columns, hasHeader: hasHeader)
        let header = columns.joined(separator: String(separator)) + "\n"
        let remains: PartialFile.Remains =
            options.continues
            ? .continued
            : options.mayOverwrite
                ? .replaced : .refused(besides: hasHeader ? Array(header.utf8) : [])
        let path = try Self.path(options)
        file = try attempt(
            PartialFile(path, remains: remains, advice: Self.advice(format)), or: Self.failure)
        if options.continues { try readTail() }
        if tail.rowCount > 0 { try expectNote(of: origin) }
        // The last row may be incomplete; a part that is refused keeps it.
        if options.continues { try attempt(file.truncate(to: tail.size), or: Self.failure) }
        guard tail.rowCount > 0 else {
            // Local times do not show where the rows end, so such a part is not continued.
            if !context.globals.hasLocalTimes { file.note = origin.note }
            return
        }
        let events = ListCount(("event", "events")).sentence(for: tail.rowCount)
        context.console.notice("continuing after \(events) in '\(file.partPath)'")
    }

    /// - Throws: `Failure` 2 for a part of other events, or of unknown ones.
    private func expectNote(of origin: ExportOrigin) throws(Failure) {
        guard let note = file.note else {
            throw refusal("its conditions are unknown", "export to another file")
        }
        if let difference = origin.difference(from: note) {
            throw refusal("the first run was \(difference)", "use the options of the first run")
        }
    }

    private static func advice(_ format: OutputFormat) -> String {
        format == .json ? "a JSON array cannot be continued" : "continue with --resume"
    }

    /// The path of the file that `--output` names.
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
        let isContinuable = format == .json || file.note != nil
        let advice = isContinuable ? Self.advice(format) : "start over with --force"
        let kept = "the rows so far are in '\(file.partPath)'; \(advice)"
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

/// The server and the conditions of an export, stored with the partial file, since its rows do not
/// show them.
struct ExportOrigin {
    private let serverID: String
    private let serverAddress: String
    private let fields: String
    private let conditions: String

    init(
        _ server: SignedInServer, _ options: EventFilterOptions, _ filter: EventFilter,
        in context: Context
    ) {
        serverAddress = server.session.client.address.description
        serverID = server.record?.id.text ?? serverAddress
        fields = context.exportColumns.joined(separator: ",")
        conditions = Sanitizer.visible(options.words(filter))
    }

    var note: String {
        "server \(serverID) \(serverAddress)\nfields \(fields)\nconditions \(conditions)"
    }

    /// The difference from a stored origin, in words that follow `was`; nil if there is none.
    func difference(from note: String) -> String? {
        var known: [Substring: Substring] = [:]
        for line in note.split(separator: "\n") {
            let parts = line.split(separator: " ", maxSplits: 1)
            if let name = parts.first { known[name] = parts.count > 1 ? parts[1] : "" }
        }
        // A server that was removed and added again has a new id; one that moved has a new address.
        if let server = known["server"]?.split(separator: " "),
            !server.contains(serverID[...]), !server.contains(serverAddress[...])
        {
            return "for another server"
        }
        if let names = known["fields"], names != fields { return "with other fields: \(names)" }
        guard let words = known["conditions"], words != conditions else { return nil }
        return words.isEmpty ? "without conditions" : "with other conditions: \(words)"
    }
}

extension EventFilterOptions {
    /// The given conditions in a fixed order, cameras by id.
    fileprivate func words(_ filter: EventFilter) -> String {
        var words = filter.cameraIDs.sorted().map { "--camera \($0)" }
        if !filter.types.isEmpty {
            words.append("--type \(filter.types.sorted().joined(separator: ","))")
        }
        words += time.words
        words += [
            search.map { "--search '\($0.text)'" }, minConfidence.map { "--min-confidence \($0)" },
            isAlertsOnly ? "--alerts" : nil, source.map { "--source \($0.rawValue)" },
        ].compactMap(\.self)
        return words.joined(separator: " ")
    }
}
