/// Prints rows in columns two blanks apart; buffers the first page to find their widths.
///
/// On a terminal the columns are fitted to its width, and each row is one line.
struct TableRenderer: RecordRenderer {
    /// The maximum number of first rows that determine the widths.
    private static let longestFirstPage = 1000
    /// The most bytes of rows held back.
    private static let mostHeldBytes = 1 << 20

    private let columns: [TableColumn]
    private let zone: TimeZoneRules
    private let hidesHeader: Bool
    private let style: Style
    /// The width of the terminal; nil if nothing is shortened.
    private let lineWidth: Int?
    /// True if headings are those for terminals.
    private let isOnTerminal: Bool
    private let near: NearTimeFormat?
    /// The layout of the columns, once it is known.
    private var layout: TableLayout?
    private var heldRows: [[TableCell]] = []
    private var heldBytes = 0

    init(_ columns: [TableColumn], _ options: OutputOptions) {
        self.columns = columns
        zone = options.zone
        hidesHeader = options.hidesHeader
        style = options.terminal.style
        isOnTerminal = options.terminal.isOutputTerminal
        lineWidth = isOnTerminal && !options.isWide ? options.terminal.width : nil
        near = options.now.map { NearTimeFormat(now: $0, zone: options.zone) }
    }

    mutating func append(_ row: [FieldValue], to output: inout [UInt8]) {
        append(row, page: nil, to: &output)
    }

    mutating func append(_ row: [FieldValue], page: String?, to output: inout [UInt8]) {
        var cells = zip(row, columns).map { TableCell($0, of: $1, in: zone) }
        // The first id is that of the row's thing.
        if let page, let id = cells.firstIndex(where: \.isID) { cells[id].page = page }
        if zip(row, columns).contains(where: { $0 == $1.display.dimmingValue }) {
            for index in cells.indices { cells[index].dim() }
        }
        if let layout {
            append(cells, layout, to: &output)
        } else {
            heldRows.append(cells)
            heldBytes += cells.reduce(0) { $0 + $1.text.utf8.count }
            if heldRows.count >= Self.longestFirstPage || heldBytes >= Self.mostHeldBytes {
                endPage(to: &output)
            }
        }
    }

    mutating func endPage(to output: inout [UInt8]) {
        guard layout == nil, !heldRows.isEmpty else { return }
        let headings = columns.map { column in
            let display = column.display
            return TableCell(
                heading: display.mark != nil ? "" : isOnTerminal ? display.heading : column.name)
        }
        let decided = TableLayout(
            columns, headings: hidesHeader ? [] : headings, heldRows, lineWidth: lineWidth,
            near: near)
        if !hidesHeader {
            var line: [UInt8] = []
            append(headings, decided, to: &line)
            let text = String(decoding: line.dropLast(), as: UTF8.self)
            output.append(contentsOf: style.bold(text).utf8)
            output.append(UInt8(ascii: "\n"))
        }
        for row in heldRows { append(row, decided, to: &output) }
        heldRows = []
        layout = decided
    }

    private func append(_ row: [TableCell], _ layout: TableLayout, to output: inout [UInt8]) {
        let row = layout.fitted(row)
        var used = 0
        for (index, cell) in row.enumerated() {
            let room = lineWidth.map { $0 - used } ?? .max
            // Columns beyond the edge of the terminal are left out.
            guard room > 0 else { break }
            let isLast = index == row.count - 1
            let color = style.isOn ? cell.color : nil
            let text: String
            if isLast, layout.continuesLast {
                text = DisplayWidth.lines(of: cell.text, width: room)
                    .map { style.paint(DisplayWidth.truncate($0, to: room), color) }
                    .joined(separator: "\n" + String(repeating: " ", count: used))
            } else {
                let shown =
                    cell.width > room ? DisplayWidth.truncate(cell.text, to: room) : cell.text
                text = style.link(style.paint(shown, color), to: isOnTerminal ? cell.page : nil)
            }
            // A cell that overflows still keeps its distance from the next one.
            let width = isLast ? 0 : max(cell.width, layout.widths[index]) + 2
            output.append(cell: text, cells: cell.width, width: width)
            used += width
        }
        while output.last == UInt8(ascii: " ") { output.removeLast() }
        output.append(UInt8(ascii: "\n"))
    }
}

/// Prints each record as lines of a name and a value, with a blank line between records.
///
/// On a terminal, without chosen fields, the record has a headline, then labels and the values that it
/// has; long values continue on further lines, below their beginning.
struct BlockRenderer: RecordRenderer {
    private let columns: [TableColumn]
    private let zone: TimeZoneRules
    private let style: Style
    /// True if the names of fields are labels, and fields without a value are left out.
    private let isForPeople: Bool
    private let isWide: Bool
    /// The cells of a line; nil if lines are not broken.
    private let lineWidth: Int?
    private var isFirst = true

