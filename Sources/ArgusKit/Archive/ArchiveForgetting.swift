package import ArgusCore

/// Removes old events from an archive, so that no sync brings them back.
package struct ArchiveForgetting {
    private static let batchSize = 500

    /// The events that a rule forgets.
    package struct Plan: Sendable {
        /// The numbers of the events, oldest first.
        var numbers: [Int] = []
        /// The size of their objects and files in bytes; a file that events which stay have too does not
        /// count.
        package var bytes = 0
        /// The time of the latest of them; nil without an event.
        package var until: Timestamp?

        package var count: Int { numbers.count }
    }

    private let archive: Archive

    package init(_ archive: Archive) { self.archive = archive }

    /// The events captured before a time, or those that exceed a size in bytes, oldest first.
    ///
    /// The size is that of objects and files; a file of several events counts at the newest one. An event
    /// without a time is as old as its copy, and the first to go.
    /// - Throws: `ArchiveError`.
    package func plan(before time: Timestamp?, keeping size: Int?) throws(ArchiveError) -> Plan {
        var plan = Plan()
        var kept = 0
        var latest: Timestamp?
        // The beginnings of their hashes, of which no two are equal.
        var counted: Set<UInt64> = []
        let former =
            try archive.hasFormer
            ? "(SELECT sum(length(CAST(raw AS BLOB))) FROM former WHERE former.event = event.number)"
            : "0"
        let files = try archive.database.makeStatement(
            "SELECT sha256, bytes FROM media WHERE event = ? AND sha256 IS NOT NULL")
        try archive.database.forEach(
            """
            SELECT event.number, coalesce(event.timestamp, event.added_at),
              (SELECT length(CAST(raw AS BLOB)) FROM object WHERE object.event = event.number),
              \(former)
            FROM event ORDER BY event.timestamp DESC, event.number
            """
        ) { row throws(ArchiveError) in
            guard let number = row.int(0), let stamp = row.int(1) else { return }
            let captured = Timestamp(microseconds: Int64(stamp))
            var bytes = row.size(2) + row.size(3)
            try files.bind([SQLiteValue(number)])
            while try files.step() {
                guard let start = UInt64((files.text(0) ?? "").prefix(16), radix: 16),
                    counted.insert(start).inserted
                else { continue }
                bytes += files.size(1)
            }
            files.reset()
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

    /// Forgets the events of a plan, and removes the files that no other event has.
    /// - Throws: `ArchiveError`; that of a file which cannot be removed comes after all others were.
    package func run(_ plan: Plan, at now: Timestamp) throws(ArchiveError) {
        var failure: ArchiveError?
        for start in stride(from: 0, to: plan.count, by: Self.batchSize) {
            let batch = plan.numbers[start...].prefix(Self.batchSize)
            let files = try archive.database.transaction { () throws(ArchiveError) in
                var files: [Archive.StoredFile] = []
                for number in batch { files += try forget(number, at: now) }
                return files
            }
            // After the names, so that a killed run leaves strays and never an event without its file.
            for file in files {
                do throws(ArchiveError) {
                    try archive.removeUnused(file)
                } catch {
                    guard case .file = error else { throw error }
                    failure = failure ?? error
                }
            }
        }
        try archive.database.run("PRAGMA incremental_vacuum")
        if let failure { throw failure }
    }

    private func forget(
        _ number: Int, at now: Timestamp
    ) throws(ArchiveError) -> [Archive.StoredFile] {
        try archive.database.run(
            """
            INSERT OR REPLACE INTO forgotten (server, id, forgotten_at)
            SELECT server, id, ?2 FROM event WHERE number = ?1
            """, SQLiteValue(number), SQLiteValue(now))
        let files = try archive.filesOfEvent(number)
        try archive.remove(number)
        return files
    }
}
