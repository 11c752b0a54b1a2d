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
    private let year: String?
    /// The layout of the columns, once it is known.
    private var layout: TableLayout?
    private var heldRows: [[TableCell]] = []
    private var heldBytes = 0

    init(_ columns: [TableColumn], _ options: OutputOptions) {
        self.columns = columns
        zone = options.zone
        hidesHeader = options.hidesHeader
        style = options.terminal.style
        lineWidth =
            options.terminal.isOutputTerminal && !options.isWide ? options.terminal.width : nil
        year = options.now.map { String($0.displayText(in: options.zone).prefix(5)) }
    }

    mutating func append(_ row: [FieldValue], to output: inout [UInt8]) {
        let cells = zip(row, columns).map { TableCell($0, of: $1, in: zone) }
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
        let headings = columns.map { TableCell(heading: $0.name, short: $0.shortName) }
        let decided = TableLayout(
            columns, headings: hidesHeader ? [] : headings, heldRows, lineWidth: lineWidth,
            year: year)
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
            let text = cell.width > room ? DisplayWidth.truncate(cell.text, to: room) : cell.text
            // A cell that overflows still keeps its distance from the next one.
            let width = index == row.count - 1 ? 0 : max(cell.width, layout.widths[index]) + 2
            let color = style.isOn ? cell.color : nil
            output.append(cell: style.paint(text, color), cells: cell.width, width: width)
            used += width
        }
        while output.last == UInt8(ascii: " ") { output.removeLast() }
        output.append(UInt8(ascii: "\n"))
    }
}

/// Prints each record as lines of a name and a value, with a blank line between records.
///
/// On a terminal long values continue on further lines, below their beginning.
struct BlockRenderer: RecordRenderer {
    private let columns: [TableColumn]
    private let nameWidth: Int
    private let zone: TimeZoneRules
    private let style: Style
    /// The cells for a value in a line; nil if lines are not broken.
    private let room: Int?
    private var isFirst = true

    init(_ columns: [TableColumn], _ options: OutputOptions) {
        self.columns = columns
        nameWidth = (columns.map(\.name.utf8.count).max() ?? 0) + 2
        zone = options.zone
        style = options.terminal.style
        room =
            options.terminal.isOutputTerminal && !options.isWide
            ? options.terminal.width - nameWidth : nil
    }

    mutating func append(_ row: [FieldValue], to output: inout [UInt8]) {
        if !isFirst { output.append(UInt8(ascii: "\n")) }
        isFirst = false
        for (column, value) in zip(columns, row) {
            let name = column.name
            output.append(cell: style.bold(name), cells: name.utf8.count, width: nameWidth)
            let text = value.cellText(in: zone)
            for (number, line) in DisplayWidth.lines(of: text, width: room ?? .max).enumerated() {
                if number > 0 { output.append(cell: "", cells: 0, width: nameWidth) }
                output.append(contentsOf: style.paint(line, column.color?(value)).utf8)
                while output.last == UInt8(ascii: " ") { output.removeLast() }
                output.append(UInt8(ascii: "\n"))
            }
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
