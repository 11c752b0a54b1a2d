/// Prints rows in columns two blanks apart, as wide as the first page needs, which is held back.
struct TableRenderer: RecordRenderer {
    /// A text and its width in terminal cells.
    private struct Cell {
        var text: String
        var width: Int

        init(_ text: String) {
            self.text = text
            width = DisplayWidth.of(text)
        }
    }

    /// The most rows of the first page that determine the widths.
    private static let longestFirstPage = 1000
    /// The most bytes of rows held back.
    private static let mostHeldBytes = 1 << 20

    /// The widest column in cells: a long text would pad every other row by as much.
    private static let widestColumn = 200

    private let headings: [Cell]
    private let zone: TimeZoneRules
    private let hidesHeader: Bool
    private let style: Style
    /// The width of the terminal; nil if nothing is truncated.
    private let lineWidth: Int?
    /// The widths of the columns, once they are known.
    private var widths: [Int]?
    private var heldRows: [[Cell]] = []
    private var heldBytes = 0

    init(names: [String], options: OutputOptions) {
        headings = names.map { Cell(String($0.uppercased().map { $0 == "_" ? " " : $0 })) }
        zone = options.zone
        hidesHeader = options.hidesHeader
        style = options.terminal.style
        lineWidth = options.terminal.isOutputTerminal ? options.terminal.width : nil
    }

    mutating func append(_ row: [FieldValue], to output: inout [UInt8]) {
        let cells = row.map { Cell($0.cellText(in: zone)) }
        if let widths {
            append(cells, widths: widths, to: &output)
        } else {
            heldRows.append(cells)
            heldBytes += cells.reduce(0) { $0 + $1.text.utf8.count }
            if heldRows.count >= Self.longestFirstPage || heldBytes >= Self.mostHeldBytes {
                endPage(to: &output)
            }
        }
    }

    mutating func endPage(to output: inout [UInt8]) {
        guard widths == nil, !heldRows.isEmpty else { return }
        var decided = headings.map { hidesHeader ? 0 : $0.width }
        for row in heldRows {
            for (index, cell) in row.enumerated() {
                decided[index] = max(decided[index], min(cell.width, Self.widestColumn))
            }
        }
        if !hidesHeader {
            var line: [UInt8] = []
            append(headings, widths: decided, to: &line)
            let text = String(decoding: line.dropLast(), as: UTF8.self)
            output.append(contentsOf: style.bold(text).utf8)
            output.append(UInt8(ascii: "\n"))
        }
        for row in heldRows { append(row, widths: decided, to: &output) }
        heldRows = []
        widths = decided
    }

    private func append(_ row: [Cell], widths: [Int], to output: inout [UInt8]) {
        var used = 0
        for (index, cell) in row.enumerated() {
            if index < row.count - 1 {
                // A cell that overflows still keeps its distance from the next one.
                let width = max(cell.width, widths[index]) + 2
                output.append(cell: cell.text, cells: cell.width, width: width)
                used += width
            } else {
                output.append(contentsOf: cut(cell, column: index, used: used).utf8)
            }
        }
        while output.last == UInt8(ascii: " ") { output.removeLast() }
        output.append(UInt8(ascii: "\n"))
    }

    /// Truncates the last cell to the rest of the line, but not below the width of its heading.
    private func cut(_ cell: Cell, column: Int, used: Int) -> String {
        guard let lineWidth, used + cell.width > lineWidth else { return cell.text }
        return DisplayWidth.truncate(
            cell.text, to: max(lineWidth - used, headings[column].width))
    }
}

/// Prints each record as lines of a name and a value, with a blank line between records.
struct BlockRenderer: RecordRenderer {
    private let names: [String]
    private let nameWidth: Int
    private let zone: TimeZoneRules
    private let style: Style
    private var isFirst = true

    init(names: [String], options: OutputOptions) {
        self.names = names
        nameWidth = (names.map(\.utf8.count).max() ?? 0) + 2
        zone = options.zone
        style = options.terminal.style
    }

    mutating func append(_ row: [FieldValue], to output: inout [UInt8]) {
        if !isFirst { output.append(UInt8(ascii: "\n")) }
        isFirst = false
        for (name, value) in zip(names, row) {
            output.append(cell: style.bold(name), cells: name.utf8.count, width: nameWidth)
            output.append(contentsOf: value.cellText(in: zone).utf8)
            while output.last == UInt8(ascii: " ") { output.removeLast() }
            output.append(UInt8(ascii: "\n"))
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
            return members.isEmpty
                ? "-"
                : members.map {
                    "\(Sanitizer.visible($0.name)): \($0.value.cellText(in: zone))"
                }.joined(separator: ", ")
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
