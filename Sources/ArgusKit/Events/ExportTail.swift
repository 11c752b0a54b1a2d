/// Where a broken export of events has stopped: its last whole row, and the events of that instant.
package struct ExportTail: Sendable, Equatable {
    /// The layouts in which rows can be found again.
    package enum Layout: Sendable, Equatable {
        case lines
        case separated(by: UInt8, quoted: Bool)
    }

    /// Bytes of header and whole rows.
    package private(set) var size = 0
    /// The names in the header; nil for lines of JSON, and for a file that ends before.
    package private(set) var header: [String]?
    package private(set) var rowCount = 0
    /// The time of the last row that has one.
    package private(set) var time: Timestamp?
    /// The ids at that time.
    package private(set) var ids: Set<String> = []

    private let layout: Layout
    private let columns: [String]
    private let hasHeader: Bool
    private var row: [UInt8] = []
    private var isQuoted = false

    /// Prepares the reading of a file with those columns; `hasHeader` says whether its first row
    /// names them.
    package init(_ layout: Layout, columns: [String], hasHeader: Bool) {
        self.layout = layout
        self.columns = columns
        self.hasHeader = hasHeader
    }

    /// Takes the next bytes of the file.
    ///
    /// - Throws: `ExportTailError` for a row without id or time.
    package mutating func read(_ bytes: [UInt8]) throws(ExportTailError) {
        for byte in bytes {
            row.append(byte)
            if byte == UInt8(ascii: "\""), case .separated(_, quoted: true) = layout {
                isQuoted.toggle()
            }
            guard byte == UInt8(ascii: "\n"), !isQuoted else { continue }
            size += row.count
            row.removeLast()
            try endRow()
            row.removeAll(keepingCapacity: true)
        }
    }

    private mutating func endRow() throws(ExportTailError) {
        let found: (id: String?, time: String?)
        switch layout {
        case .lines:
            let view = try? JSONView.parse(row)
            found = (view?["id"]?.string, view?["timestamp"]?.string)
        case .separated(let separator, let quoted):
            let cells = Self.cells(of: row, separator, quoted: quoted)
            if hasHeader, header == nil {
                header = cells
                return
            }
            func cell(_ name: String) -> String? {
                columns.firstIndex(of: name).flatMap {
                    cells.indices.contains($0) ? cells[$0] : nil
                }
            }
            found = (cell("id"), cell("timestamp"))
        }
        guard let id = found.id, let time = found.time else { throw ExportTailError.noKey }
        rowCount += 1
        guard let instant = Timestamp(serverText: time) else {
            ids.insert(id)
            return
        }
        if instant != self.time { ids = [] }
        self.time = instant
        ids.insert(id)
    }

    private static func cells(of row: [UInt8], _ separator: UInt8, quoted: Bool) -> [String] {
        var cells: [[UInt8]] = [[]]
        var isInside = false
        for byte in row {
            if quoted, byte == UInt8(ascii: "\"") {
                isInside.toggle()
            } else if byte == separator, !isInside {
                cells.append([])
            } else {
                cells[cells.count - 1].append(byte)
            }
        }
        return cells.map { cell in
            // A spreadsheet's guard before `= + - @` is no part of the value.
            String(
                decoding: cell.first == UInt8(ascii: "'") ? cell[1...] : cell[...], as: UTF8.self)
        }
    }
}

/// Why an export cannot be continued.
package enum ExportTailError: Error, Sendable {
    /// Its rows have no `id` or no `timestamp`.
    case noKey
}
