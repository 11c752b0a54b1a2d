import ArgusAccount
import ArgusCore
import ArgusEvents
import ArgusKit

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

/// An event, and the name of its server.
struct ServerEvent: Sendable {
    var server: String
    var event: Event
}

/// The output of commands that print events as they come.
final class EventLines {
    private let printer: Printer<ServerEvent>?
    private let context: Context
    /// The names of several servers; nil for one.
    var servers: [String]?
    /// The types of the filter.
    private let types: [String]
    /// The cells of the longest known name of a camera.
    private var longestCamera = 0
    private var form: LineForm
    /// The pages of the events, by the names of their servers.
    private var links: [String: PageLinks] = [:]

    /// Prepares to print; `count` is the number of events at the end, nil for a stream without one.
    ///
    /// With the names of several servers, that of its server stands before each event. Of an event
    /// whose own type is not one of `types`, if there are any, the line has both: `package +person`.
    init(
        _ count: Int? = nil, of servers: [String]? = nil, ofTypes types: [String] = [],
        in context: Context
    ) throws(Failure) {
        self.context = context
        (self.servers, self.types) = (servers, types)
        form = try LineForm(in: context)
        let server: [Field<ServerEvent>] =
            servers == nil ? [] : [.column("server", "the server that stored it") { $0.server }]
        printer = try LineForm.printer(
            of: server + EventView.fields.reading { $0.event }, count, called: "events",
            in: context)
    }

    /// Prints an event; rows for programs reach a file or pipe with `flush`.
    func write(_ event: Event, of server: String) throws(Failure) {
        let event = ServerEvent(server: server, event: event)
        try context.system.streams.statusLine.hidden { () throws(Failure) in
            guard let printer else { return try context.write(line(for: event) + "\n") }
            try printer.write(event)
            if form.terminal.isOutputTerminal { try printer.endPage() }
        }
    }

    /// Makes room for the names of the cameras that earlier commands have seen at these servers, and
    /// finds the pages of their events.
    func remember(_ servers: [SignedInServer]) throws(Failure) {
        for server in servers {
            links[server.name] = try WebPages.linksOfIDs(to: server, in: context)
        }
        let names = servers.flatMap { context.cache(for: $0)?.cameras ?? [] }.map(\.text)
        longestCamera = names.map(DisplayWidth.of).max() ?? 0
    }

    func flush() throws(Failure) { try printer?.endPage() }

    func finish() throws(Failure) { try printer?.finish() }

    /// The line for people: `20:15:03 ! Front Door  person  A person …  6f9ffdee`; `!` marks an alert,
    /// and with several servers the name of the event's stands before the camera.
    private func line(for row: ServerEvent) -> String {
        let event = row.event
        let (heading, time) = form.start(at: event.timestamp ?? context.now())
        let style = form.terminal.style
        let cameraName = Sanitizer.visible(event.cameraName ?? event.cameraID ?? "-")
        longestCamera = max(longestCamera, DisplayWidth.of(cameraName))
        let columns = EventColumns(
            width: form.width, servers: servers, longestCamera: longestCamera,
            hasSeveralTypes: !types.isEmpty)
        let mark = event.alertTriggered == true ? style.paint("!", .yellow) : " "
        let server = columns.server(row.server)
        let camera = columns.camera(cameraName)
        let typeText = types.isEmpty ? event.type : event.typeText(among: types)
        let type = style.paint(columns.type(typeText), TextColor(eventType: event.type))
        let id = columns.id(event.id)
        let description = columns.description(event.description, after: time.count, beside: id)
        let page = links[row.server]?.known?.url(ofEvent: event.id)
        let end = style.link(style.dim(id), to: page)
        return
            "\(heading)\(time) \(mark) \(server)\(camera)  \(type)  \(description)  \(end)"
    }
}

/// The columns of an event's line, which follow the width of the terminal.
private struct EventColumns {
    /// The width of the terminal; nil if nothing is cut.
    let width: Int?
    /// The names of several servers; nil for one.
    let servers: [String]?
    /// The cells of the longest name of a camera so far.
    let longestCamera: Int
    /// True if an event may be shown with two types.
    let hasSeveralTypes: Bool

    /// The cells of a server's name and of the gap after it; 0 for one server.
    private var serverWidth: Int {
        guard let longest = servers?.map(DisplayWidth.of).max() else { return 0 }
        return 2 + (width.map { min(longest, max(8, $0 / 8)) } ?? longest)
    }

    private var cameraWidth: Int {
        guard let width else { return 16 }
        let least = servers == nil ? 12 : 10
        return min(24, max(least, (width - serverWidth) / 5), max(least, longestCamera))
    }

    /// The longest known type has seven cells.
    private var typeWidth: Int {
        guard let width else { return 8 }
        return width < 80 ? 8 : hasSeveralTypes ? 16 : width < 120 ? 8 : 12
    }

    /// The server's name with the gap after it; nothing if there is one server.
    func server(_ name: String) -> String {
        servers == nil ? "" : fitted(name, to: serverWidth - 2) + "  "
    }

    func camera(_ name: String) -> String { fitted(name, to: cameraWidth) }

    func type(_ type: String) -> String { fitted(type, to: typeWidth) }

    /// The id, or as much of it as commands need.
    func id(_ id: String) -> String {
        Sanitizer.visible(width != nil && id.count > 12 ? String(id.prefix(8)) : id)
    }

    /// The description in the rest of the line, after a time of `time` cells and before the id.
    func description(_ text: String?, after time: Int, beside id: String) -> String {
        guard let width else { return Sanitizer.visible(text ?? "") }
        let used = time + 3 + serverWidth + cameraWidth + 2 + typeWidth + 2
        let least = servers == nil ? 10 : 6
        return fitted(text ?? "", to: max(least, width - used - 2 - DisplayWidth.of(id)))
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
