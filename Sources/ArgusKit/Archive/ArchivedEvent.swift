/// An archived event with what the archive has of it.
package struct ArchivedEvent: Sendable {
    package var detail: EventDetail
    /// The server's own object, as its list had it.
    package var view: JSONView
    package var archivedAt: Timestamp
    /// When a sync first missed it on the server; nil while it is there.
    package var deletedAt: Timestamp?
    /// The paths of its picture, frames and video, and behind them of former ones.
    package var files: [String]
}

/// The failure to find a named event in an archive.
package enum ArchiveLookupError: Error, Sendable {
    case archive(ArchiveError)
    case none
    /// Several ids begin with the given text.
    case ambiguous([String])
    /// The stored object is not what was archived.
    case damaged(String)
}

extension Archive {
    /// The most ids that an ambiguous name lists.
    private static let shownIDs = 10

    /// Finds one event by its id, the first 8 or more characters of one, or `latest`, which may have
    /// conditions.
    /// - Throws: `ArchiveLookupError`.
    package func find(
        _ name: String, latestOf query: ArchiveQuery
    ) throws(ArchiveLookupError) -> ArchivedEvent {
        let found = try rethrowing(try numbers(named: name, query), as: ArchiveLookupError.archive)
        let ids = found.map(\.id).distinct
        guard let first = found.first else { throw .none }
        guard ids.count == 1 else { throw .ambiguous(ids) }
        let event = try rethrowing(try event(first.number), as: ArchiveLookupError.archive)
        guard let event else { throw .damaged(first.id) }
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
                if let row = batch.first, let number = rows.lastNumber { return [(number, row.id)] }
            }
            return []
        }
        for condition in ["id = ?1", "id = ?1 COLLATE NOCASE"] {
            let exact = try numbers(named: name, by: condition, query)
            guard exact.isEmpty else { return exact }
        }
        guard name.count >= EventService.shortestPrefix else { return [] }
        return try numbers(
            named: name, by: "substr(id, 1, length(?1)) = ?1 COLLATE NOCASE", query)
    }

    private func numbers(
        named name: String, by condition: String, _ query: ArchiveQuery
    ) throws(ArchiveError) -> [(number: Int, id: String)] {
        var found: [(number: Int, id: String)] = []
        try database.forEach(
            """
            SELECT number, id FROM event
            WHERE server IN (SELECT number FROM server WHERE ?2 IS NULL OR number = ?2)
              AND \(condition) LIMIT \(Self.shownIDs)
            """, [.text(name), SQLiteValue(query.server?.number)]
        ) { row throws(ArchiveError) in
            if let number = row.int(0), let id = row.text(1) { found.append((number, id)) }
        }
        return found
    }

    /// The newest events whose ids begin with a text, for TAB.
    /// - Throws: `ArchiveError`.
    func newestEvents(
        beginning start: String, atMost count: Int
    ) throws(ArchiveError) -> [CompletionEvent] {
        var found: [CompletionEvent] = []
        // The table of servers leads SQLite to the index of ids.
        let choice = "WHERE server IN (SELECT number FROM server) AND id BETWEEN ?1 AND ?2"
        try database.forEach(
            """
            SELECT id, timestamp, type, camera_name FROM event \(start.isEmpty ? "" : choice)
            ORDER BY timestamp DESC LIMIT \(count)
            """, start.isEmpty ? [] : [.text(start), .text(start + "\u{10FFFF}")]
        ) { row throws(ArchiveError) in
            found.append(
                CompletionEvent(
                    id: row.text(0) ?? "",
                    time: row.time(1),
                    type: row.text(2) ?? "", camera: row.text(3) ?? ""))
        }
        return found
    }

    /// An event as TAB describes it.
    struct CompletionEvent {
        var id: String
        var time: Timestamp?
        var type: String
        var camera: String
    }

    /// An event by its number; nil if what is stored is damaged.
    private func event(_ number: Int) throws(ArchiveError) -> ArchivedEvent? {
        guard let object = try object(number), let view = object.view,
            var detail = EventDetail(view)
        else { return nil }
        var files: [String] = []
        var frames: Int?
        var video: Bool?
        try database.forEach(
            """
            SELECT kind, sha256, extension, state FROM media
            WHERE event = ? AND sha256 IS NOT NULL
            ORDER BY state = 'former', kind = 'video', kind = 'frame', item
            """, [SQLiteValue(number)]
        ) { row throws(ArchiveError) in
            let path = folder.media(row.text(1) ?? "", row.text(2) ?? "")
            guard FileContents.exists(path) else { return }
            files.append(path)
            guard row.text(3) != "former" else { return }
            if row.text(0) == "frame" { frames = (frames ?? 0) + 1 }
            if row.text(0) == "video" { video = true }
        }
        (detail.frameCount, detail.hasVideo) = (frames, video)
        return ArchivedEvent(
            detail: detail, view: view, archivedAt: object.addedAt ?? Timestamp(seconds: 0),
            deletedAt: object.deletedAt, files: files)
    }
}
