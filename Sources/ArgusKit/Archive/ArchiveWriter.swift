/// Writes the events of one server to an archive, many pages in one transaction.
final class ArchiveWriter {
    private static let columns = """
        camera_id, camera_name, timestamp, type, kinds, objects, confidence, description, \
        is_doorbell_ring, alert_triggered, carrier, source, has_thumbnail
        """
    private static let columnCount = 13

    /// The events after which a transaction ends, each of which waits for the disk.
    private static let transactionSize = 5000

    private let database: SQLiteDatabase
    private let server: Archive.Server
    /// The events that the walk so far has met, by the bits of their numbers.
    private var met = NumberSet()
    /// Names and words that are stored, so that most rows ask for none.
    private var storedNames: Set<String> = []

    /// The events of the transaction.
    private var pending = 0
    /// The greatest number of an event whose description is indexed.
    private var indexed = 0

    private(set) var report = ArchiveReport()

    init(_ archive: Archive, of server: Archive.Server) {
        (database, self.server) = (archive.database, server)
    }

    /// Stores the events of a page, which `commit` makes durable.
    /// - Throws: `ArchiveError`; what was not committed is undone, and the writer is of no more use.
    func store(_ rows: [EventRow], at now: Timestamp) throws(ArchiveError) {
        do throws(ArchiveError) {
            if !database.isInTransaction {
                try database.run("BEGIN IMMEDIATE")
                indexed = try database.number("SELECT max(number) FROM event") ?? 0
                pending = 0
            }
            for row in rows { try store(row, at: now) }
            pending += rows.count
            if pending >= Self.transactionSize { try commit() }
        } catch {
            database.rollBack()
            throw error
        }
    }

    /// Ends the transaction, if there is one.
    /// - Throws: `ArchiveError`.
    func commit() throws(ArchiveError) {
        guard database.isInTransaction else { return }
        do throws(ArchiveError) {
            try index()
            try database.run("COMMIT")
        } catch {
            database.rollBack()
            throw error
        }
    }

    /// Indexes the descriptions of the new events.
    private func index() throws(ArchiveError) {
        try database.run(
            """
            INSERT INTO event_text (rowid, description)
            SELECT number, description FROM event WHERE number > ?
            """, SQLiteValue(indexed))
        indexed = try database.number("SELECT max(number) FROM event") ?? 0
    }

    private func store(_ row: EventRow, at now: Timestamp) throws(ArchiveError) {
        let content = try Content(of: row)
        let sha256 = Checksum.sha256(content.raw)
        guard let known = try known(row.id) else {
            // What the owner had forgotten does not come back.
            guard try !isForgotten(row.id) else { return }
            return try add(row, content, sha256, at: now)
        }
        met.insert(known.number)
        if known.isDeleted {
            try database.run(
                "UPDATE event SET deleted_at = NULL WHERE number = ?", SQLiteValue(known.number))
            report.returned += 1
        }
        guard known.sha256 != sha256 else { return }
        try change(known.number, content.event(of: row), content.raw, sha256, at: now)
    }

    /// The server's own object, which no secret of this run is in.
    private struct Content {
        let raw: [UInt8]
        private let view: JSONView
        private let isMasked: Bool

        init(of row: EventRow) throws(ArchiveError) {
            let view = try rethrowing(try row.view, as: ArchiveError.file)
            var compact: [UInt8] = []
            view.appendCompact(to: &compact)
            raw = HeldSecrets.mask.masking(compact)
            isMasked = raw != compact
            self.view = isMasked ? (try? JSONView.parse(raw)) ?? view : view
        }

        /// The event, which most rows of a full sync are not read for.
        func event(of row: EventRow) -> Event {
            isMasked ? Event(view) ?? Event(id: row.id) : row.event(in: view)
        }
    }

    private func known(
        _ id: String
    ) throws(ArchiveError) -> (number: Int, sha256: String, isDeleted: Bool)? {
        let statement = try database.statement(
            "SELECT number, sha256, deleted_at FROM event WHERE server = ? AND id = ?")
        try statement.bind([SQLiteValue(server.number), .text(id)])
        defer { statement.reset() }
        guard try statement.step(), let number = statement.int(0) else { return nil }
        return (number, statement.text(1) ?? "", !statement.isNull(2))
    }

    private func isForgotten(_ id: String) throws(ArchiveError) -> Bool {
        try database.number(
            "SELECT 1 FROM forgotten WHERE server = ? AND id = ?", SQLiteValue(server.number),
            .text(id)) != nil
    }

    private static let insertion = """
        INSERT INTO event (\(columns), server, id, sha256, added_at) VALUES (\(places), ?, ?, ?, ?)
        """
    private static let update = """
        UPDATE event SET (\(columns)) = (\(places)), sha256 = ?, changed_at = ? WHERE number = ?
        """
    private static let places = Array(repeating: "?", count: columnCount).joined(separator: ", ")

    private func add(
        _ row: EventRow, _ content: Content, _ sha256: String, at now: Timestamp
    ) throws(ArchiveError) {
        let event = content.event(of: row)
        let statement = try database.statement(Self.insertion)
        try statement.bind(
            Self.values(of: event) + [
                SQLiteValue(server.number), .text(row.id), .text(sha256), SQLiteValue(now),
            ])
        _ = try statement.step()
        statement.reset()
        let number = database.lastNumber
        try database.run(
            "INSERT INTO object (event, raw) VALUES (?, ?)", SQLiteValue(number),
            .utf8(content.raw))
        try want(event, number)
        try storeNames(of: event)
        met.insert(number)
        report.added += 1
    }

