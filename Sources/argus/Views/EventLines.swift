import ArgusCore
import ArgusEvents

/// The form of commands that print things as they come: a line each for people, a row for programs.
struct LineForm {
    let terminal: Terminal
    private let statusLine: StatusLine
    private let zone: TimeZoneRules
    private var day: Substring = ""

    init(in context: Context) throws(Failure) {
        terminal = context.terminal
        statusLine = context.system.streams.statusLine
        zone = try context.displayZone()
    }

    /// The printer for rows; nil for a table without chosen fields.
    ///
    /// Without `count`, the stream of `things` has no end.
    /// - Throws: `Failure` 2 for `--format json` of an endless stream, or for an unknown field.
    static func printer<Record>(
        of fields: [Field<Record>], _ count: Int? = nil, called things: String, in context: Context
    ) throws(Failure) -> Printer<Record>? {
        switch try context.format() {
        case .table where context.globals.fields == nil: return nil
        case .json where count == nil:
            throw Failure(
                .usage, "--format json: a stream of \(things) has no end", hint: "use ndjson")
        default: return try context.printer(of: fields, count.map { .rows($0) } ?? .list)
        }
    }

    /// The start of a line: a terminal has the date above the lines of a day, a file in each line.
    mutating func start(at time: Timestamp) -> (heading: String, time: Substring) {
        let time = time.displayText(in: zone)
        guard terminal.isOutputTerminal else { return ("", time.prefix(19)) }
        defer { day = time.prefix(10) }
        let heading = time.prefix(10) == day ? "" : terminal.style.dim("\(time.prefix(10))") + "\n"
        return (heading, time.dropFirst(11).prefix(8))
    }

    /// The width of the terminal now; nil if lines are not fitted.
    var width: Int? { terminal.isOutputTerminal ? statusLine.width : nil }

    /// The text at the end of a line, cut to the terminal, of which `used` cells are taken.
    func end(_ text: String?, after used: Int) -> String {
        let text = Sanitizer.visible(text ?? "")
        return width.map { DisplayWidth.truncate(text, to: max(10, $0 - used)) } ?? text
    }
}

/// The output of commands that print events as they come.
final class EventLines {
    private let printer: Printer<Event>?
    private let context: Context
    private var form: LineForm

    /// Prepares to print; `count` is the number of events at the end, nil for a stream without one.
    init(_ count: Int? = nil, in context: Context) throws(Failure) {
        self.context = context
        form = try LineForm(in: context)
        printer = try LineForm.printer(of: EventView.fields, count, called: "events", in: context)
    }

    /// Prints an event; rows for programs reach a file or pipe with `flush`.
    func write(_ event: Event) throws(Failure) {
        try context.system.streams.statusLine.hidden { () throws(Failure) in
            guard let printer else { return try context.write(line(for: event) + "\n") }
            try printer.write(event)
            if form.terminal.isOutputTerminal { try printer.endPage() }
        }
    }

    func flush() throws(Failure) { try printer?.endPage() }

    func finish() throws(Failure) { try printer?.finish() }

    /// The line for people: `20:15:03 ! Front Door  person  A person …  6f9ffdee`; `!` marks an alert.
    private func line(for event: Event) -> String {
        let (heading, time) = form.start(at: event.timestamp ?? context.now())
        let style = form.terminal.style
        let columns = EventColumns(width: form.width)
        let mark = event.alertTriggered == true ? style.paint("!", .yellow) : " "
        let camera = columns.camera(event.cameraName ?? event.cameraID ?? "-")
        let type = style.paint(columns.type(event.type), TextColor(eventType: event.type))
        let id = columns.id(event.id)
        let description = columns.description(event.description, after: time.count, beside: id)
        return "\(heading)\(time) \(mark) \(camera)  \(type)  \(description)  \(style.dim(id))"
    }
}

/// The columns of an event's line, which follow the width of the terminal.
private struct EventColumns {
    /// The width of the terminal; nil if nothing is cut.
    let width: Int?

    private var cameraWidth: Int { width.map { min(24, max(12, $0 / 5)) } ?? 16 }

    /// The longest known type has seven cells.
    private var typeWidth: Int { width.map { $0 < 120 ? 8 : 12 } ?? 8 }

    func camera(_ name: String) -> String { fitted(name, to: cameraWidth) }

    func type(_ type: String) -> String { fitted(type, to: typeWidth) }

    /// The id, or as much of it as commands need.
    func id(_ id: String) -> String {
        Sanitizer.visible(width != nil && id.count > 12 ? String(id.prefix(8)) : id)
    }

    /// The description in the rest of the line, after a time of `time` cells and before the id.
    func description(_ text: String?, after time: Int, beside id: String) -> String {
        guard let width else { return Sanitizer.visible(text ?? "") }
        let used = time + 3 + cameraWidth + 2 + typeWidth + 2
        return fitted(text ?? "", to: max(10, width - used - 2 - DisplayWidth.of(id)))
    }

    private func fitted(_ text: String, to cells: Int) -> String {
        let text = Sanitizer.visible(text)
        return (width == nil ? text : DisplayWidth.truncate(text, to: cells)).padded(to: cells)
    }
}

extension String {
    /// The text with blanks up to a width in cells of a terminal.
    func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - DisplayWidth.of(self)))
    }
}
