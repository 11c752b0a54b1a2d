/// Compares all of an archive with the hashes that it was stored with.
package struct ArchiveVerifier {
    /// The maximum number of structural faults of the database to list.
    private static let shownFaults = 20

    let archive: Archive
    /// True if no other process changes the archive.
    private let isAlone: Bool
    private let progress: (Int) -> Void

    /// Prepares to check an archive; `progress` gets the numbers of events and files as they are
    /// checked.
    package init(_ archive: Archive, progress: @escaping (Int) -> Void) {
        (self.archive, self.progress) = (archive, progress)
        isAlone = archive.isChanging
    }

    /// Checks everything; `isRepair` has files that are not whole wanted again.
    ///
    /// The index of words and stray files are left out while another process changes the archive.
    /// - Throws: `ArchiveError` for a failure other than damage.
    package func findings(
        wantingFiles isRepair: Bool = false
    ) throws(ArchiveError) -> ArchiveFindings {
        var found = ArchiveFindings()
        try check(.database, &found, faultsOfDatabase)
        if isAlone { try check(.index, &found, faultsOfWords) }
        try check(.database, &found, faultsOfEvents)
        try check(.database, &found, faultsOfFormer)
        // A damaged database does not know all of its files.
        let knowsFiles = isAlone && found.isEmpty
        try check(.database, &found) { found throws(ArchiveError) in
            try faultsOfFiles(&found, isRepair: isRepair)
        }
        if knowsFiles { try check(.database, &found, strays) }
        return found
    }

    /// Runs a check, which damage may end early.
    private func check(
        _ kind: ArchiveFinding.Kind, _ found: inout ArchiveFindings,
        _ check: (inout ArchiveFindings) throws(ArchiveError) -> Void
    ) throws(ArchiveError) {
        do throws(ArchiveError) {
            try check(&found)
        } catch {
            guard case .damaged(_, let words) = error else { throw error }
            let finding = ArchiveFinding(kind: kind, state: .damaged, subject: nil, reason: words)
            if !found.listed.contains(finding) { found.append(finding) }
        }
    }

    private func faultsOfDatabase(_ found: inout ArchiveFindings) throws(ArchiveError) {
        try archive.database.forEach("PRAGMA integrity_check(\(Self.shownFaults))") {
            row throws(ArchiveError) in
            guard let words = row.text(0), words != "ok" else { return }
            found.append(.database, .damaged, nil, words)
        }
        // A row may have lost several others.
        var reasons: Set<String> = []
        try archive.database.forEach("PRAGMA foreign_key_check") { row throws(ArchiveError) in
            let (table, other) = (row.text(0) ?? "", row.text(2) ?? "")
            let reason = "a row of '\(table)' has no row of '\(other)'"
            if reasons.insert(reason).inserted { found.append(.database, .damaged, nil, reason) }
        }
    }

    private func faultsOfWords(_ found: inout ArchiveFindings) throws(ArchiveError) {
        try archive.database.run(
            "INSERT INTO event_text (event_text, rank) VALUES ('integrity-check', 1)")
    }

    private func faultsOfEvents(_ found: inout ArchiveFindings) throws(ArchiveError) {
        try archive.database.forEach(
            """
            SELECT number, id, sha256, raw, \(ArchiveColumns.names) FROM event
            LEFT JOIN object ON object.event = event.number ORDER BY number
            """
        ) { row throws(ArchiveError) in
            progress(1)
            let number = row.int(0) ?? 0
            switch Self.fault(of: row) {
            case nil: break
            case Self.differingColumns: found.differingEvents.insert(number)
            case let fault?:
                found.damagedEvents.insert(number)
                found.append(.event, .damaged, row.text(1) ?? "", fault)
            }
        }
        // After an update of argus that reads more of an object, these may be all.
        let count = found.differingEvents.count
        guard count > 0 else { return }
        found.append(
            .index, .harmless, nil,
            "the columns of \(count == 1 ? "1 event" : "\(count) events") differ from the objects")
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

    private func faultsOfFormer(_ found: inout ArchiveFindings) throws(ArchiveError) {
        guard try archive.hasFormer else { return }
        try archive.database.forEach(
            """
            SELECT event.id, former.sha256, raw FROM former
            LEFT JOIN event ON event.number = former.event
            """
        ) { row throws(ArchiveError) in
            progress(1)
            // What was left of a damaged object is no JSON.
            guard Checksum.sha256(row.bytes(2)) != row.text(1) else { return }
            found.append(
                .event, .damaged, row.text(0) ?? "", "its former object has another hash")
        }
    }

    private func faultsOfFiles(
        _ found: inout ArchiveFindings, isRepair: Bool
    ) throws(ArchiveError) {
        var last = (sha256: "", path: "")
        var damaged: [String] = []
        var suspects: [(sha256: String, finding: ArchiveFinding)] = []
        // By the index: a file of several events is read once.
        try archive.database.forEach(
            """
            SELECT sha256, extension, state FROM media WHERE sha256 IS NOT NULL ORDER BY sha256
            """
        ) { row throws(ArchiveError) in
            guard let sha256 = row.text(0) else { return }
            let path = archive.folder.media(sha256, row.text(1) ?? "")
            guard last != (sha256, path) else { return }
            last = (sha256, path)
            progress(1)
            let isAbsent = row.text(2) == "absent"
            guard let fault = fault(of: path, sha256, isAbsent: isAbsent) else { return }
            let finding = ArchiveFinding(
                kind: .file, state: fault.state, subject: archive.folder.relative(path),
                reason: fault.reason)
            guard isAlone else { return suspects.append((sha256, finding)) }
            found.append(finding)
            guard isRepair else { return }
            damaged.append(sha256)
            if damaged.count == 1000 { try wantAgain(&damaged) }
        }
        try wantAgain(&damaged)
        // Another process may have forgotten them while this one read.
        for (sha256, finding) in suspects {
            let isThere = try archive.database.number(
                "SELECT 1 FROM media WHERE sha256 = ? LIMIT 1", .text(sha256))
            if isThere != nil { found.append(finding) }
        }
    }

    private func fault(
        of path: String, _ sha256: String, isAbsent: Bool
    ) -> (state: ArchiveFinding.State, reason: String)? {
        do throws(FileSystemError) {
            switch try archive.folder.checksum(ofMedium: path) {
            case nil:
                return (.missing, isAbsent ? "and the server no longer has it" : "no such file")
            case sha256?: return nil
            default: return (.damaged, "it has another hash")
            }
        } catch {
            return (.damaged, "\(error.reason)")
        }
    }

    private func strays(_ found: inout ArchiveFindings) throws(ArchiveError) {
        try archive.folder.forEachMediaFolder { name, paths throws(ArchiveError) in
            var known: Set<String> = []
            try archive.database.forEach(
                "SELECT sha256, extension FROM media WHERE sha256 >= ?1 AND sha256 < ?2",
                [.text(name), .text(name + "g")]
            ) { row throws(ArchiveError) in
                known.insert(archive.folder.media(row.text(0) ?? "", row.text(1) ?? ""))
            }
            for path in paths where !known.contains(path) {
                found.append(.stray, .harmless, archive.folder.relative(path), "no event has it")
            }
        }
    }
}
