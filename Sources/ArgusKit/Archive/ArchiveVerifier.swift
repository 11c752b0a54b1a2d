/// Compares all of an archive with the hashes that it was stored with.
package struct ArchiveVerifier {
    /// The maximum number of structural faults of the database to list.
    private static let shownFaults = 20

    private let archive: Archive
    /// True if no other process changes the archive.
    private let isAlone: Bool
    private let progress: (Int) -> Void

    /// Prepares to check an archive; `progress` gets the numbers of events and files as they are
    /// checked.
    package init(_ archive: Archive, progress: @escaping (Int) -> Void) {
        (self.archive, self.progress) = (archive, progress)
        isAlone = archive.isChanging
    }

    /// Checks everything.
    ///
    /// The index of words and stray files are left out while another process changes the archive.
    /// - Throws: `ArchiveError` for a failure other than damage.
    package func findings() throws(ArchiveError) -> [ArchiveFinding] {
        var found = try damage(.database) { () throws(ArchiveError) in try faultsOfDatabase() }
        if isAlone {
            found += try damage(.index) { () throws(ArchiveError) in
                try archive.database.run(
                    "INSERT INTO event_text (event_text, rank) VALUES ('integrity-check', 1)")
                return []
            }
        }
        found += try damage(.database) { () throws(ArchiveError) in try faultsOfEvents() }
        // A damaged database does not know all of its files.
        let knowsFiles = isAlone && found.isEmpty
        found += try damage(.database) { () throws(ArchiveError) in try faultsOfFiles() }
        if knowsFiles {
            found += try damage(.database) { () throws(ArchiveError) in try strays() }
        }
        return found.distinct
    }

    /// The findings of a check, which damage may end early.
    private func damage(
        _ kind: ArchiveFinding.Kind, _ check: () throws(ArchiveError) -> [ArchiveFinding]
    ) throws(ArchiveError) -> [ArchiveFinding] {
        do throws(ArchiveError) {
            return try check()
        } catch {
            guard case .damaged(_, let words) = error else { throw error }
            return [ArchiveFinding(kind: kind, state: .damaged, subject: nil, reason: words)]
        }
    }

    private func faultsOfDatabase() throws(ArchiveError) -> [ArchiveFinding] {
        var found: [ArchiveFinding] = []
        try archive.database.forEach("PRAGMA integrity_check(\(Self.shownFaults))") {
            row throws(ArchiveError) in
            guard let words = row.text(0), words != "ok" else { return }
            found.append(
                ArchiveFinding(kind: .database, state: .damaged, subject: nil, reason: words))
        }
        try archive.database.forEach("PRAGMA foreign_key_check") { row throws(ArchiveError) in
            let (table, other) = (row.text(0) ?? "", row.text(2) ?? "")
            found.append(
                ArchiveFinding(
                    kind: .database, state: .damaged, subject: nil,
                    reason: "a row of '\(table)' has no row of '\(other)'"))
        }
        return found
    }

    private func faultsOfEvents() throws(ArchiveError) -> [ArchiveFinding] {
        var found: [ArchiveFinding] = []
        try archive.database.forEach(
            """
            SELECT number, id, sha256, raw, \(ArchiveColumns.names) FROM event
            LEFT JOIN object ON object.event = event.number ORDER BY number
            """
        ) { row throws(ArchiveError) in
            progress(1)
            guard let fault = Self.fault(of: row) else { return }
            found.append(
                ArchiveFinding(
                    kind: .event, state: .damaged, subject: row.text(1) ?? "", reason: fault,
                    number: row.int(0), isLocal: fault == Self.differingColumns))
        }
        return found
    }

    private static let differingColumns = "its columns differ from its object"

    private static func fault(of row: SQLiteStatement) -> String? {
        let first = 4
        guard !row.isNull(3) else { return "its object is missing" }
        let object = Archive.StoredObject(
            id: row.text(1) ?? "", sha256: row.text(2) ?? "", raw: row.bytes(3))
        guard let view = object.view else { return "its object has another hash" }
        guard let found = EventRow(view) else { return "its object is not an event" }
        guard found.id == object.id else { return "its object has another id" }
        let expected = ArchiveColumns(found.event(in: view)).values
        let isEqual = expected.enumerated().allSatisfy { index, value in
            switch (value, row[first + index]) {
            case (.utf8(let bytes), .text(let text)): bytes == Array(text.utf8)
            case (let value, let stored): value == stored
            }
        }
        return isEqual ? nil : differingColumns
    }

    private func faultsOfFiles() throws(ArchiveError) -> [ArchiveFinding] {
        var found: [ArchiveFinding] = []
        try archive.database.forEach(
            """
            SELECT sha256, extension, state, min(event) FROM media
            WHERE sha256 IS NOT NULL GROUP BY sha256, extension, state
            """
        ) { row throws(ArchiveError) in
            guard let sha256 = row.text(0) else { return }
            let path = archive.folder.media(sha256, row.text(1) ?? "")
            progress(1)
            guard let fault = fault(of: path, sha256, isLost: row.text(2) == "lost") else {
                return
            }
            found.append(
                ArchiveFinding(
                    kind: .file, state: fault.state, subject: archive.folder.relative(path),
                    reason: fault.reason, number: row.int(3)))
        }
        return found
    }

    private func strays() throws(ArchiveError) -> [ArchiveFinding] {
        var known: Set<String> = []
        try archive.database.forEach(
            "SELECT sha256, extension FROM media NOT INDEXED WHERE sha256 IS NOT NULL"
        ) { row throws(ArchiveError) in
            known.insert(archive.folder.media(row.text(0) ?? "", row.text(1) ?? ""))
        }
        var found: [ArchiveFinding] = []
        archive.folder.forEachMedium { path in
            guard !known.contains(path) else { return }
            found.append(
                ArchiveFinding(
                    kind: .stray, state: .harmless, subject: archive.folder.relative(path),
                    reason: "no event refers to it"))
        }
        return found
    }

    private func fault(
        of path: String, _ sha256: String, isLost: Bool
    ) -> (state: ArchiveFinding.State, reason: String)? {
        do throws(FileSystemError) {
            switch try archive.folder.checksum(ofMedium: path) {
            case nil:
                return (.missing, isLost ? "and the server no longer has it" : "no such file")
            case sha256?: return nil
            default: return (.damaged, "it has another hash")
            }
        } catch {
            return (.damaged, "\(error.reason)")
        }
    }
}

