import ArgusKit

/// The output of commands that print events as they come: a line each.
final class EventLines {
    private let printer: Printer<Event>?
    private let context: Context
    private let terminal: Terminal
    private let zone: TimeZoneRules
    private var day: Substring = ""

    /// Prepares to print; `count` is the number of events at the end, nil for a stream without one.
    ///
    /// - Throws: `Failure` 2 for JSON of a stream without an end.
    init(_ count: Int? = nil, in context: Context) throws(Failure) {
        self.context = context
        terminal = context.terminal
        zone = try context.displayZone()
        switch try context.format() {
        case .table where context.globals.fields == nil: printer = nil
        case .json where count == nil:
            throw Failure(
                .usage, "--format json: a stream of events has no end", hint: "use ndjson")
        default:
            printer = try context.printer(
                of: EventView.fields, count.map { .rows($0) } ?? .list)
        }
    }

    /// Prints an event; rows for programs reach a file or pipe with `flush`.
    func write(_ event: Event) throws(Failure) {
        try context.system.streams.statusLine.hidden { () throws(Failure) in
            guard let printer else { return try context.write(line(for: event) + "\n") }
            try printer.write(event)
            if terminal.isOutputTerminal { try printer.endPage() }
        }
    }

    /// Writes out all rows.
    func flush() throws(Failure) { try printer?.endPage() }

    func finish() throws(Failure) {
        try printer?.finish()
    }

    /// The line for people: `20:15:03  Front Door  person  A person …`, cut to the terminal.
    private func line(for event: Event) -> String {
        let time = (event.timestamp ?? context.now()).displayText(in: zone)
        var (start, heading) = (time.prefix(19), "")
        // A terminal has the date above the lines of a day, a file in each line.
        if terminal.isOutputTerminal {
            if time.prefix(10) != day { heading = terminal.style.dim("\(time.prefix(10))") + "\n" }
            (day, start) = (time.prefix(10), time.dropFirst(11).prefix(8))
        }
        let camera = Sanitizer.visible(event.cameraName ?? event.cameraID ?? "-")
        let type = Sanitizer.visible(event.type)
        let text = Sanitizer.visible(event.description ?? "")
        let place = "\(start)  \(padded(camera, to: 16))  "
        let kind = padded(type, to: 8)
        let used = DisplayWidth.of(place) + DisplayWidth.of(kind) + 2
        let rest =
            terminal.isOutputTerminal
            ? DisplayWidth.truncate(
                text, to: max(10, context.system.streams.statusLine.width - used)) : text
        let color = TextColor(eventType: event.type)
        return heading + place + terminal.style.paint(kind, color) + "  " + rest
    }

    private func padded(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - DisplayWidth.of(text)))
    }
}
