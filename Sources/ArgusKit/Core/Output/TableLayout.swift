struct TableColumn: Sendable {
    var name: String
    var shortName: String
    var fit: ColumnFit
    var color: (@Sendable (FieldValue) -> TextColor?)?
}

/// A sanitised text with its width in terminal cells.
struct TableCell: Sendable {
    private(set) var text: String
    private(set) var width: Int
    private(set) var color: TextColor?
    /// A shorter form of a heading.
    private var short: String?
    fileprivate let kind: Kind

    fileprivate enum Kind { case number, text, id, time, heading }

    init(_ value: FieldValue, of column: TableColumn, in zone: TimeZoneRules) {
        text = value.cellText(in: zone)
        width = DisplayWidth.of(text)
        color = column.color?(value)
        switch value {
        case .time: kind = .time
        // An id with escapes is shown whole, since a part of an escape is invalid.
        case .text(let id) where column.fit == .id && id == text: kind = .id
        case .text, .list, .object: kind = .text
        case .null, .bool, .integer, .number: kind = .number
        }
    }

    init(heading name: String, short: String) {
        func heading(_ name: String) -> String {
            String(name.uppercased().map { $0 == "_" ? " " : $0 })
        }
        text = heading(name)
        self.short = heading(short)
        width = DisplayWidth.of(text)
        kind = .heading
    }

    /// The least width without a cut.
    fileprivate var leastWidth: Int { min(short.map(DisplayWidth.of) ?? width, width) }

    fileprivate mutating func cut(to cells: Int) {
        guard width > cells else { return }
        text = DisplayWidth.truncate(short ?? text, to: cells)
        width = DisplayWidth.of(text)
    }

    fileprivate mutating func replaceText(_ part: Substring) {
        text = String(part)
        width = DisplayWidth.of(text)
    }
}

/// The widths of a table's columns, and the forms of its ids and times.
struct TableLayout: Sendable {
    /// The widest column in cells: a long text would pad every other row by as much.
    private static let widestColumn = 200
    /// The width to which texts shrink before times do.
    private static let comfortable = 24

    /// A form of times: `2026-11-20 22:00:05`, `2026-11-20 22:00`, `11-20 22:00`.
    private enum TimeForm { case seconds, minutes, withoutYear }

    /// A step of shrinking the columns.
    private struct Squeeze {
        var form = TimeForm.seconds
        /// The least width of texts; nil for that of the column.
        var floor: Int?
        var headings = Headings.whole
    }

    private enum Headings { case whole, short, cut }

    private static let squeezes = [
        Squeeze(floor: comfortable), Squeeze(form: .minutes, floor: comfortable),
        Squeeze(form: .withoutYear, floor: comfortable),
        Squeeze(form: .withoutYear, floor: comfortable, headings: .short),
        Squeeze(form: .withoutYear, headings: .short),
        Squeeze(form: .withoutYear, floor: 4, headings: .short),
        Squeeze(form: .withoutYear, floor: 4, headings: .cut),
    ]

    private(set) var widths: [Int]
    private let lineWidth: Int?
    /// The year that times may leave out, such as `2026`; nil for any.
    private let year: String?
    /// The columns whose texts and headings are cut in every row.
    private var isShrunk: [Bool] = []
    private var idLengths: [Int] = []
    private var form = TimeForm.seconds