    /// A label and a value.
    private struct Line {
        var label: String
        var text: String
        var color: TextColor?
    }

    init(_ columns: [TableColumn], _ options: OutputOptions) {
        self.columns = columns
        zone = options.zone
        style = options.terminal.style
        isForPeople = options.terminal.isOutputTerminal && options.fields == nil
        isWide = options.isWide
        lineWidth =
            options.terminal.isOutputTerminal && !options.isWide ? options.terminal.width : nil
    }

    mutating func append(_ row: [FieldValue], to output: inout [UInt8]) {
        append(row, page: nil, to: &output)
    }

    mutating func append(_ row: [FieldValue], page: String?, to output: inout [UInt8]) {
        if !isFirst { output.append(UInt8(ascii: "\n")) }
        isFirst = false
        var headline: String?
        var lines: [Line] = []
        for (column, value) in zip(columns, row) {
            let text = value.cellText(in: zone)
            let display = column.display
            guard isForPeople else {
                lines.append(Line(label: column.name, text: text, color: display.color?(value)))
                continue
            }
            if value.isEmpty || display.isOnlyWide && !isWide { continue }
            if display.isHeadline {
                headline = text
            } else if display.isOnePerLine, case .list(let values) = value {
                for (number, value) in values.enumerated() {
                    let label = number == 0 ? display.label : ""
                    lines.append(Line(label: label, text: value.cellText(in: zone)))
                }
            } else {
                lines.append(Line(label: display.label, text: text, color: display.color?(value)))
            }
        }
        if let headline {
            for line in DisplayWidth.lines(of: headline, width: lineWidth ?? .max) {
                output.append(contentsOf: (style.bold(line) + "\n").utf8)
            }
            if !lines.isEmpty { output.append(UInt8(ascii: "\n")) }
        }
        let link = isForPeople ? page.map(Sanitizer.visible) : nil
        let labels = lines.map(\.label) + (link == nil ? [] : ["page"])
        let width = (labels.map(DisplayWidth.of).max() ?? 0) + 2
        for line in lines { append(line, labelWidth: width, to: &output) }
        if let link {
            append(label: "page", width: width, to: &output)
            output.append(contentsOf: (style.link(link, to: link) + "\n").utf8)
        }
    }

    private func append(_ line: Line, labelWidth: Int, to output: inout [UInt8]) {
        let room = lineWidth.map { $0 - labelWidth } ?? .max
        for (number, text) in DisplayWidth.lines(of: line.text, width: room).enumerated() {
            append(label: number == 0 ? line.label : "", width: labelWidth, to: &output)
            output.append(contentsOf: style.paint(text, line.color).utf8)
            while output.last == UInt8(ascii: " ") { output.removeLast() }
            output.append(UInt8(ascii: "\n"))
        }
    }

    private func append(label: String, width: Int, to output: inout [UInt8]) {
        let text = isForPeople ? style.dim(label) : style.bold(label)
        output.append(cell: label.isEmpty ? "" : text, cells: DisplayWidth.of(label), width: width)
    }
}

extension FieldValue {
    /// True if there is nothing to show to a person.
    fileprivate var isEmpty: Bool {
        switch self {
        case .null: true
        case .bool, .integer, .number, .time: false
        case .text(let text): text.isEmpty
        case .list(let values): values.isEmpty
        case .object(let members): members.allSatisfy(\.value.isEmpty)
        }
    }
}

extension FieldValue {
    /// The value for a table cell: one line, sanitised; `-` for null.
    func cellText(in zone: TimeZoneRules) -> String {
        switch self {
        case .null: return "-"
        case .bool(let flag): return flag ? "yes" : "no"
        case .integer(let number): return String(number)
        case .number(let number): return number.isFinite ? number.description : "-"
        case .text(let text): return Sanitizer.visible(text)
        case .time(let time): return time.displayText(in: zone)
        case .list(let values):
            return values.isEmpty
                ? "-" : values.map { $0.cellText(in: zone) }.joined(separator: ", ")
        case .object(let members):
            let known = members.filter { $0.value != .null }.map {
                "\(Sanitizer.visible($0.name)): \($0.value.cellText(in: zone))"
            }
            return known.isEmpty ? "-" : known.joined(separator: ", ")
        }
    }
}

extension Array<UInt8> {
    /// Appends text that takes `used` cells of the terminal, padded to `width`.
    mutating func append(cell text: String, cells used: Int, width: Int) {
        append(contentsOf: text.utf8)
        append(contentsOf: repeatElement(UInt8(ascii: " "), count: Swift.max(width - used, 0)))
    }
}
