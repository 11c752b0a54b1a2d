package import ArgusCore
package import ArgusEvents

/// All that an archive keeps of an event as the server had it last, for a copy elsewhere.
package struct ArchivedOriginal: Sendable {
    /// A picture, frame or video.
    package struct File: Sendable {
        /// The kind, as in the table `media`.
        package var kind: Kind
        /// The number of a frame, 0 for others.
        package var item: Int
        /// The path; nil if the archive has not got the file.
        package var path: String?
        package var fileExtension: String
        /// The SHA-256 that was noted when the file was fetched.
        package var sha256: String
        /// The defect of the file, or the reason why it is missing.
        package var reason: String?
    }

    package enum Kind: String, Sendable { case thumbnail, frame, video }

    package var event: Event
    /// The server's own object, as its list had it.
    package var raw: [UInt8]
    /// The SHA-256 that was noted when the object was read.
    package var sha256: String
    package var archivedAt: Timestamp?
    /// When a sync first missed it on the server; nil while it is there.
    package var deletedAt: Timestamp?
    /// The picture, then the frames, then the video.
    package var files: [File]
}

extension Archive {
    /// The original of an event; nil if its object is not what was archived.
    /// - Throws: `ArchiveError`.
    package func original(_ number: Int) throws(ArchiveError) -> ArchivedOriginal? {
        guard let object = try object(number), let view = object.view,
            var event = Event(view)
        else { return nil }
        event.server = try serverNames()[object.server ?? 0]
        let files: [ArchivedOriginal.File] = try database.rows(
            """
            SELECT sha256, extension, kind, item, reason FROM media
            WHERE event = ? AND state <> 'former' ORDER BY kind = 'video', kind = 'frame', item
            """, [SQLiteValue(number)]
        ) { row in
            guard let kind = row.text(2).flatMap(ArchivedOriginal.Kind.init) else { return nil }
            return ArchivedOriginal.File(
                kind: kind, item: row.int(3) ?? 0, path: storedFile(row)?.path,
                fileExtension: row.text(1) ?? "", sha256: row.text(0) ?? "", reason: row.text(4))
        }
        return ArchivedOriginal(
            event: event, raw: object.raw, sha256: object.sha256,
            archivedAt: object.addedAt, deletedAt: object.deletedAt, files: files)
    }

    /// The number of the server of an event.
    /// - Throws: `ArchiveError`.
    package func server(ofEvent number: Int) throws(ArchiveError) -> Int? {
        try database.number("SELECT server FROM event WHERE number = ?", SQLiteValue(number))
    }

    /// The server with a number.
    /// - Throws: `ArchiveError`.
    package func server(_ number: Int) throws(ArchiveError) -> Server? {
        try servers().first { $0.number == number }
    }
}