    /// Computes the layout from the first rows; nothing shrinks without a `lineWidth`.
    init(
        _ columns: [TableColumn], headings: [TableCell], _ rows: [[TableCell]], lineWidth: Int?,
        year: String?
    ) {
        self.lineWidth = lineWidth
        self.year = year
        widths = columns.map { _ in 0 }
        guard let lineWidth else {
            widths = Self.widths(of: [headings] + rows, count: columns.count)
            return
        }
        idLengths = columns.indices.map { index in Self.idLength(of: rows.map { $0[index] }) }
        for squeeze in Self.squeezes {
            form = squeeze.form
            let rows = rows.map(shortened)
            let natural = Self.widths(of: [headings] + rows, count: columns.count)
            let cells = Self.widths(of: rows, count: columns.count)
            let leastHeadings = headings.map { heading in
                switch squeeze.headings {
                case .whole: heading.width
                case .short: heading.leastWidth
                case .cut: 0
                }
            }
            let minima = columns.indices.map { index in
                let heading = leastHeadings.isEmpty ? 0 : leastHeadings[index]
                let whole = max(cells[index], heading)
                guard case .text(_, let minimum) = columns[index].fit,
                    rows.contains(where: { $0[index].kind == .text })
                else { return whole }
                let least = squeeze.floor.map { $0 == Self.comfortable ? max($0, minimum) : $0 }
                return min(whole, max(least ?? minimum, heading))
            }
            // Headings become shorter before texts do.
            widths =
                squeeze.headings == .whole || headings.isEmpty
                ? natural : zip(cells, headings).map { max($0, $1.leastWidth) }
            let fits = shrink(columns, to: minima, lineWidth)
            isShrunk = zip(widths, natural).map { $0 < $1 }
            if fits { return }
        }
    }

    /// Shrinks the columns, the lowest rank first, until the line fits; false if it cannot.
    private mutating func shrink(_ columns: [TableColumn], to minima: [Int], _ lineWidth: Int)
        -> Bool
    {
        var excess = widths.reduce(0, +) + 2 * (widths.count - 1) - lineWidth
        for rank in 0...ColumnFit.lastRank + 1 {
            let ranked = columns.indices.filter { columns[$0].fit.rank == rank }
            while excess > 0 {
                let shrinkable = ranked.filter { widths[$0] > minima[$0] }
                guard let widest = shrinkable.max(by: { widths[$0] < widths[$1] }) else { break }
                widths[widest] -= 1
                excess -= 1
            }
        }
        return excess <= 0
    }

    /// The row with formatted ids and times, and texts truncated if the line would be too long.
    func fitted(_ row: [TableCell]) -> [TableCell] {
        guard let lineWidth else { return row }
        var row = shortened(row)
        let width = row.indices.dropLast().reduce(row.last?.width ?? 0) {
            $0 + max(row[$1].width, widths[$1]) + 2
        }
        for index in row.indices where [.text, .heading].contains(row[index].kind) {
            if width > lineWidth || isShrunk[index] { row[index].cut(to: widths[index]) }
        }
        return row
    }

    private func shortened(_ row: [TableCell]) -> [TableCell] {
        var row = row
        for index in row.indices {
            switch row[index].kind {
            case .id: row[index].replaceText(row[index].text.prefix(idLengths[index]))
            case .time: row[index].replaceText(part(ofTime: row[index].text))
            case .number, .text, .heading: break
            }
        }
        return row
    }

    /// The time in the form of the table; a time of another year has its date instead of its time of
    /// day where the form leaves out the year, as `ls -l` does.
    private func part(ofTime text: String) -> Substring {
        switch form {
        case .seconds: text[...]
        case .minutes: text.prefix(16)
        case .withoutYear:
            year.map(text.hasPrefix) ?? true ? text.prefix(16).dropFirst(5) : text.prefix(10)
        }
    }

    /// The fewest characters, 8 or more, by which all ids of a column differ.
    private static func idLength(of cells: [TableCell]) -> Int {
        let ids = Set(cells.filter { $0.kind == .id }.map { $0.text.lowercased() })
        let longest = ids.map(\.count).max() ?? 0
        return (8..<max(longest, 9)).first { length in
            Set(ids.map { $0.prefix(length) }).count == ids.count
        } ?? longest
    }

    private static func widths(of rows: [[TableCell]], count: Int) -> [Int] {
        var widths = Array(repeating: 0, count: count)
        for row in rows {
            for (index, cell) in row.enumerated() {
                widths[index] = max(
                    widths[index],
                    cell.kind == .heading ? cell.width : min(cell.width, widestColumn))
            }
        }
        return widths
    }
}

extension ColumnFit {
    /// The place in the order in which columns shrink; headings of ids come last.
    fileprivate var rank: Int {
        switch self {
        case .text(let rank, _): rank
        case .id: Self.lastRank + 1
        }
    }
}
