import ArgusCore
import ArgusEvents
import ArgusTransport

// The files to fetch, and how each attempt ended.
extension EventArchiver {
    /// The number of syncs that try to download a damaged file.
    private static let tries = 5
    /// The age of an event up to which each full sync asks for its absent thumbnail again.
    private static let retryAge = Duration.seconds(7 * 86400)

    /// Wants the files of a kind of all events that the server has.
    func want(_ kind: FileKind) throws(ArchiveError) {
        try archive.database.run(
            """
            INSERT INTO media (event, kind, item, state, tries)
            SELECT number, ?1, 0, 'wanted', 0 FROM event
            WHERE +server = ?2 AND deleted_at IS NULL AND NOT EXISTS
              (SELECT 1 FROM media WHERE media.event = number AND kind = ?1 AND item = 0)
            """, .text(kind.rawValue), SQLiteValue(server.number))
    }

    /// Wants anew what the server failed to give, and recent thumbnails that it did not find: the disk
    /// with its pictures may have been missing for a while.
    func wantAgain() throws(ArchiveError) {
        try archive.database.run(
            """
            UPDATE media SET state = 'wanted', tries = 0
            WHERE state IN ('broken', 'absent') AND EXISTS
              (SELECT 1 FROM event WHERE number = media.event AND server = ?1
               AND deleted_at IS NULL AND (media.state = 'broken'
                 OR media.kind = 'thumbnail' AND has_thumbnail IS NOT 0 AND timestamp > ?2))
            """, SQLiteValue(server.number), SQLiteValue(now() - Self.retryAge))
    }

    /// Wants no more files of a kind, which the server has for no event.
    func unwant(_ kind: FileKind) throws(ArchiveError) {
        try archive.database.run(
            """
            DELETE FROM media WHERE state = 'wanted' AND kind = ?1 AND sha256 IS NULL
              AND event IN (SELECT number FROM event WHERE server = ?2)
            """, .text(kind.rawValue), SQLiteValue(server.number))
    }

    /// The numbers of the events that miss a file of a kind, the latest first.
    func wantedEvents(_ kind: FileKind) throws(ArchiveError) -> [Int] {
        // In this order SQLite reads what is wanted, and not every event.
        try archive.database.rows(
            """
            SELECT media.event FROM media INDEXED BY media_wanted
            CROSS JOIN event ON event.number = media.event
            WHERE media.state = 'wanted' AND media.kind = ?1 AND event.server = ?2
            GROUP BY media.event ORDER BY event.timestamp DESC, media.event
            """, [.text(kind.rawValue), SQLiteValue(server.number)]
        ) { $0.int(0) }
    }

    /// The number of files of a kind that events miss.
    func wantedFileCount(_ kind: FileKind) throws(ArchiveError) -> Int {
        try archive.database.rows(
            """
            SELECT count(*) FROM media INDEXED BY media_wanted
            CROSS JOIN event ON event.number = media.event
            WHERE media.state = 'wanted' AND media.kind = ?1 AND event.server = ?2
            """, [.text(kind.rawValue), SQLiteValue(server.number)]
        ) { $0.int(0) }.first ?? 0
    }

    /// The wanted files of an event; `size` grows by what they hold of its object.
    func wanted(
        _ kind: FileKind, of number: Int, adding size: inout Int
    ) throws(ArchiveError) -> [Wanted] {
        // A damaged event is named by `verify`.
        guard let object = try archive.object(number),
            var detail = object.view.flatMap(EventDetail.init)
        else { return [] }
        if kind == .thumbnail {
            size += object.raw.count
        } else {
            detail.thumbnail.base64 = nil
        }
        let items =
            kind != .frame
            ? [0]
            : try archive.database.rows(
                """
                SELECT item FROM media WHERE event = ? AND kind = 'frame' AND state = 'wanted'
                ORDER BY item
                """, [SQLiteValue(number)]
            ) { $0.int(0) }
        return items.map { Wanted(kind: kind, number: number, item: $0, detail: detail) }
    }

    struct KeptFile: Sendable {
        var sha256: String
        var bytes: Int
        var fileExtension: String
        /// The defect of the file; nil if it is whole.
        var reason: String?
    }

    /// Keeps a picture, if it is whole.
    func keep(_ bytes: [UInt8]) throws(FileSystemError) -> Outcome {
        let kind: ImageKind
        do throws(ImageKind.Fault) {
            kind = try ImageKind.ofComplete(bytes)
        } catch {
            return .failure(APIError(.malformedAnswer, "the picture \(error)"))
        }
        let sha256 = try archive.keep(bytes, as: kind.fileExtension)
        return .kept(
            KeptFile(sha256: sha256, bytes: bytes.count, fileExtension: kind.fileExtension))
    }

    func keep(_ part: PartialFile, _ isSound: Bool) throws(FileSystemError) -> Outcome {
        guard try part.read(from: 4, count: 4) == Array("ftyp".utf8) else {
            return .failure(APIError(.malformedAnswer, "the video is not an MP4"))
        }
        let size = try part.size
        // It is whole as the server has it, and better than nothing.
        return .kept(
            KeptFile(
                sha256: try archive.keep(part), bytes: size, fileExtension: "mp4",
                reason: isSound ? nil : "its boxes do not end where the file does"))
    }

