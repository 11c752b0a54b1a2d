package import ArgusCore
package import ArgusEvents

/// What a digest reads of an archive besides the events themselves.
extension Archive {
    /// The newest event of a camera in ten minutes.
    package struct Sighting: Sendable {
        /// The server's name, as in `Event.server`.
        package var server: String
        package var cameraID: String
        package var source: String?
        package var time: Timestamp
    }

    /// When the cameras of a server, or of all, had events: one of each ten minutes.
    /// - Throws: `ArchiveError`.
    package func sightings(
        in span: ClosedRange<Timestamp>, of server: Server?
    ) throws(ArchiveError) -> [Sighting] {
        let names = try serverNames()
        return try database.rows(
            """
            SELECT server, camera_id, max(timestamp), source FROM event
            WHERE timestamp BETWEEN ?1 AND ?2 AND camera_id IS NOT NULL
              AND (?3 IS NULL OR +server = ?3)
            GROUP BY server, camera_id, timestamp / 600000000
            """,
            [
                SQLiteValue(span.lowerBound), SQLiteValue(span.upperBound),
                SQLiteValue(server?.number),
            ]
        ) { row in
            guard let id = row.text(1), let time = row.time(2) else { return nil }
            return Sighting(
                server: row.int(0).flatMap { names[$0] } ?? "", cameraID: id, source: row.text(3),
                time: time)
        }
    }

    /// The servers by the names that tell them apart, with the start of the last complete sync.
    /// - Throws: `ArchiveError`.
    package func syncs(of server: Server?) throws(ArchiveError) -> [(
        name: String, last: Timestamp?
    )] {
        let names = try serverNames()
        return try servers().filter { server == nil || $0.number == server?.number }
            .map { (names[$0.number] ?? $0.name, $0.lastSync) }
    }

    /// The thumbnail of an archived event, as it was stored; nil if the archive does not have it.
    /// - Throws: `ArchiveError`.
    package func thumbnail(
        of event: Event, atMost size: Int
    ) throws(ArchiveError) -> [UInt8]? {
        let names = try serverNames()
        let files = try database.rows(
            """
            SELECT media.sha256, media.extension, event.server FROM event
            JOIN media ON media.event = event.number
            WHERE event.server IN (SELECT number FROM server) AND event.id = ?
              AND media.kind = 'thumbnail' AND media.state <> 'former'
              AND media.sha256 IS NOT NULL
            """, [.text(event.id)]
        ) { row in
            event.server == nil || row.int(2).flatMap { names[$0] } == event.server
                ? storedFile(row) : nil
        }
        guard let file = files.first else { return nil }
        let bytes = try? FileContents.bytes(ifAny: file.path, trust: .settings, limit: size)
        // A file that was damaged since is none.
        return bytes.flatMap { Checksum.sha256($0) == file.sha256 ? $0 : nil }
    }
}
