import Glibc

// The files to fetch, and how each attempt ended.
extension ArchiveMedia {
    /// The number of syncs that try to download a damaged file.
    private static let tries = 5
    /// The age of an event up to which each full sync asks for its absent thumbnail again.
    private static let retryAge = Duration.seconds(7 * 86400)
    /// The age up to which a server may still make the frames and the video of an event.
    private static let recentAge = Duration.seconds(3600)

    /// Wants the files of a kind of all events that the server has.
    /// - Throws: `ArchiveError`.
    func want(_ kind: Kind) throws(ArchiveError) {
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
    /// - Throws: `ArchiveError`.
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
    func unwant(_ kind: Kind) throws(ArchiveError) {
        try archive.database.run(
            """
            DELETE FROM media WHERE state = 'wanted' AND kind = ?1 AND sha256 IS NULL
              AND event IN (SELECT number FROM event WHERE server = ?2)
            """, .text(kind.rawValue), SQLiteValue(server.number))
    }

    /// The next files of a kind, and the place after which others follow; nil at the end.
    func wanted(
        _ kind: Kind, after place: (number: Int, item: Int), atMost count: Int
    ) throws(ArchiveError) -> (files: [Wanted], place: (number: Int, item: Int))? {
        var places: [(number: Int, item: Int)] = []
        // The sign keeps SQLite from reading every event of the server first.
        try archive.database.forEach(
            """
            SELECT media.event, media.item FROM media JOIN event ON event.number = media.event
            WHERE media.state = 'wanted' AND media.event <= ?1
              AND (media.event, media.item) < (?1, ?2)
              AND media.kind = ?3 AND +event.server = ?4
            ORDER BY media.event DESC, media.item DESC LIMIT \(count)
            """,
            [
                SQLiteValue(place.number), SQLiteValue(place.item), .text(kind.rawValue),
                SQLiteValue(server.number),
            ]
        ) { row throws(ArchiveError) in
            if let number = row.int(0), let item = row.int(1) { places.append((number, item)) }
        }
        guard let last = places.last else { return nil }
        var files: [Wanted] = []
        for (number, item) in places {
            // A damaged event is named by `verify`; a full sync stores it again.
            let detail = try archive.object(number)?.view.flatMap(EventDetail.init)
            if let detail {
                files.append(Wanted(kind: kind, number: number, item: item, detail: detail))
            }
        }
        return (files, last)
    }

    /// Stores what the server answered.
    /// - Throws: `ArchiveError`.
    func store(
        _ outcome: Outcome, of file: Wanted, _ report: inout ArchiveReport
    ) throws(ArchiveError) {
        switch outcome {
        case .picture(let bytes):
            let kind: ImageKind
            do throws(ImageKind.Fault) {
                kind = try ImageKind.ofComplete(bytes)
            } catch {
                let fault = APIError(.malformedAnswer, "the picture \(error)")
                return try record(fault, of: file, &report)
            }
            let sha256 = try archive.keep(bytes, as: kind.fileExtension)
            try recordStored(file, sha256, bytes.count, kind.fileExtension)
            report.pictures += 1
        case .frames(let frames): try store(frames, of: file, &report)
        case .video(let part, let isSound): try store(part, isSound, of: file, &report)
        case .failure(let error): try record(error, of: file, &report)
        case .fault(let error): throw ArchiveError(error)
        }
    }

    private func store(
        _ frames: ListedRows<EventFrame>, of file: Wanted, _ report: inout ArchiveReport
    ) throws(ArchiveError) {
        guard !frames.isEmpty else {
            return try record(APIError(.notFound, "the event has no frames"), of: file, &report)
        }
        try archive.database.transaction { () throws(ArchiveError) in
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
    }

    private func store(
        _ part: PartialFile, _ isSound: Bool, of file: Wanted, _ report: inout ArchiveReport
    ) throws(ArchiveError) {
        let head = try rethrowing(try part.read(from: 4, count: 4), as: ArchiveError.init)
        guard head == Array("ftyp".utf8) else {
            let fault = APIError(.malformedAnswer, "the video is not an MP4")
            return try record(fault, of: file, &report)
        }
        let size = try rethrowing(try part.size, as: ArchiveError.init)
        let sha256 = try archive.keep(part)
        // It is whole as the server has it, and better than nothing.
        try recordStored(
            file, sha256, size, "mp4", isSound ? nil : "its boxes do not end where the file does")
        report.videos += 1
    }

    /// Notes a file that is on the disk by now.
    private func recordStored(
        _ file: Wanted, _ sha256: String, _ size: Int, _ fileExtension: String,
        _ reason: String? = nil
    ) throws(ArchiveError) {
        let former = try archive.filesOfEvent(file.number, file.kind, file.item)
        try archive.database.run(
            """
            UPDATE media SET state = 'stored', sha256 = ?4, bytes = ?5, extension = ?6, reason = ?7
            WHERE event = ?1 AND kind = ?2 AND item = ?3
            """, SQLiteValue(file.number), .text(file.kind.rawValue), SQLiteValue(file.item),
            .text(sha256), SQLiteValue(size), .text(fileExtension), SQLiteValue(reason))
        for former in former where former.sha256 != sha256 { try archive.removeUnused(former) }
    }

    /// Records why a file is missing.
    private func record(
        _ error: APIError, of file: Wanted, _ report: inout ArchiveReport
    ) throws(ArchiveError) {
        let isAbsent = error.kind == .notFound
        let age = file.detail.event.timestamp.map { now() - $0 }
        if isAbsent, file.kind != .thumbnail, let age, age < Self.recentAge { return }
        let reason = error.detail.isEmpty ? "status \(error.status ?? 0)" : error.detail
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
    /// True if other files of the kind may well be there.
    func concernsOneFile(_ kind: ArchiveMedia.Kind) -> Bool {
        switch self.kind {
        case .notFound, .rejected, .serverError, .malformedAnswer: true
        case .unsupported: kind == .thumbnail
        case .transport(let cause): cause.kind == .tooLarge || cause.kind == .truncatedBody
        default: false
        }
    }
}
