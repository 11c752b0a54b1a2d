/// The last picture of each camera of a server, by checksum, to tell a camera that is stuck.
///
/// A file of lines, `CAMERA TAB MICROSECONDS TAB SHA-256`; it may vanish at any time.
package struct SnapshotMemory: Sendable {
    /// The shortest time after which a working camera never gives the same bytes again.
    private static let interval = Duration.seconds(1)
    private static let sizeLimit = 1 << 20

    private let folder: String
    private var lines: [String: (time: Timestamp, checksum: String)] = [:]
    private var path: String { folder + "/snapshots" }

    /// Reads what is known of a server's cameras; nil where nothing can be kept.
    package init?(_ place: Paths.Place, server: ServerID) {
        guard let folder = place.file(server.text) else { return nil }
        self.folder = folder
        let file = try? FileContents(path, trust: .state, limit: Self.sizeLimit)
        for line in String(decoding: file?.bytes ?? [], as: UTF8.self).split(separator: "\n") {
            let parts = line.split(separator: "\t")
            guard parts.count == 3, let time = Int64(parts[1]) else { continue }
            lines[String(parts[0])] = (Timestamp(microseconds: time), String(parts[2]))
        }
    }

    /// Whether a camera gave the same picture before; nil when no earlier one is known.
    package mutating func isRepeated(
        _ camera: String, _ checksum: String, at time: Timestamp
    ) -> Bool? {
        // The id is a server's, which could repeat a secret as one.
        let camera = camera.masked
        let last = lines[camera]
        if last?.checksum == checksum, let last, time - last.time < Self.interval { return nil }
        lines[camera] = (time, checksum)
        return last.map { $0.checksum == checksum }
    }

    /// Keeps what was seen, as far as it can be kept.
    package func keep() {
        let text = lines.sorted { $0.key < $1.key }.filter { camera, _ in
            !camera.utf8.contains { $0 < 0x20 }
        }.map { camera, seen in "\(camera)\t\(seen.time.microseconds)\t\(seen.checksum)\n" }
        try? PrivateFolder.prepare(folder)
        try? AtomicFile.write(Array(text.joined().utf8), to: path, for: .cache, replacing: true)
    }
}
