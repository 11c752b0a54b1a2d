import ArgusCore
import ArgusEvents

/// Compares all of an archive with the hashes that it was stored with.
package struct ArchiveVerifier {
    private static let shownFaults = 20

    let archive: Archive
    private let progress: (Int) -> Void

    /// Prepares to check an archive; `progress` gets the numbers of events and files as they are
    /// checked.
    package init(_ archive: Archive, progress: @escaping (Int) -> Void) {
        (self.archive, self.progress) = (archive, progress)
    }

    /// The number of events and files to check; nil if the database cannot say.
    package var partCount: Int? {
        let counts = try? [
            archive.eventCount(),
            archive.hasFormer ? archive.database.number("SELECT count(*) FROM former") ?? 0 : 0,
            archive.database.number("SELECT count(DISTINCT sha256) FROM media") ?? 0,
        ]
        return counts?.reduce(0, +)
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
        if archive.isChanging {
            try check(.index, &found) { _ throws(ArchiveError) in
                try archive.database.run(
                    "INSERT INTO event_text (event_text, rank) VALUES ('integrity-check', 1)")
            }
        }
        try check(.database, &found, faultsOfEvents)
        try check(.database, &found, faultsOfFormer)
        // A damaged database does not know all of its files.
        let knowsFiles = archive.isChanging && found.isEmpty
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

    private func faultsOfEvents(_ found: inout ArchiveFindings) throws(ArchiveError) {
        // A server's own text that looks so was noted when it was stored (`ArchiveWriter.confirm`).
        let isMasked =
            "instr(raw, '\(SecretMask.replacement)') > 0"
            + (try archive.hasFormer
                ? """
                 AND NOT EXISTS (SELECT 1 FROM former
                   WHERE former.event = event.number AND former.sha256 = event.sha256)
                """ : "")
        try archive.database.forEach(
            """
            SELECT number, id, sha256, raw, \(isMasked), \(ArchiveColumns.names) FROM event
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
        let first = 5
        guard !row.isNull(3) else { return "its object is missing" }
        let object = Archive.StoredObject(
            id: row.text(1) ?? "", sha256: row.text(2) ?? "", raw: row.bytes(3))
        guard let view = object.view else { return "its object has another hash" }
        guard let found = EventRow(view) else { return "its object is not an event" }
        guard found.id == object.id else { return "its object has another id" }
        guard row.int(4) != 1 else {
            return "an earlier argus stored '\(SecretMask.replacement)' in place of its words"
        }
        let expected = ArchiveColumns(found.event).values
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
        var last: Archive.StoredFile?
        var damaged: [String] = []
        var suspects: [(sha256: String, finding: ArchiveFinding)] = []
        // By the index: a file of several events is read once.
        try archive.database.forEach(
            """
            SELECT sha256, extension, state FROM media WHERE sha256 IS NOT NULL ORDER BY sha256
            """
        ) { row throws(ArchiveError) in
            guard let file = archive.storedFile(row), file != last else { return }
            last = file
            progress(1)
            guard let fault = fault(of: file, isAbsent: row.text(2) == "absent") else { return }
            let finding = ArchiveFinding(
                kind: .file, state: fault.state, subject: archive.folder.relative(file.path),
                reason: fault.reason)
            guard archive.isChanging else { return suspects.append((file.sha256, finding)) }
            found.append(finding)
            guard isRepair else { return }
            damaged.append(file.sha256)
            if damaged.count == 1000 { try wantAgain(&damaged) }
        }
        try wantAgain(&damaged)
        // Another process may have forgotten them while this one read.
        for (sha256, finding) in suspects where try archive.isUsed(sha256) {
            found.append(finding)
        }
    }

    private func fault(
        of file: Archive.StoredFile, isAbsent: Bool
    ) -> (state: ArchiveFinding.State, reason: String)? {
        do throws(FileSystemError) {
            switch try archive.folder.checksum(ofMedium: file.path) {
            case nil:
                return (.missing, isAbsent ? "and the server no longer has it" : "no such file")
            case file.sha256?: return nil
            default: return (.damaged, "it has another hash")
            }
        } catch {
            return (.damaged, "\(error.reason)")
        }
    }

    private func strays(_ found: inout ArchiveFindings) throws(ArchiveError) {
        for folder in archive.folder.mediaFolders {
            let start = String(archive.folder.relative(folder).dropFirst("media/".count))
            let known = Set(
                try archive.database.rows(
                    "SELECT sha256, extension FROM media WHERE sha256 >= ?1 AND sha256 < ?2",
                    [.text(start), .text(start + "g")]
                ) { archive.storedFile($0)?.path })
            for path in FolderNames.all(in: folder).map({ "\(folder)/\($0)" })
            where !known.contains(path) {
                found.append(.stray, .harmless, archive.folder.relative(path), "no event has it")
            }
        }
    }
}
