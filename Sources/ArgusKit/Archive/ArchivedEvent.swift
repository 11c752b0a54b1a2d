package import ArgusCore
package import ArgusEvents

/// An archived event with what the archive has of it.
package struct ArchivedEvent: Sendable {
    /// Its number in the archive.
    package var number: Int
    package var detail: EventDetail
    /// The server's own object, as its list had it.
    package var view: JSONView
    package var archivedAt: Timestamp
    /// When a sync first missed it on the server; nil while it is there.
    package var deletedAt: Timestamp?
    /// The paths of its picture, frames and video, and behind them of former ones.
    package var files: [String]
}

extension Archive {
    private static let shownIDs = 10

    /// Finds one event by its id, the first 8 or more characters of one, or `latest`, which may have
    /// conditions.
    /// - Throws: `ArchiveError`.
    package func find(
        _ name: String, latestOf query: ArchiveQuery
    ) throws(ArchiveError) -> ArchivedEvent {
        let found = try numbers(named: name, query)
        let ids = found.map(\.id).distinct
        guard let first = found.first else {
            throw name == "latest" ? .noMatch : .noEvent(name)
        }
        guard ids.count == 1 else { throw .ambiguous(name, ids) }
        guard let event = try event(first.number) else { throw .damagedEvent(first.id) }
        return event
    }

    private func numbers(
        named name: String, _ query: ArchiveQuery
    ) throws(ArchiveError) -> [(number: Int, id: String)] {
        if name == "latest" {
            var query = query
            query.wanted = 1
            let rows = try ArchiveRows(query, in: self)
            while let batch = try rows.next() {
                if let row = batch.first, let number = rows.lastNumbers.first {
                    return [(number, row.id)]
                }
            }
            return []
        }
        var conditions = ["id = ?1", "id = ?1 COLLATE NOCASE"]
        if name.count >= EventService.shortestPrefix {
            conditions.append("substr(id, 1, length(?1)) = ?1 COLLATE NOCASE")
        }
        for condition in conditions {
            let found: [(number: Int, id: String)] = try database.rows(
                """
                SELECT number, id FROM event
                WHERE server IN (SELECT number FROM server WHERE ?2 IS NULL OR number = ?2)
                  AND \(condition) LIMIT \(Self.shownIDs)
                """, [.text(name), SQLiteValue(query.server?.number)]
            ) { row in
                guard let number = row.int(0), let id = row.text(1) else { return nil }
                return (number, id)
            }
            guard found.isEmpty else { return found }
        }
        return []
    }

    /// The newest events whose ids begin with a text, for TAB.
    package func newestEvents(
        beginning start: String, atMost count: Int
    ) throws(ArchiveError) -> [(id: String, time: Timestamp?, type: String, camera: String)] {
        // The table of servers leads SQLite to the index of ids.
        let choice = "WHERE server IN (SELECT number FROM server) AND id BETWEEN ?1 AND ?2"
        return try database.rows(
            """
            SELECT id, timestamp, type, camera_name FROM event \(start.isEmpty ? "" : choice)
            ORDER BY timestamp DESC LIMIT \(count)
            """, start.isEmpty ? [] : [.text(start), .text(start + "\u{10FFFF}")]
        ) { ($0.text(0) ?? "", $0.time(1), $0.text(2) ?? "", $0.text(3) ?? "") }
    }

    /// A stored object with what is known of it.
    struct StoredObject {
        var id: String
        var server: Int?
        var sha256: String
        var raw: [UInt8]
        var addedAt: Timestamp?
        var deletedAt: Timestamp?

        /// The object; nil if it is not what was archived.
        var view: JSONView? {
            Checksum.sha256(raw) == sha256 ? try? JSONView.parse(raw) : nil
        }
    }

    func object(_ number: Int) throws(ArchiveError) -> StoredObject? {
        try database.first(
            """
            SELECT event.id, event.sha256, object.raw, added_at, deleted_at, server FROM event
            LEFT JOIN object ON object.event = event.number WHERE event.number = ?
            """, [SQLiteValue(number)]
        ) { row in
            StoredObject(
                id: row.text(0) ?? "", server: row.int(5), sha256: row.text(1) ?? "",
                raw: row.bytes(2), addedAt: row.time(3), deletedAt: row.time(4))
        }
    }

    /// An event by its number; nil if what is stored is damaged.
    private func event(_ number: Int) throws(ArchiveError) -> ArchivedEvent? {
        guard let object = try object(number), let view = object.view,
            var detail = EventDetail(view)
        else { return nil }
        (detail.frameCount, detail.hasVideo) = (nil, nil)
        detail.event.server = try serverNames()[object.server ?? 0]
        var files: [String] = []
        try database.forEach(
            """
            SELECT sha256, extension, kind, state FROM media
            WHERE event = ? AND sha256 IS NOT NULL
            ORDER BY state = 'former', kind = 'video', kind = 'frame', item
            """, [SQLiteValue(number)]
        ) { row in
            guard let path = storedFile(row)?.path, FileContents.exists(path) else { return }
            files.append(path)
            guard row.text(3) != "former" else { return }
            if row.text(2) == "frame" { detail.frameCount = (detail.frameCount ?? 0) + 1 }
            if row.text(2) == "video" { detail.hasVideo = true }
        }
        return ArchivedEvent(
            number: number, detail: detail, view: view,
            archivedAt: object.addedAt ?? Timestamp(seconds: 0),
            deletedAt: object.deletedAt, files: files)
    }
}
