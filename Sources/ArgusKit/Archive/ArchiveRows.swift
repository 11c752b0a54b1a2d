/// A listing of archived events that match; what its server sent is read, and checked by its hash.
package final class ArchiveRows {
    private static let batchSize = 500
    /// The size of the objects after which a batch ends, in bytes.
    private static let batchBytes = 1 << 20

    private let archive: Archive
    private let query: ArchiveQuery
    private let numbers: SQLiteStatement
    private let literalText: EventSearch?
    private var remaining: Int?
    private var isAtEnd = false
    private var bytesRead = 0
    /// The number of the last event that was returned.
    private(set) var lastNumber: Int?

    /// Events whose stored object is not what was archived.
    package private(set) var damagedIDs: [String] = []

    /// - Throws: `ArchiveError`.
    package init(_ query: ArchiveQuery, in archive: Archive) throws(ArchiveError) {
        (self.archive, self.query) = (archive, query)
        literalText = query.literalText
        remaining = query.wanted
        let (text, values) = try query.statement(in: archive.database)
        numbers = try archive.database.makeStatement(text)
        try numbers.bind(values)
    }

    /// Returns the next events that match, in the query's order; nil at the end.
    ///
    /// A batch may be empty.
    /// - Throws: `ArchiveError`.
    package func next() throws(ArchiveError) -> [EventRow]? {
        guard !isAtEnd, remaining != 0 else { return nil }
        var rows: [EventRow] = []
        let start = bytesRead
        for _ in 0..<Self.batchSize
        where rows.count != remaining && bytesRead - start < Self.batchBytes {
            guard try numbers.step() else {
                isAtEnd = true
                break
            }
            if let number = numbers.int(0), let row = try row(number) {
                rows.append(row)
                lastNumber = number
            }
        }
        if let remaining { self.remaining = remaining - rows.count }
        return rows
    }

    private func row(_ number: Int) throws(ArchiveError) -> EventRow? {
        let stored = try archive.object(number)
        bytesRead += stored?.raw.count ?? 0
        guard let stored, let view = stored.view, let row = EventRow(view) else {
            damagedIDs.append(stored?.id ?? "number \(number)")
            return nil
        }
        let event = row.event(in: view)
        guard query.filter.matches(event),
            literalText?.matches(event.description ?? "") ?? true
        else { return nil }
        return row.keeping(event)
    }
}

extension Archive {
    /// A stored object with what is known of it.
    struct StoredObject {
        var id: String
        var sha256: String
        var raw: [UInt8]
        var addedAt: Timestamp?
        var deletedAt: Timestamp?

        /// The object; nil if it is not what was archived.
        var view: JSONView? {
            Checksum.sha256(raw) == sha256 ? try? JSONView.parse(raw) : nil
        }
    }

    /// The object of an event; nil if there is none.
    func object(_ number: Int) throws(ArchiveError) -> StoredObject? {
        let statement = try database.statement(
            """
            SELECT event.id, event.sha256, object.raw, added_at, deleted_at FROM event
            LEFT JOIN object ON object.event = event.number WHERE event.number = ?
            """)
        try statement.bind([.integer(Int64(number))])
        defer { statement.reset() }
        guard try statement.step() else { return nil }
        return StoredObject(
            id: statement.text(0) ?? "", sha256: statement.text(1) ?? "", raw: statement.bytes(2),
            addedAt: statement.time(3), deletedAt: statement.time(4))
    }
}
