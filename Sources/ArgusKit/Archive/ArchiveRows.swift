package import ArgusEvents

/// A listing of archived events that match; what its server sent is read, and checked by its hash.
package final class ArchiveRows {
    private static let batchSize = 500
    /// The size of the objects after which a batch ends, in bytes.
    private static let batchBytes = 1 << 20

    private let archive: Archive
    private let query: ArchiveQuery
    private let numbers: SQLiteStatement
    private let literalText: EventSearch?
    private let servers: [Int: String]
    private var remaining: Int?
    private var isAtEnd = false
    private var bytesRead = 0
    /// The numbers of the events of the last batch.
    package private(set) var lastNumbers: [Int] = []

    /// Events whose stored object is not what was archived.
    package private(set) var damagedIDs: [String] = []

    /// - Throws: `ArchiveError`.
    package init(_ query: ArchiveQuery, in archive: Archive) throws(ArchiveError) {
        (self.archive, self.query) = (archive, query)
        // The index of words cannot answer such a search: each description is compared.
        literalText =
            query.filter.searchPhrase == nil ? query.filter.search.map(EventSearch.init) : nil
        remaining = query.wanted
        servers = try archive.serverNames()
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
        lastNumbers = []
        let start = bytesRead
        for _ in 0..<Self.batchSize
        where rows.count != remaining && bytesRead - start < Self.batchBytes {
            guard try numbers.step() else {
                isAtEnd = true
                break
            }
            if let number = numbers.int(0),
                let row = try row(number, of: numbers.int(1).flatMap { servers[$0] })
            {
                rows.append(row)
                lastNumbers.append(number)
            }
        }
        if let remaining { self.remaining = remaining - rows.count }
        return rows
    }

    private func row(
        _ number: Int, of server: String?
    ) throws(ArchiveError) -> EventRow? {
        let stored = try archive.object(number)
        bytesRead += stored?.raw.count ?? 0
        guard let stored, let view = stored.view, let row = EventRow(view) else {
            damagedIDs.append(stored?.id ?? "number \(number)")
            return nil
        }
        var event = row.event
        event.server = server
        let isMatch =
            query.filter.matches(event) && literalText?.matches(event.description ?? "") ?? true
        return isMatch ? row.keeping(event) : nil
    }
}
