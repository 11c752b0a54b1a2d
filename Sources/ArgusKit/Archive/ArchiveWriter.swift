import ArgusCore
import ArgusEvents

/// Writes the events of one server to an archive, many pages in one transaction.
///
/// One task at a time uses it.
final class ArchiveWriter: @unchecked Sendable {
    /// The time after which the next page ends a transaction: a kill costs little more than that, and
    /// each end waits for the disk and writes most pages of the indexes again.
    private static let transactionTime = Duration.seconds(5)
    /// The time in the archive after which a server has no reason to change an event.
    private static let oldAge = Duration.seconds(7 * 86400)

    private let archive: Archive
    private let database: SQLiteDatabase
    private let server: Archive.Server
    private let insertion: EventInsertion
    /// The archive has nothing of the server yet, so that rows need not be looked up.
    let isFirst: Bool
    /// The events whose objects are damaged, and replaced whatever the server has.
    private let damaged: Set<Int>
    /// The events that the listing so far has met, by the bits of their numbers.
    private var met = NumberSet()
    private var transactionStart = Timestamp(seconds: 0)

    var report = ArchiveReport()
    /// The server has an event that the archive had before.
    private(set) var hasMetKnown = false
    /// The events that the server has changed although they are old.
    private(set) var rewritten = 0

    init(
        _ archive: Archive, of server: Archive.Server, damaged: Set<Int> = []
    ) throws(ArchiveError) {
        (self.archive, database) = (archive, archive.database)
        (self.server, self.damaged) = (server, damaged)
        insertion = try EventInsertion(into: database, of: server)
        isFirst =
            try database.number(
                """
                SELECT 1 WHERE EXISTS (SELECT 1 FROM event WHERE server = ?1)
                  OR EXISTS (SELECT 1 FROM forgotten WHERE server = ?1)
                """, SQLiteValue(server.number)) == nil
    }

    /// Stores the events of a page, which `commit` makes durable.
    /// - Throws: `ArchiveError`; what was not committed is undone, and the writer is of no more use.
    func store(_ rows: [ArchiveContent], at now: Timestamp) throws(ArchiveError) {
        do throws(ArchiveError) {
            if !database.isInTransaction {
                try database.run("BEGIN IMMEDIATE")
                transactionStart = now
            }
            for start in stride(from: 0, to: rows.count, by: EventInsertion.batchSize) {
                try store(batch: Array(rows[start...].prefix(EventInsertion.batchSize)), at: now)
            }
            // A clock may be set back meanwhile.
            if !(Duration.zero..<Self.transactionTime ~= now - transactionStart) {
                try commit(isLast: false)
            }
        } catch {
            database.rollBack()
            throw error
        }
    }

    /// Ends the transaction, if there is one; without WAL it goes on while others read, unless it is
    /// the last one.
    func commit(isLast: Bool = true) throws(ArchiveError) {
        guard database.isInTransaction else { return }
        do throws(ArchiveError) {
            try database.run("COMMIT")
        } catch {
            if case .running = error, !isLast { return }
            database.rollBack()
            throw error
        }
    }

    /// Stores some events; those of a first sync with one statement, unless they are the last few of a
    /// page.
    private func store(
        batch contents: [ArchiveContent], at now: Timestamp
    ) throws(ArchiveError) {
        guard isFirst, contents.count == EventInsertion.batchSize else {
            for content in contents { try store(content, at: now) }
            return
        }
        let added = try insertion.insert(contents, at: now)
        guard added.count < contents.count else {
            for (content, number) in zip(contents, added) {
                try complete(content, number, at: now)
            }
            return
        }
        // The server has listed an event twice.
        for content in contents {
            if let number = try known(content.id)?.number, added.contains(number),
                !met.contains(number)
            {
                try complete(content, number, at: now)
            } else {
                try store(content, at: now)
            }
        }
    }

    private func store(_ content: ArchiveContent, at now: Timestamp) throws(ArchiveError) {
        if isFirst, try add(content, at: now) { return }
        guard let known = try known(content.id) else {
            // Events that the owner had the archive forget do not come back.
            let forgotten = try database.number(
                "SELECT 1 FROM forgotten WHERE server = ? AND id = ?", SQLiteValue(server.number),
                .text(content.id))
            if forgotten == nil { _ = try add(content, at: now) }
            return
        }
        met.insert(known.number)
        hasMetKnown = true
        if known.isDeleted {
            try database.run(
                "UPDATE event SET deleted_at = NULL WHERE number = ?", SQLiteValue(known.number))
            report.returned += 1
        }
        guard known.sha256 != content.sha256 || damaged.contains(known.number) else { return }
        try change(known, content, at: now)
    }

    private struct Known {
        var number: Int
        var sha256: String
        var addedAt: Timestamp
        var isDeleted: Bool
    }

    private func known(_ id: String) throws(ArchiveError) -> Known? {
        try database.first(
            "SELECT number, sha256, added_at, deleted_at FROM event WHERE server = ? AND id = ?",
            [SQLiteValue(server.number), .text(id)]
        ) { row in
            guard let number = row.int(0) else { return nil }
            return Known(
                number: number, sha256: row.text(1) ?? "",
                addedAt: row.time(2) ?? Timestamp(microseconds: 0),
                isDeleted: !row.isNull(3))
        }
    }

    /// Adds an event; false if there is one with its id.
    private func add(_ content: ArchiveContent, at now: Timestamp) throws(ArchiveError) -> Bool {
        guard let number = try insertion.insert([content], at: now).first else { return false }
        try complete(content, number, at: now)
        return true
    }