    /// Notes what became of some files, in one transaction.
    func record(
        _ outcomes: [(Wanted, Outcome)], _ report: inout ArchiveReport
    ) throws(ArchiveError) {
        guard !outcomes.isEmpty else { return }
        try archive.database.transaction { () throws(ArchiveError) in
            for (file, outcome) in outcomes {
                switch outcome {
                case .kept(let kept):
                    try record(kept, of: file)
                    if file.kind == .video { report.videos += 1 } else { report.pictures += 1 }
                case .frames(let frames): try record(frames, of: file, &report)
                case .failure(let error): try record(error, of: file, &report)
                }
            }
        }
    }

    private func record(
        _ frames: ListedRows<EventFrame>, of file: Wanted, _ report: inout ArchiveReport
    ) throws(ArchiveError) {
        guard !frames.isEmpty else {
            return try record(APIError(.notFound, "the event has no frames"), of: file, &report)
        }
        for frame in frames.values {
            try archive.database.run(
                """
                INSERT OR IGNORE INTO media (event, kind, item, state, tries)
                VALUES (?, 'frame', ?, 'wanted', 0)
                """, SQLiteValue(file.number), SQLiteValue(frame.number))
        }
        try archive.database.run(
            "UPDATE media SET state = 'listed' WHERE event = ? AND kind = 'frames'",
            SQLiteValue(file.number))
    }

    /// Notes a file that is on the disk by now; a former one with other bytes stays beside it if it is
    /// whole, under a number below zero.
    private func record(_ kept: KeptFile, of file: Wanted) throws(ArchiveError) {
        let place = [
            SQLiteValue(file.number), .text(file.kind.rawValue), SQLiteValue(file.item),
            .text(kept.sha256),
        ]
        if try hasFormer(place) {
            try archive.database.run(
                """
                INSERT INTO media (event, kind, item, state, sha256, bytes, extension, tries)
                SELECT event, kind,
                  (SELECT min(min(item), 0) - 1 FROM media WHERE event = ?1 AND kind = ?2),
                  'former', sha256, bytes, extension, 0
                FROM media AS stored
                WHERE event = ?1 AND kind = ?2 AND item = ?3 AND sha256 <> ?4 AND NOT EXISTS
                  (SELECT 1 FROM media WHERE event = ?1 AND kind = ?2 AND item < 0
                   AND sha256 = stored.sha256)
                """, place)
        }
        try archive.database.run(
            """
            UPDATE media SET state = 'stored', sha256 = ?4, bytes = ?5, extension = ?6, reason = ?7
            WHERE event = ?1 AND kind = ?2 AND item = ?3
            """,
            place + [
                SQLiteValue(kept.bytes), .text(kept.fileExtension), SQLiteValue(kept.reason),
            ])
    }

    /// True if there is another file in a place, and it is whole as far as can be read.
    private func hasFormer(_ place: [SQLiteValue]) throws(ArchiveError) -> Bool {
        let stored = try archive.database.first(
            """
            SELECT sha256, extension FROM media
            WHERE event = ?1 AND kind = ?2 AND item = ?3 AND sha256 <> ?4
            """, place, archive.storedFile)
        guard let stored else { return false }
        do throws(FileSystemError) {
            return try archive.folder.checksum(ofMedium: stored.path) == stored.sha256
        } catch {
            // A disk that fails for a moment gives it later.
            return error.reason != .symbolicLink
        }
    }

    /// Records why a file is missing.
    private func record(
        _ error: APIError, of file: Wanted, _ report: inout ArchiveReport
    ) throws(ArchiveError) {
        // A proxy in front says nothing about the file: the next sync asks again.
        guard !error.isForeign else { return report.brokenFiles += 1 }
        let isAbsent = error.kind == .notFound
        let age = file.detail.event.timestamp.map { now() - $0 }
        if isAbsent, file.kind != .thumbnail, let age, age < Archive.recentAge { return }
        let reason = error.detail.isEmpty ? "status \(error.status ?? 0)" : error.detail.masked
        try archive.database.run(
            """
            UPDATE media SET tries = tries + 1, reason = ?4,
              state = CASE WHEN ?5 THEN 'absent' WHEN tries + 1 >= ?6 THEN 'broken'
                ELSE 'wanted' END
            WHERE event = ?1 AND kind = ?2 AND item = ?3
            """, SQLiteValue(file.number), .text(file.kind.rawValue), SQLiteValue(file.item),
            .text(reason), SQLiteValue(isAbsent), SQLiteValue(Self.tries))
        // Few events have a video; the others are complete without one.
        guard isAbsent else { return report.brokenFiles += 1 }
        if file.kind == .thumbnail || file.kind == .frame { report.absentFiles += 1 }
    }
}

extension APIError {
    /// True if the server may well give files of other kinds.
    var concernsOneKind: Bool { isUnsupported || kind == .forbidden }

    /// True if other files of the kind may well be there.
    func concernsOneFile(_ kind: EventArchiver.FileKind) -> Bool {
        switch self.kind {
        case .notFound, .rejected, .serverError, .malformedAnswer: true
        case .foreign(let status): status < 500
        case .unsupported: kind == .thumbnail
        case .transport(let cause): cause.kind == .tooLarge || cause.kind == .truncatedBody
        default: false
        }
    }
}
