/// Removes old events from an archive, so that no sync brings them back.
package struct ArchiveForgetting {
    private static let batchSize = 500

    /// The events that a rule forgets.
    package struct Plan: Sendable {
        /// The numbers of the events, oldest first.
        var numbers: [Int] = []
        /// The size of their objects and files in bytes; a file of several events counts once.
        package var bytes = 0
        /// The time of the latest of them; nil without an event.
        package var until: Timestamp?

        package var count: Int { numbers.count }
    }

    private let archive: Archive

    package init(_ archive: Archive) { self.archive = archive }

    /// The events captured before a time, or those that exceed a size in bytes, oldest first.
    /// - Throws: `ArchiveError`.
    package func plan(before time: Timestamp?, keeping size: Int?) throws(ArchiveError) -> Plan {
        var plan = Plan()
        var kept = 0
        var latest: Timestamp?
        try archive.database.forEach(
            """
            SELECT event.number, event.timestamp,
              (SELECT length(CAST(raw AS BLOB)) FROM object WHERE object.event = event.number),
              (SELECT sum(bytes) FROM media WHERE media.event = event.number)
            FROM event WHERE event.timestamp IS NOT NULL ORDER BY event.timestamp DESC, event.number
            """
        ) { row throws(ArchiveError) in
            guard let number = row.int(0), let stamp = row.int(1) else { return }
            let captured = Timestamp(microseconds: Int64(stamp))
            let bytes = (row.int(2) ?? 0) + (row.int(3) ?? 0)
            let isOld = time.map { captured < $0 } ?? false
            // Once the limit is exceeded, every older event goes too.
            let isTooMuch = size.map { kept + bytes > $0 || !plan.numbers.isEmpty } ?? false
            guard isOld || isTooMuch else {
                kept += bytes
                return
            }
            latest = latest ?? captured
            plan.numbers.append(number)
            plan.bytes += bytes
        }
        plan.until = latest
        plan.numbers.reverse()
        return plan
    }

    /// The longest time since the last sync in which the clock is believed.
    private static let longestPause = Duration.seconds(30 * 86400)

    /// Checks the clock, by which ages count, against the last sync.
    /// - Throws: `.wrongClock` a month after it or a day before, as on a machine that lost its clock.
    package func expectClock(_ now: Timestamp) throws(ArchiveError) {
        let last = try archive.servers().compactMap(\.lastSync).max()
        guard let last, now - last > Self.longestPause || last - now > .seconds(86400) else {
            return
        }
        throw .wrongClock(now, lastSync: last)
    }

    /// Forgets the events of a plan, and removes the files that no other event has.
    /// - Throws: `ArchiveError`.
    package func run(_ plan: Plan, at now: Timestamp) throws(ArchiveError) {
        var rest = plan.numbers[...]
        while !rest.isEmpty {
            let batch = rest.prefix(Self.batchSize)
            rest = rest.dropFirst(batch.count)
            let files = try archive.database.transaction { () throws(ArchiveError) in
                var files: [Archive.StoredFile] = []
                for number in batch { files += try forget(number, at: now) }
                return files
            }
            // After the names, so that a killed run leaves strays and never an event without its file.
            for file in files { try archive.removeUnused(file) }
        }
        try archive.database.run("PRAGMA incremental_vacuum")
    }

    private func forget(
        _ number: Int, at now: Timestamp
    ) throws(ArchiveError) -> [Archive.StoredFile] {
        let database = archive.database
        let key = SQLiteValue(number)
        try database.run(
            """
            INSERT OR REPLACE INTO forgotten (server, id, forgotten_at)
            SELECT server, id, ?2 FROM event WHERE number = ?1
            """, key, SQLiteValue(now))
        let files = try archive.filesOfEvent(number)
        try database.run("DELETE FROM media WHERE event = ?", key)
        try database.run("DELETE FROM object WHERE event = ?", key)
        try database.run("DELETE FROM event WHERE number = ?", key)
        return files
    }
}
