import ArgusEvents

// Repairs, which remove no file: one that no event has may be the only copy of a picture, as with a
// database that is older than the files beside it.
extension ArchiveVerifier {
    /// Makes anew what the archive itself can restore, as far as the damage lets it; a sync of the
    /// damaged events and the wanted files restores the rest.
    /// - Throws: `ArchiveError`.
    package func restore(_ found: ArchiveFindings) throws(ArchiveError) {
        try unlessDamaged { () throws(ArchiveError) in
            guard found.has(.database) else { return }
            try removeDoubles()
            try archive.database.run("REINDEX")
        }
        try unlessDamaged { () throws(ArchiveError) in
            try archive.database.transaction { () throws(ArchiveError) in
                for number in found.differingEvents { try restoreColumns(of: number) }
            }
        }
        try restoreWords(for: found)
    }

    /// Removes the later ones of events with one id, which a damaged index did not find and let a sync
    /// add again: a sound index cannot have both.
    private func removeDoubles() throws(ArchiveError) {
        let doubles = try archive.database.rows(
            """
            SELECT number FROM event NOT INDEXED WHERE number NOT IN
              (SELECT min(number) FROM event NOT INDEXED GROUP BY server, id)
            """
        ) { $0.int(0) }
        try archive.database.transaction { () throws(ArchiveError) in
            for number in doubles { try archive.remove(number) }
        }
    }

    /// Makes the index of words anew, which a sync of damaged events may have left wrong.
    /// - Throws: `ArchiveError`.
    package func restoreWords(for found: ArchiveFindings) throws(ArchiveError) {
        guard found.has(.index) || found.has(.event) || found.has(.database) else { return }
        try unlessDamaged { () throws(ArchiveError) in
            try archive.database.run("INSERT INTO event_text (event_text) VALUES ('rebuild')")
        }
    }

    /// Has the next sync fetch files again, from whichever server has them; former ones are nowhere.
    func wantAgain(_ files: inout [String]) throws(ArchiveError) {
        guard !files.isEmpty else { return }
        try archive.database.transaction { () throws(ArchiveError) in
            for sha256 in files {
                try archive.database.run(
                    """
                    UPDATE media SET state = 'wanted', tries = 0
                    WHERE sha256 = ? AND state <> 'former'
                    """, .text(sha256))
            }
        }
        files = []
    }

    private func restoreColumns(of number: Int) throws(ArchiveError) {
        guard let view = try archive.object(number)?.view, let row = EventRow(view) else { return }
        try archive.database.run(
            "UPDATE event SET (\(ArchiveColumns.names)) = (\(ArchiveColumns.places)) WHERE number = ?",
            ArchiveColumns(row.event).values + [SQLiteValue(number)])
    }

    /// Does what damage may prevent: the parts that are whole are repaired none the less.
    private func unlessDamaged(_ work: () throws(ArchiveError) -> Void) throws(ArchiveError) {
        do throws(ArchiveError) {
            try work()
        } catch .damaged {
        } catch .database {
            // As for an index that cannot be made anew.
        }
    }
}
