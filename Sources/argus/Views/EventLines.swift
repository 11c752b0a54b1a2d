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

    /// The text at the end of a line, cut to the terminal, of which `used` cells are taken.
    func end(_ text: String?, after used: Int) -> String {
        let text = Sanitizer.visible(text ?? "")
        guard terminal.isOutputTerminal else { return text }
        return DisplayWidth.truncate(text, to: max(10, statusLine.width - used))
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

    /// The line for people: `20:15:03  Front Door  person  A person …`.
    private func line(for event: Event) -> String {
        let (heading, time) = form.start(at: event.timestamp ?? context.now())
        let camera = Sanitizer.visible(event.cameraName ?? event.cameraID ?? "-")
        let place = "\(time)  \(camera.padded(to: 16))  "
        let kind = Sanitizer.visible(event.type).padded(to: 8)
        let used = DisplayWidth.of(place) + DisplayWidth.of(kind) + 2
        let type = form.terminal.style.paint(kind, TextColor(eventType: event.type))
        return heading + place + type + "  " + form.end(event.description, after: used)
    }
}

extension String {
    /// The text with blanks up to a width in cells of a terminal.
    func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - DisplayWidth.of(self)))
    }
}