    private func change(
        _ number: Int, _ event: Event, _ raw: [UInt8], _ sha256: String, at now: Timestamp
    ) throws(ArchiveError) {
        // The trigger replaces what is indexed.
        if number > indexed { try index() }
        let statement = try database.statement(Self.update)
        try statement.bind(
            Self.values(of: event) + [.text(sha256), SQLiteValue(now), SQLiteValue(number)])
        _ = try statement.step()
        statement.reset()
        try database.run(
            "INSERT OR REPLACE INTO object (event, raw) VALUES (?, ?)", SQLiteValue(number),
            .utf8(raw))
        try want(event, number)
        try storeNames(of: event)
        report.changed += 1
    }

    /// Notes that the picture of an event is to be fetched.
    private func want(_ event: Event, _ number: Int) throws(ArchiveError) {
        guard event.hasThumbnail != false else { return }
        try database.run(
            """
            INSERT OR IGNORE INTO media (event, kind, item, state, tries)
            VALUES (?, 'thumbnail', 0, 'wanted', 0)
            """, SQLiteValue(number))
    }

    private func storeNames(of event: Event) throws(ArchiveError) {
        for word in Self.kinds(of: event) where storedNames.insert("|" + word).inserted {
            try database.run("INSERT OR IGNORE INTO kind (word) VALUES (?)", .text(word))
        }
        guard let id = event.cameraID, storedNames.insert(id).inserted else { return }
        // Events come newest first, and the latest name counts.
        try database.run(
            """
            INSERT INTO camera (server, id, name) VALUES (?, ?, ?)
            ON CONFLICT DO UPDATE SET name = coalesce(excluded.name, name)
            """, SQLiteValue(server.number), .text(id), SQLiteValue(event.cameraName))
    }

    /// Marks the events that the walk did not meet as deleted on the server; `since` is the start of
    /// the walk, nil if it had none.
    /// - Throws: `ArchiveError`.
    func markDeleted(since: Timestamp?, at now: Timestamp) throws(ArchiveError) {
        try database.transaction { () throws(ArchiveError) in
            var missing: [Int] = []
            // The sign keeps SQLite from an index by which every event of the server is read.
            let choice = since == nil ? "server = ?1" : "+server = ?1 AND timestamp > ?2"
            try database.forEach(
                "SELECT number FROM event WHERE \(choice) AND deleted_at IS NULL",
                [SQLiteValue(server.number)] + (since.map { [SQLiteValue($0)] } ?? [])
            ) { row throws(ArchiveError) in
                if let number = row.int(0), !met.contains(number) { missing.append(number) }
            }
            for number in missing {
                try database.run(
                    "UPDATE event SET deleted_at = ? WHERE number = ?", SQLiteValue(now),
                    SQLiteValue(number))
            }
            report.deleted += missing.count
        }
    }

    /// Notes the start of a complete sync.
    /// - Throws: `ArchiveError`.
    func finish(begunAt start: Timestamp, isFull: Bool) throws(ArchiveError) {
        let full = isFull ? ", last_full_sync = ?1" : ""
        try database.run(
            "UPDATE server SET last_sync = max(coalesce(last_sync, ?1), ?1)\(full) "
                + "WHERE number = ?2",
            SQLiteValue(start), SQLiteValue(server.number))
    }

    /// The canonical columns of an event.
    static func values(of event: Event) -> [SQLiteValue] {
        let objects = event.objects.map { words in
            var writer = JSONWriter()
            writer.beginArray()
            for word in words { writer.string(word) }
            writer.endArray()
            return SQLiteValue.utf8(writer.bytes)
        }
        return [
            SQLiteValue(event.cameraID), SQLiteValue(event.cameraName),
            SQLiteValue(event.timestamp), .text(event.type),
            .text("|" + kinds(of: event).joined(separator: "|") + "|"), objects ?? .null,
            SQLiteValue(event.confidence), SQLiteValue(event.description),
            SQLiteValue(event.isDoorbellRing), SQLiteValue(event.alertTriggered),
            SQLiteValue(event.carrier), SQLiteValue(event.source), SQLiteValue(event.hasThumbnail),
        ]
    }

    /// The words that name a type of the event, in lower case; see `Event.isOfType`.
    private static func kinds(of event: Event) -> [String] {
        var words = [event.smartDetectionType].compactMap(\.self) + (event.objects ?? [])
        if words.isEmpty { words.append("motion") }
        if event.isDoorbellRing == true { words.append("ring") }
        return words.map { $0.lowercased() }.distinct
    }
}

extension ArchiveWriter {
    /// The columns that `values` fills, for a comparison of what is stored.
    static var columnNames: String { columns }
}

/// The result of a sync.
package struct ArchiveReport: Sendable, Equatable {
    package var added = 0
    package var changed = 0
    /// Events that the server no longer has.
    package var deleted = 0
    /// Events that the server has again.
    package var returned = 0
    /// Thumbnails and frames that were fetched.
    package var pictures = 0
    package var videos = 0
    /// Pictures that the server no longer has.
    package var absentFiles = 0
    /// Files that are not whole, and are tried again later.
    package var brokenFiles = 0
    /// Rows of the server that are no events.
    package var unreadableRows = 0

    package init() {}
}

/// A set of the numbers of rows, which are dense: a bit for each.
struct NumberSet {
    private var words: [UInt64] = []

    mutating func insert(_ number: Int) {
        let index = number >> 6
        if index >= words.count {
            words += Array(repeating: 0, count: max(64, index + 1 - words.count))
        }
        words[index] |= 1 << UInt64(number & 63)
    }

    func contains(_ number: Int) -> Bool {
        let index = number >> 6
        return index < words.count && words[index] & 1 << UInt64(number & 63) != 0
    }
}
