import ArgusKit
import CommandLineKit

/// Prints the results of a command in the format that the person chose.
final class Printer<Record> {
    /// What a command prints.
    enum Shape: Sendable {
        case list
        /// One object for each of so many operands.
        case operands(Int)
        /// A row for each of so many operands; one operand is an object in JSON.
        case rows(Int)

        /// Whether a record comes by a request of its own.
        var waitsBetweenRecords: Bool {
            if case .operands = self { true } else { false }
        }
    }

    private var records: RecordPrinter<Record>
    private let isRaw: Bool
    private let isTable: Bool
    private let isList: Bool
    private let context: Context
    private var isEmpty = true

    fileprivate init(
        _ fields: [Field<Record>], _ shape: Shape, _ options: OutputOptions, to sink: ByteSink,
        in context: Context
    ) throws(Failure) {
        let outputShape: OutputShape =
            switch shape {
            case .list: .list
            case .operands(let count): count == 1 ? .single : .several
            case .rows(let count): count == 1 && options.format == .json ? .single : .list
            }
        do {
            records = try RecordPrinter(
                fields, shape: outputShape, options: options, sink: sink)
        } catch {
            throw Failure(.usage, "--fields: \(error)")
        }
        isRaw = context.globals.isRaw
        isTable = options.format == .table
        isList = outputShape == .list
        self.context = context
    }

    /// Prints a record, or the server's own object with `--raw`.
    ///
    /// What is printed for an operand is shown at once, because the next one is waited for.
    func write(
        _ record: @autoclosure () -> Record, raw: @autoclosure () -> JSONView? = nil
    ) throws(Failure) {
        isEmpty = false
        do {
            if isRaw, let raw = raw() {
                context.warnOfRepair(in: raw)
                return try records.writeRaw(raw)
            }
            try records.write(record())
        } catch {
            throw Failure(error)
        }
    }

    /// Prints an event of a walk.
    ///
    /// - Throws: `Failure` 1 also when the file in which it is cannot be read.
    func write(_ row: EventRow) throws(Failure) where Record == Event {
        let view = try row.readView()
        try write(row.event(in: view), raw: view)
    }

    /// Says that nothing more comes for a while.
    func endPage() throws(Failure) {
        do {
            try records.endPage()
        } catch {
            throw Failure(error)
        }
    }

    /// Completes the output; an empty list on a terminal gets a sentence on stderr instead.
    func finish(whenEmpty sentence: String? = nil) throws(Failure) {
        let isTerminal = context.system.streams.terminal.isOutputTerminal
        if isEmpty, isTable, isList, isTerminal {
            if let sentence { context.notice(sentence) }
            return
        }
        do {
            try records.finish()
        } catch {
            throw Failure(error)
        }
    }
}

extension Context {
    /// The format of this run.
    func format() throws(Failure) -> OutputFormat {
        try setting(.format, option: globals.format?.rawValue)
            .flatMap { OutputFormat(rawValue: $0.text) } ?? .table
    }

    /// Whether a program reads the output.
    func isForMachines() throws(Failure) -> Bool { try format().isMachine }

    /// The printer of a command's results, which go to stdout unless there is another sink for them.
    ///
    /// - Throws: `Failure` 2 for a format or a field that the command does not have.
    func printer<Record>(
        of fields: [Field<Record>], _ shape: Printer<Record>.Shape, as chosen: OutputFormat? = nil,
        to sink: ByteSink? = nil, hidesHeader: Bool = false, showsSecrets: Bool = false
    ) throws(Failure) -> Printer<Record> {
        let format = if let chosen { chosen } else { try format() }
        if globals.isRaw, format != .json, format != .ndjson {
            throw Failure(.usage, "--raw needs --format json or ndjson")
        }
        if case .operands = shape, format == .csv || format == .tsv {
            throw Failure(
                .usage, "--format \(format.rawValue) is for lists", hint: "use json or ndjson")
        }
        let options = OutputOptions(
            format: format, fields: globals.fields?.values,
            hidesHeader: hidesHeader || globals.hasNoHeader,
            zone: try format == .table ? displayZone() : .utc,
            terminal: sink == nil ? terminal : .none,
            flushesEachRecord: shape.waitsBetweenRecords)
        let out = showsSecrets ? system.streams.out.verbatim : system.streams.out
        return try Printer(fields, shape, options, to: sink ?? out, in: self)
    }

    /// Says once that what the server sent cannot be printed as it is.
    func warnOfRepair(in value: JSONView) {
        guard !value.isValidUTF8, repairs.insert(true) else { return }
        warn("the server sent invalid UTF-8; U+FFFD stands in its place")
    }

    /// Prints a text that is a command's whole result.
    func write(_ text: String) throws(Failure) {
        try system.streams.write(text)
    }

    /// Prints a secret that is a command's whole result, on a line of its own.
    func write(_ secret: Redacted<String>) throws(Failure) {
        try system.streams.write(secret)
    }

    /// Prints a changed object for programs, or a sentence for a person; `raw` is the server's own
    /// object.
    func report<Record>(
        _ record: Record, raw: @autoclosure () -> JSONView? = nil, with printer: Printer<Record>,
        _ sentence: String
    ) throws(Failure) {
        guard try isForMachines() else { return notice(sentence) }
        try printer.write(record, raw: raw())
        try printer.finish()
    }

    /// The terminal, with the colours that the person chose.
    var terminal: Terminal {
        var terminal = system.streams.terminal
        // A configuration that cannot be read is told by what needs it, not by the colours.
        let color =
            (try? setting(.color, option: globals.color?.rawValue))?
            .flatMap { ColorChoice(rawValue: $0.text) } ?? .auto
        terminal.applyColor(color, environment: system.environment.variables)
        return terminal
    }

    /// Help as this terminal shows it.
    var helpText: HelpText {
        HelpText(
            Tool.commandLine.description, width: min(terminal.width, 100),
            style: terminal.style.isOn ? .bold : .plain)
    }

    /// The local time zone; UTC where it cannot be read.
    var timeZone: TimeZoneRules {
        LocalZone.find(environment: system.environment.variables).rules
    }

    /// The zone of times that people read: local, or UTC where they asked for it.
    func displayZone() throws(Failure) -> TimeZoneRules { try isUTC() ? .utc : timeZone }

    private func isUTC() throws(Failure) -> Bool {
        try setting(.utc, option: globals.utc.map { String($0) })?.isOn ?? false
    }
}

extension OutputFormat {
    /// The formats of commands that print lists.
    static let lists = allCases.map(\.rawValue)
    /// The formats of commands that print objects.
    static let objects = [table, .json, .ndjson].map(\.rawValue)
}

extension Array {
    /// The fields as help and completion list them.
    func infos<Record>() -> [FieldInfo] where Element == Field<Record> {
        map { FieldInfo($0.name, $0.summary) }
    }
}
