/// A column of a table.
struct TableColumn: Sendable {
    var name: String
    var display: FieldDisplay
}

/// A sanitised text with its width in terminal cells.
struct TableCell: Sendable {
    private(set) var text: String
    private(set) var width: Int
    private(set) var color: TextColor?
    /// Where the server shows the thing of an id.
    var page: String?
    fileprivate let kind: Kind

    fileprivate enum Kind { case number, text, id, heading, time(Timestamp) }

    init(_ value: FieldValue, of column: TableColumn, in zone: TimeZoneRules) {
        let display = column.display
        if let mark = display.mark {
            text = value == .bool(true) ? mark : ""
        } else {
            text = value.cellText(in: zone)
        }
        width = DisplayWidth.of(text)
        color = display.color?(value) ?? (display.fit == .id ? .dim : nil)
        switch value {
        case .time(let time): kind = .time(time)
        // An id with escapes is shown whole, since a part of an escape is invalid.
        case .text(let id) where display.fit == .id && id == text: kind = .id
        case .text, .list, .object: kind = .text
        case .null, .bool, .integer, .number: kind = .number
        }
    }

    init(heading name: String) {
        text = String(name.uppercased().map { $0 == "_" ? " " : $0 })
        width = DisplayWidth.of(text)
        kind = .heading
    }

    var isID: Bool { if case .id = kind { true } else { false } }

    fileprivate var isHeading: Bool { if case .heading = kind { true } else { false } }

    /// True if the cell may end early.
    fileprivate var isText: Bool {
        switch kind {
        case .text, .heading: true
        case .number, .id, .time: false
        }
    }

    fileprivate mutating func cut(to cells: Int) {
        guard width > cells else { return }
        text = DisplayWidth.truncate(text, to: cells)
        width = DisplayWidth.of(text)
    }

    fileprivate mutating func replaceText(_ part: some StringProtocol) {
        text = String(part)
        width = DisplayWidth.of(text)
    }

    mutating func dim() { color = .dim }
}

/// The widths of a table's columns, and the forms of its ids and times.
struct TableLayout: Sendable {
    /// The widest column in cells: a long text would pad every other row by as much.
    private static let widestColumn = 200

    /// A step of shrinking the columns.
    private struct Squeeze {
        /// The least width of texts.
        var floor: Int
        /// True if texts keep the minimum of their column.
        var keepsMinima = true
        var cutsHeadings = false
    }

    private static let squeezes = [
        Squeeze(floor: 24), Squeeze(floor: 16), Squeeze(floor: 0),
        Squeeze(floor: 4, keepsMinima: false),
        Squeeze(floor: 4, keepsMinima: false, cutsHeadings: true),
    ]

    private(set) var widths: [Int]
    /// True if long texts of the last column take several lines.
    let continuesLast: Bool
    private let lineWidth: Int?
    /// The form of times; nil for whole ones.
    private let near: NearTimeFormat?
    /// The columns whose texts and headings are cut in every row.
    private var isShrunk: [Bool] = []
    private var idLengths: [Int] = []
    /// The columns whose times have seconds, since several rows share a minute.
    private var hasSeconds: [Bool] = []

    /// Computes the layout from the first rows; nothing shrinks without a `lineWidth`.
    init(
        _ columns: [TableColumn], headings: [TableCell], _ rows: [[TableCell]], lineWidth: Int?,
        near: NearTimeFormat?
    ) {
        self.lineWidth = lineWidth
        self.near = near
        continuesLast = lineWidth != nil && columns.last?.display.continues == true
        widths = columns.map { _ in 0 }
        guard let lineWidth else {
            widths = Self.widths(of: [headings] + rows, count: columns.count)
            return
        }
        idLengths = columns.indices.map { index in Self.idLength(of: rows.map { $0[index] }) }
        hasSeconds = columns.indices.map { index in hasSharedMinute(rows.map { $0[index] }) }
        let rows = rows.map(shortened)
        let natural = Self.widths(of: [headings] + rows, count: columns.count)
        let cells = Self.widths(of: rows, count: columns.count)
        for squeeze in Self.squeezes {
            let minima = columns.indices.map { index in
                let heading = headings.isEmpty || squeeze.cutsHeadings ? 0 : headings[index].width
                let whole = max(cells[index], heading)
                guard case .text(_, let minimum) = columns[index].display.fit,
                    rows.contains(where: { $0[index].isText })
                else { return whole }
                let least = squeeze.keepsMinima ? max(squeeze.floor, minimum) : squeeze.floor
                return min(whole, max(least, heading))
            }
            widths = natural
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
            let ranked = columns.indices.filter { columns[$0].display.fit.rank == rank }
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
        for index in row.indices where row[index].isText {
            if continuesLast, index == row.count - 1, !row[index].isHeading { continue }
            if width > lineWidth || isShrunk[index] { row[index].cut(to: widths[index]) }
        }
        return row
    }

    private func shortened(_ row: [TableCell]) -> [TableCell] {
        var row = row
        for index in row.indices {
            switch row[index].kind {
            case .id: row[index].replaceText(row[index].text.prefix(idLengths[index]))
            case .time(let time):
                guard let near else { continue }
                row[index].replaceText(near.text(time, withSeconds: hasSeconds[index]))
            case .number, .text, .heading: break
            }
        }
        return row
    }

    /// True if some times of a column differ in their seconds only.
    private func hasSharedMinute(_ cells: [TableCell]) -> Bool {
        guard let near else { return false }
        var seconds: [String: Int64] = [:]
        for case .time(let time) in cells.map(\.kind) where near.hasClock(time) {
            let other = seconds.updateValue(time.seconds, forKey: near.text(time))
            if let other, other != time.seconds { return true }
        }
        return false
    }

    /// The fewest characters, 8 or more, by which all ids of a column differ.
    private static func idLength(of cells: [TableCell]) -> Int {
        let ids = Set(cells.filter(\.isID).map { $0.text.lowercased() })
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
                    widths[index], cell.isHeading ? cell.width : min(cell.width, widestColumn))
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