    private func complete(
        _ content: ArchiveContent, _ number: Int, at now: Timestamp
    ) throws(ArchiveError) {
        try insertion.complete(content, number)
        try confirm(content, number, at: now)
        met.insert(number)
        report.added += 1
    }

    private func change(
        _ known: Known, _ content: ArchiveContent, at now: Timestamp
    ) throws(ArchiveError) {
        let former = try archive.object(known.number)
        // A damaged object may still be partly readable.
        let formerView = former.flatMap { try? JSONView.parse($0.raw) }
        let view = content.view
        // An address that the server signs anew for each answer is no change.
        let isChanged = known.sha256 != content.sha256 && formerView?.lasting != view?.lasting
        guard isChanged || damaged.contains(known.number) else { return }
        if isChanged, let former {
            // What an earlier argus masked was not changed by the server.
            if now - known.addedAt > Self.oldAge, !SecretMask.isReplaced(in: former.raw[...]) {
                rewritten += 1
            }
            try keep(former.raw[...], of: known.number, at: now)
        }
        try confirm(content, known.number, at: now)
        let detail = view.flatMap(EventDetail.init)
        if let place = detail?.thumbnail.place,
            let formerDetail = formerView.flatMap(EventDetail.init),
            formerDetail.thumbnail.place != place
        {
            // The server has the picture elsewhere now.
            try database.run(
                """
                UPDATE media SET state = 'wanted', tries = 0
                WHERE event = ? AND kind = 'thumbnail' AND item = 0
                """, SQLiteValue(known.number))
        }
        let columns = ArchiveColumns(detail?.event ?? Event(id: content.id))
        try database.run(
            """
            UPDATE event SET (\(ArchiveColumns.names)) = (\(ArchiveColumns.places)), sha256 = ?,
              changed_at = ? WHERE number = ?
            """,
            columns.values + [.text(content.sha256), SQLiteValue(now), SQLiteValue(known.number)])
        try database.statement("INSERT OR REPLACE INTO object (event, raw) VALUES (?, ?)")
            .run([SQLiteValue(known.number)], content.raw)
        try wantPicture(known.number)
        try insertion.storeNames(of: columns)
        report.changed += 1
    }

    /// Keeps the object that another one replaces, each once however often they alternate; of a damaged
    /// one what is left.
    private func keep(
        _ raw: ArraySlice<UInt8>, of number: Int, at now: Timestamp
    ) throws(ArchiveError) {
        guard !raw.isEmpty else { return }
        try database.statement(
            "INSERT OR IGNORE INTO former (event, sha256, replaced_at, raw) VALUES (?, ?, ?, ?)"
        ).run([SQLiteValue(number), .text(Checksum.sha256(raw)), SQLiteValue(now)], raw)
    }

    /// Notes, as a former object, that the server itself sent what looks masked.
    private func confirm(
        _ content: ArchiveContent, _ number: Int, at now: Timestamp
    ) throws(ArchiveError) {
        if content.hasMask { try keep(content.raw, of: number, at: now) }
    }

    /// Notes that the picture of an event is to be fetched, unless that is known, or true of all events
    /// from this one on.
    private func wantPicture(_ number: Int) throws(ArchiveError) {
        try database.run(
            """
            INSERT OR IGNORE INTO media (event, kind, item, state, tries)
            SELECT number, 'thumbnail', 0, 'wanted', 0 FROM event
            WHERE number = ? AND has_thumbnail IS NOT 0 AND number <= \(Archive.lastWithFiles)
            """, SQLiteValue(number))
    }

    /// Marks the events that the listing did not meet as deleted on the server, but for those in its
    /// gaps; `since` is the start of the listing, nil if it had none.
    func markDeleted(since: Timestamp?, at now: Timestamp) throws(ArchiveError) {
        guard !isFirst else { return }
        try database.transaction { () throws(ArchiveError) in
            // The sign keeps SQLite from looking up every event of the server in the order of its id.
            let choice = since == nil ? "" : "AND timestamp > ?2"
            let missing = try database.rows(
                """
                SELECT number, timestamp FROM event
                WHERE +server = ?1 \(choice) AND deleted_at IS NULL
                """, [SQLiteValue(server.number)] + (since.map { [SQLiteValue($0)] } ?? [])
            ) { row -> Int? in
                guard let number = row.int(0), !met.contains(number) else { return nil }
                let time = row.time(1)
                return report.gaps.contains { gap in time.map(gap.contains) ?? true } ? nil : number
            }
            for number in missing {
                try database.run(
                    "UPDATE event SET deleted_at = ? WHERE number = ?", SQLiteValue(now),
                    SQLiteValue(number))
            }
            report.deleted += missing.count
        }
    }

    /// The part of a first listing, newest first, that an interrupted one has left: it ends at the oldest
    /// event, and events since its start are newer than `begun`; nil without an event.
    func restOfFirstListing() throws(ArchiveError) -> (until: Timestamp, begun: Timestamp)? {
        try database.first(
            """
            SELECT min(timestamp), min(max(timestamp), min(added_at)) FROM event WHERE server = ?
            """, [SQLiteValue(server.number)]
        ) { row in
            guard let until = row.time(0), let begun = row.time(1) else { return nil }
            return (until.after, begun)
        }
    }

    /// Notes the start of a complete sync.
    func finish(begunAt start: Timestamp, isFull: Bool) throws(ArchiveError) {
        let full = isFull ? ", last_full_sync = ?1" : ""
        try database.run(
            "UPDATE server SET last_sync = ?1\(full) WHERE number = ?2", SQLiteValue(start),
            SQLiteValue(server.number))
    }
}
