import ArgusAccount
import ArgusCore
import ArgusEvents
import CommandLineKit

/// Prints the results of a command in the chosen format.
final class Printer<Record> {
    /// The shape of a command's results.
    enum Shape: Sendable {
        case list
        /// One object for each of this many operands.
        case operands(Int)
        /// A row for each of this many operands; one operand is an object in JSON.
        case rows(Int)
    }

    private var records: RecordPrinter<Record>
    private let fields: [Field<Record>]
    private let isRaw: Bool
    private let isTable: Bool
    private let isList: Bool
    private let context: Context
    /// The first row beyond the screen, until the first page of a table is printed; nil then.
    private var longPage: Int?
    private(set) var count = 0

    /// Prepares to print; `chosen` replaces the format of the run, and `sink` stdout.
    init(
        of fields: [Field<Record>], _ shape: Shape, as chosen: OutputFormat?, to sink: ByteSink?,
        hidesHeader: Bool, in context: Context
    ) throws(Failure) {
        let globals = context.globals
        let format = if let chosen { chosen } else { try context.format() }
        if globals.isRaw, format != .json, format != .ndjson {
            throw Failure(.usage, "--raw needs --format json or ndjson")
        }
        if globals.hasLocalTimes, format == .json || format == .ndjson {
            throw Failure(
                .usage, "--local-times is for csv and tsv; \(format.rawValue) has UTC only",
                hint: "leave out --local-times, or use --format csv")
        }
        let outputShape: OutputShape =
            switch shape {
            case .list: .list
            case .operands(let count): count == 1 ? .single : .several
            case .rows(let count): count == 1 && format == .json ? .single : .list
            }
        let isForOperands = if case .operands = shape { true } else { false }
        // The rows of several servers are a list.
        let isAlone = context.collected == nil
        if isAlone, isForOperands, format == .csv || format == .tsv {
            throw Failure(
                .usage, "--format \(format.rawValue) is for lists", hint: "use json or ndjson")
        }
        let options = OutputOptions(
            format: format, fields: globals.fields?.values,
            hidesHeader: hidesHeader || globals.hasNoHeader,
            zone: try format == .table || globals.hasLocalTimes ? context.displayZone() : .utc,
            hasLocalTimes: globals.hasLocalTimes,
            now: context.now(),
            isWide: globals.isWide, terminal: sink == nil ? context.terminal : .none,
            flushesEachRecord: isForOperands)
        let out = sink ?? context.system.streams.out
        records = try attempt(
            RecordPrinter(fields, shape: outputShape, options: options, sink: out)
        ) { Failure(.usage, "--fields: \($0)") }
        self.fields = fields
        context.collected?.begin(fields)
        isRaw = globals.isRaw
        isTable = format == .table
        isList = outputShape == .list
        // The screen also shows a heading, a blank line, the count and the prompt.
        let terminal = context.system.streams.terminal
        longPage =
            isTable && isList && sink == nil && terminal.isOutputTerminal
            ? max(1, terminal.height - 3) : nil
        self.context = context
    }

    /// Prints a record, or the server's own object with `--raw`; `page` is where the server shows it.
    ///
    /// The output for an operand is flushed at once, because the next one takes a request.
    func write(
        _ record: @autoclosure () -> Record, raw: @autoclosure () -> JSONView? = nil,
        page: String? = nil
    ) throws(Failure) {
        if let rows = context.collected {
            let record = record()
            return rows.add(fields.map { $0.value(record) })
        }
        count += 1
        if count == longPage { context.startPager() }
        do {
            if isRaw, let raw = raw() {
                context.console.warnOfRepair(in: raw)
                return try records.writeRaw(raw)
            }
            try records.write(record(), page: page)
        } catch {
            throw Failure(error)
        }
    }

    func write(_ row: EventRow, page: String? = nil) throws(Failure) where Record == Event {
        try write(row.event, raw: row.view, page: page)
    }

    /// Flushes the records so far, since the next ones take a request.
    func endPage() throws(Failure) {
        guard context.collected == nil else { return }
        longPage = nil
        try attempt(records.endPage())
    }

    /// Completes the output; on a terminal, prints a sentence to stderr for an empty list, or the
    /// count of `things`.
    func finish(whenEmpty sentence: String? = nil, counting things: ListCount? = nil)
        throws(Failure)
    {
        if let rows = context.collected { return rows.end(things) }
        let terminal = context.system.streams.terminal
        let isShown = isTable && isList && terminal.isOutputTerminal
        if isShown, count == 0 {
            if let sentence { context.console.notice(sentence) }
            return
        }
        try attempt(records.finish())
        Pager.finish()
        if let things, isShown, terminal.isErrorTerminal {
            context.console.count(things.sentence(for: count), in: context.terminal.errorStyle)
        }
    }
}

/// The line below a list on a terminal: `20 of 238 events; --all lists all`.
struct ListCount: Sendable {
    var one: String
    var several: String
    /// The total number, if the server reports it.
    var total: Int?
    /// The option that lists the others.
    var hint: String?

    init(_ things: (one: String, several: String), of total: Int? = nil, hint: String? = nil) {
        (one, several) = things
        (self.total, self.hint) = (total, hint)
    }

    func sentence(for count: Int) -> String {
        // Of a server that does not say how many there are.
        let more = total == nil && hint != nil ? " and more" : ""
        let total = max(total ?? count, count)
        let number = total > count ? "\(count) of \(total)" : "\(count)"
        return "\(number) \(total == 1 ? one : several)\(more)" + (hint.map { "; \($0)" } ?? "")
    }
}

extension OutputFormat {
    static let lists = allCases.map(\.rawValue)
    static let objects = [table, .json, .ndjson].map(\.rawValue)
}

extension Array {
    /// The fields as help and completion list them.
    func infos<Record>() -> [FieldInfo] where Element == Field<Record> {
        map {
            FieldInfo(
                $0.name, $0.summary, type: $0.type.description, isUntrusted: $0.isUntrusted,
                isConditional: $0.isConditional)
        }
    }
}

extension Context {
    /// Pipes stdout through the user's pager until `Pager.finish`, if it is a terminal.
    func startPager() {
        let environment = system.environment
        let isDumb = ["", "dumb"].contains(environment["TERM"] ?? "")
        guard system.streams.terminal.isOutputTerminal, !isDumb, !globals.isQuiet else { return }
        // Code that needs the configuration reports its faults.
        let chosen = (try? settings[.pager]?.text) ?? environment["PAGER"] ?? "less"
        guard chosen != "cat" else { return }
        Pager.start(chosen, environment: environment)
    }

    /// Prints a text that is a command's whole result, through the pager if it is long.
    func writePaged(_ text: String) throws(Failure) {
        if text.count(where: { $0 == "\n" }) >= system.streams.terminal.height { startPager() }
        try write(text)
    }
}