// Repairs.
extension ArchiveVerifier {
    /// Rebuilds what the archive itself can restore, and leaves the rest to the next full sync.
    ///
    /// It removes nothing: a file without an event may be the only copy of a picture, as with a
    /// database that is older than the files beside it.
    /// - Throws: `ArchiveError`.
    package func prepareRepair(of findings: [ArchiveFinding]) throws(ArchiveError) {
        let database = archive.database
        if findings.contains(where: { $0.kind == .database }) { try database.run("REINDEX") }
        for finding in findings {
            switch finding.kind {
            case .event where finding.isLocal: try restoreColumns(of: finding)
            case .event:
                // Another hash than that of any object: the next sync stores it again.
                try database.run(
                    "UPDATE event SET sha256 = 'damaged' WHERE number = ?",
                    SQLiteValue(finding.number))
            case .file:
                try database.run(
                    """
                    UPDATE media SET state = 'wanted', tries = 0 WHERE sha256 =
                      (SELECT sha256 FROM media WHERE event = ?1 AND sha256 IS NOT NULL
                       AND instr(?2, sha256))
                    """, SQLiteValue(finding.number), SQLiteValue(finding.subject))
            case .database, .index, .stray: break
            }
        }
        try rebuildIndex(for: findings)
    }

    private func restoreColumns(of finding: ArchiveFinding) throws(ArchiveError) {
        guard let number = finding.number, let view = try archive.object(number)?.view,
            let row = EventRow(view)
        else { return }
        try archive.database.run(
            "UPDATE event SET (\(ArchiveColumns.names)) = (\(ArchiveColumns.places)) WHERE number = ?",
            ArchiveColumns(row.event(in: view)).values + [SQLiteValue(number)])
    }

    /// Completes a repair after the sync: what the server did not have is lost.
    /// - Throws: `ArchiveError`.
    package func finishRepair(of findings: [ArchiveFinding]) throws(ArchiveError) {
        for finding in findings where finding.kind == .file {
            try archive.database.run(
                """
                UPDATE media SET state = 'lost' WHERE event = ? AND sha256 IS NOT NULL
                  AND state <> 'stored'
                """, SQLiteValue(finding.number))
        }
        try rebuildIndex(for: findings)
    }

    private func rebuildIndex(for findings: [ArchiveFinding]) throws(ArchiveError) {
        let touchesWords = findings.contains { [.index, .event, .database].contains($0.kind) }
        guard touchesWords else { return }
        try archive.database.run("INSERT INTO event_text (event_text) VALUES ('rebuild')")
    }
}
