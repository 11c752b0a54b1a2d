package import ArgusCore

/// The end of a broken export of events: its last whole row, and the events of that instant.
package struct ExportTail: Sendable, Equatable {
    /// A layout in which rows can be found again.
    package enum Layout: Sendable, Equatable {
        case lines
        case separated(by: UInt8, quoted: Bool)
    }

    /// Bytes of header and whole rows.
    package private(set) var size = 0
    package private(set) var rowCount = 0
    /// The time of the last row that has one.
    package private(set) var time: Timestamp?
    /// The ids at that time.
    package private(set) var ids: Set<String> = []

    private let layout: Layout
    private let columns: [String]
    private var awaitsHeader: Bool
    private var isFirst = true
    private var row: [UInt8] = []
    private var isQuoted = false

    /// Prepares the reading of a file with those columns; with `hasHeader` its first row names them.
    package init(_ layout: Layout, columns: [String], hasHeader: Bool) {
        (self.layout, self.columns) = (layout, columns)
        awaitsHeader = hasHeader && layout != .lines
    }

    /// Takes the next bytes of the file.
    /// - Throws: `ExportTailError` for a row that an export with these columns does not write.
    package mutating func read(_ bytes: [UInt8]) throws(ExportTailError) {
        for byte in bytes {
            row.append(byte)
            if byte == UInt8(ascii: "\""), case .separated(_, quoted: true) = layout {
                isQuoted.toggle()
            }
            guard byte == UInt8(ascii: "\n") else { continue }
            // Before quotes are looked at, which mean something else in a line of JSON.
            if size == 0, layout != .lines, Self.object(row) != nil { throw .holdsLines }
            guard !isQuoted else { continue }
            size += row.count
            row.removeLast()
            try endRow()
            row.removeAll(keepingCapacity: true)
        }
    }

    private mutating func endRow() throws(ExportTailError) {
        let found: (id: String, time: String)
        switch layout {
        case .lines: found = try members(of: row)
        case .separated(let separator, let quoted):
            let cells = Self.cells(of: row, separator, quoted: quoted)
            if awaitsHeader {
                (awaitsHeader, isFirst) = (false, false)
                return try check(header: cells)
            }
            found = try values(of: cells)
        }
        guard !found.id.isEmpty else { throw .noKey }
        let instant = Timestamp(serverText: found.time)
        // An event that no server gave a time has an empty one; all other words are another field.
        guard instant != nil || found.time.isEmpty else { throw .noKey }
        rowCount += 1
        if let instant, instant != time { (time, ids) = (instant, []) }
        ids.insert(found.id)
    }

    private func members(
        of row: [UInt8]
    ) throws(ExportTailError) -> (id: String, time: String) {
        guard let object = Self.object(row) else { throw .holdsNoLines }
        var names: [String] = []
        object.forEachMember { key, _ in names.append(key.text) }
        guard names == columns else { throw .otherFields(names) }
        guard let id = object["id"]?.string, let time = object["timestamp"] else { throw .noKey }
        return (id, time.string ?? "")
    }

    private func check(header cells: [String]) throws(ExportTailError) {
        guard cells != columns else { return }
        try expectSeparators(in: cells)
        throw Self.areNames(cells) ? .otherFields(cells) : .noHeader
    }

    private mutating func values(
        of cells: [String]
    ) throws(ExportTailError) -> (id: String, time: String) {
        guard let id = columns.firstIndex(of: "id"), let time = columns.firstIndex(of: "timestamp")
        else { throw .noKey }
        if isFirst, Self.areNames(cells) { throw .hasHeader }
        isFirst = false
        try expectSeparators(in: cells)
        guard cells.count == columns.count else { throw .otherCount(cells.count) }
        return (cells[id], cells[time])
    }

    private func expectSeparators(in cells: [String]) throws(ExportTailError) {
        if cells.count == 1, columns.count > 1 { throw .otherSeparator }
    }

    /// Returns true for cells that can only be the names of fields: no id and no time is written so.
    private static func areNames(_ cells: [String]) -> Bool {
        cells.allSatisfy { cell in
            !cell.isEmpty && cell.utf8.allSatisfy { $0.isASCIILowercase || $0 == 95 }
        }
    }

    private static func object(_ row: [UInt8]) -> JSONView? {
        row.first == UInt8(ascii: "{") ? try? JSONView.parse(row) : nil
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
            // A spreadsheet's guard before `= + - @` is not part of the value.
            String(
                decoding: cell.first == UInt8(ascii: "'") ? cell[1...] : cell[...], as: UTF8.self)
        }
    }
}

/// The reason why an export cannot be continued.
package enum ExportTailError: Error, Hashable, Sendable {
    /// It holds lines of JSON, and rows are to be added.
    case holdsLines
    /// It holds no lines of JSON, and some are to be added.
    case holdsNoLines
    /// Its rows do not have the separator of the new rows.
    case otherSeparator
    /// Its header, or the members of a line, are these other fields.
    case otherFields([String])
    /// A row has this other number of cells.
    case otherCount(Int)
    /// It begins with the names of fields, and is to have no header.
    case hasHeader
    /// It does not begin with the names of fields, and is to have a header.
    case noHeader
    /// Its rows have no `id` or no `timestamp`.
    case noKey
}
