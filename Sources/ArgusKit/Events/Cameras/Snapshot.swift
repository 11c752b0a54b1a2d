package import ArgusAccount
package import ArgusCore
import ArgusTransport

/// A picture from a camera.
package struct Snapshot: Sendable {
    package var bytes: [UInt8]
    /// The time of the picture, by the server's clock.
    package var takenAt: Timestamp?
    /// Its age when the server sent it; never negative.
    package var age: Duration?

    /// Returns the age by the server's own clock: `Date` less the picture's time, else `Age`
    /// (RFC 9111, section 5.1).
    static func age(of answer: HTTPResponse, takenAt: Timestamp? = nil) -> Duration? {
        let headers = answer.headers
        let takenAt = takenAt ?? headers["last-modified"].flatMap(HTTPDate.parse)
        guard let takenAt, let now = headers["date"].flatMap(HTTPDate.parse) else {
            return headers["age"].flatMap { Int($0) }.map { .seconds(max(0, min($0, 1 << 32))) }
        }
        return max(.zero, now - takenAt)
    }
}

extension Snapshot {
    /// Reads an answer that is the picture itself.
    init(_ answer: HTTPResponse) {
        self.init(bytes: answer.body, age: Self.age(of: answer))
    }
}

/// The quality of a picture; servers without the choice ignore it.
package enum SnapshotQuality: String, Sendable, CaseIterable {
    case low, medium, high
}

/// The checksums of the last pictures of a server's cameras, to detect stuck cameras.
///
/// A file of lines, `CAMERA TAB MICROSECONDS TAB SHA-256`; it may vanish at any time.
package struct SnapshotMemory: Sendable {
    /// The shortest interval at which a working camera never repeats the same bytes.
    private static let interval = Duration.seconds(1)

    private let file: CachedLines
    private var lines: [String: (time: Timestamp, checksum: String)] = [:]

    /// Reads the file of a server's cameras; nil if there is no cache folder.
    package init?(_ cache: Paths.Folder, server: ServerID) {
        guard let folder = cache.file(server.text) else { return nil }
        file = CachedLines(path: folder + "/snapshots")
        for line in file.all {
            let parts = line.split(separator: "\t")
            guard parts.count == 3, let time = Int64(parts[1]) else { continue }
            lines[String(parts[0])] = (Timestamp(microseconds: time), String(parts[2]))
        }
    }

    /// Records a picture; true if the camera's last one is identical, nil without an earlier one.
    package mutating func isRepeated(
        _ camera: String, _ checksum: String, at time: Timestamp
    ) -> Bool? {
        let last = lines[camera]
        if last?.checksum == checksum, let last, time - last.time < Self.interval { return nil }
        lines[camera] = (time, checksum)
        return last.map { $0.checksum == checksum }
    }

    /// Writes the file; a failure is ignored.
    package func keep() {
        let lines = lines.sorted { $0.key < $1.key }.filter { camera, _ in
            !camera.utf8.contains { $0 < 0x20 }
        }.map { camera, seen in "\(camera)\t\(seen.time.microseconds)\t\(seen.checksum)\n" }
        file.write(lines)
    }
}
