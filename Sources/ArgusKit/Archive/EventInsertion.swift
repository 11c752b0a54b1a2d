import ArgusCore

/// Adds the events of one server to an archive: their columns, objects, texts and names.
final class EventInsertion {
    /// The events that `insert` adds with one statement, which opens the indexes once for all of them.
    static let batchSize = 10

    private let database: SQLiteDatabase
    private let server: Archive.Server
    private let insertEvent: SQLiteStatement
    private let insertBatch: SQLiteStatement
    private let insertObject: SQLiteStatement
    private let insertText: SQLiteStatement
    /// Names and words that are stored, so that most rows ask for none.
    private var storedKinds: Set<String> = []
    private var storedCameras: Set<String> = []

    init(into database: SQLiteDatabase, of server: Archive.Server) throws(ArchiveError) {
        (self.database, self.server) = (database, server)
        insertEvent = try database.statement(Self.statement(for: 1))
        insertBatch = try database.statement(Self.statement(for: Self.batchSize))
        insertObject = try database.statement("INSERT INTO object (event, raw) VALUES (?, ?)")
        // One row a statement: FTS5 keeps these in memory up to the commit.
        insertText = try database.statement(
            "INSERT INTO event_text (rowid, description) VALUES (?, ?)")
    }

    /// The statement that adds `count` events, except those whose ids are already there: of all columns
    /// only the id may be in conflict.
    private static func statement(for count: Int) -> String {
        let row = "(\(ArchiveColumns.places), ?, ?, ?, ?)"
        return """
            INSERT OR IGNORE INTO event (\(ArchiveColumns.names), server, id, sha256, added_at)
            VALUES \(Array(repeating: row, count: count).joined(separator: ", "))
            """
    }

    /// Inserts the columns of one event or of `batchSize` events, except of those already there.
    /// - Returns: the numbers of the inserted ones, in their order.
    func insert(
        _ contents: [ArchiveContent], at now: Timestamp
    ) throws(ArchiveError) -> Range<Int> {
        let statement = contents.count == 1 ? insertEvent : insertBatch
        var count = 0
        func bind(_ values: [SQLiteValue]) throws(ArchiveError) {
            try statement.bind(values, after: count)
            count += values.count
        }
        for content in contents {
            try bind(content.columns.values)
            try bind([
                SQLiteValue(server.number), .text(content.id), .text(content.sha256),
                SQLiteValue(now),
            ])
        }
        try statement.run()
        // SQLite numbers the rows of a statement one after the other.
        let end = database.lastNumber + 1
        return (end - database.changes)..<end
    }

    /// Adds the object, the text and the names of an event that was inserted.
    func complete(_ content: ArchiveContent, _ number: Int) throws(ArchiveError) {
        let columns = content.columns
        try insertObject.run([SQLiteValue(number)], content.raw)
        try insertText.bind([SQLiteValue(number), SQLiteValue(columns.description)])
        try insertText.run()
        try storeNames(of: columns)
    }

    /// Adds the words and the camera of an event that are not stored yet.
    func storeNames(of columns: ArchiveColumns) throws(ArchiveError) {
        for word in columns.kinds where storedKinds.insert(word).inserted {
            try database.run("INSERT OR IGNORE INTO kind (word) VALUES (?)", .text(word))
        }
        guard let id = columns.cameraID, storedCameras.insert(id).inserted else { return }
        // Events come newest first, and the latest name counts.
        try database.run(
            """
            INSERT INTO camera (server, id, name) VALUES (?, ?, ?)
            ON CONFLICT DO UPDATE SET name = coalesce(excluded.name, name)
            """, SQLiteValue(server.number), .text(id), SQLiteValue(columns.cameraName))
    }
}
