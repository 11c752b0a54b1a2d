package import ArgusCore
import Glibc

/// The pictures that timed runs saved in a folder: the only files that argus may delete there.
///
/// A file of lines, `CAMERA TAB MICROSECONDS TAB BYTES TAB SHA-256 TAB PATH`, in the folder itself. A
/// line is on disk before its picture has a name, so that a crash leaves no picture without a line.
/// The caller excludes other processes.
package struct PictureManifest: Sendable {
    /// A picture as it was saved.
    package struct Entry: Hashable, Sendable {
        package var camera: String
        package var takenAt: Timestamp
        package var byteCount: Int
        /// Hexadecimal, lower case.
        package var sha256: String
        /// The path below the folder.
        package var path: String

        package init(
            camera: String, takenAt: Timestamp, byteCount: Int, sha256: String, path: String
        ) {
            (self.camera, self.takenAt, self.path) = (camera, takenAt, path)
            (self.byteCount, self.sha256) = (byteCount, sha256)
        }
    }

    /// The name of the file in its folder.
    package static let name = ".argus-snapshots"

    private let folder: String
    private var file: String { "\(folder)/\(Self.name)" }

    package init(folder: String) { self.folder = folder }

    /// The path of a picture, below the folder as the caller gave it.
    package func path(of entry: Entry) -> String { "\(folder)/\(entry.path)" }

    /// Appends a line and waits until it is on disk.
    /// - Throws: `FileSystemError` if the file cannot be written.
    package func add(_ entry: Entry) throws(FileSystemError) {
        let file = try open(O_WRONLY | O_CREAT | O_APPEND, for: .create)
        // A crash may have truncated the last line, which the next must not continue.
        try writeAll(Array("\n\(entry.line)".utf8), to: file.rawValue, named: self.file)
        _ = retryingInterrupts { fsync(file.rawValue) }
    }

    /// The pictures that are still there as they were saved, oldest first; none without a file.
    /// - Throws: `FileSystemError` if the file cannot be read or others may have written it.
    package func entries() throws(FileSystemError) -> [Entry] {
        do {
            let descriptor = try open(O_RDONLY, for: .read)
            let bytes = try readToEnd(of: descriptor.rawValue, named: file, limit: 1 << 26)
            let entries = bytes.split(separator: UInt8(ascii: "\n")).compactMap {
                Entry(line: String(decoding: $0, as: UTF8.self))
            }
            // For a replaced picture the last line counts.
            var lines: [String: Int] = [:]
            for (line, entry) in entries.enumerated() { lines[entry.path] = line }
            // Pictures of one instant stay in the order of their lines.
            return lines.values.sorted { (entries[$0].takenAt, $0) < (entries[$1].takenAt, $1) }
                .map { entries[$0] }.filter(isUnchanged)
        } catch  where error.isAbsent {
            return []
        }
    }

    /// Deletes pictures and folders that become empty, and removes the lines of deleted and missing
    /// pictures.
    ///
    /// Returns the number of deleted pictures and the failures; pictures that could not be deleted
    /// stay listed.
    /// - Throws: `FileSystemError` if the file cannot be read or replaced.
    package func delete(
        _ doomed: [Entry]
    ) throws(FileSystemError) -> (count: Int, failures: [FileSystemError]) {
        var result: (count: Int, failures: [FileSystemError]) = (0, [])
        for entry in doomed where isIntact(entry) {
            let path = path(of: entry)
            guard unlink(path) == 0 else {
                result.failures.append(.current(.remove, path))
                continue
            }
            result.count += 1
            // Deletes enclosing folders while they are empty.
            var parent = FileRename.folder(of: entry.path)
            while parent != ".", rmdir("\(folder)/\(parent)") == 0 {
                parent = FileRename.folder(of: parent)
            }
        }
        guard FileContents.exists(file) else { return result }
        var bytes: [UInt8] = []
        for entry in try entries() { bytes += Array(entry.line.utf8) }
        try AtomicFile.write(bytes, to: file, for: .state, replacing: true)
        return result
    }

    /// Opens the file, which only this user may have written.
    private func open(
        _ flags: Int32, for operation: FileSystemError.Operation
    ) throws(FileSystemError) -> OwnedDescriptor {
        let descriptor = try OwnedDescriptor(
            file, flags | O_NOFOLLOW | O_NONBLOCK, mode: 0o600, for: operation)
        let status = try descriptor.status(of: file)
        guard status.st_uid == geteuid() else {
            throw FileSystemError(operation, file, .foreignOwner(status.st_uid))
        }
        guard status.st_mode & 0o022 == 0 else {
            throw FileSystemError(operation, file, .openToOthers(status.st_mode & 0o777))
        }
        return descriptor
    }

    /// True if the path is a regular file of the recorded size.
    private func isUnchanged(_ entry: Entry) -> Bool {
        var status = stat()
        return lstat(path(of: entry), &status) == 0
            && status.st_mode & S_IFMT == S_IFREG && Int(status.st_size) == entry.byteCount
    }

    /// True if the file still has the bytes that argus wrote.
    private func isIntact(_ entry: Entry) -> Bool {
        let path = path(of: entry)
        guard isUnchanged(entry),
            let bytes = try? FileContents(path, trust: .settings, limit: entry.byteCount).bytes
        else { return false }
        return Checksum.sha256(bytes) == entry.sha256
    }
}

extension PictureManifest.Entry {
    fileprivate var line: String {
        let camera = PercentEncoding.encode(camera)
        return "\(camera)\t\(takenAt.microseconds)\t\(byteCount)\t\(sha256)\t\(path)\n"
    }

    /// Parses a line; nil if it is truncated or leads out of the folder.
    fileprivate init?(line: String) {
        let parts = line.split(separator: "\t", omittingEmptySubsequences: false)
        guard parts.count == 5, let camera = PercentEncoding.decode(parts[0]),
            let time = Int64(parts[1]), let byteCount = Int(parts[2]), byteCount > 0,
            parts[3].utf8.count == 64, !parts[4].isEmpty, !parts[4].hasPrefix("/"),
            !parts[4].split(separator: "/").contains("..")
        else { return nil }
        self.init(
            camera: camera, takenAt: Timestamp(microseconds: time), byteCount: byteCount,
            sha256: String(parts[3]), path: String(parts[4]))
    }
}

/// The retention rule for saved pictures; a picture stays if either part keeps it.
package struct PictureRetention: Hashable, Sendable {
    /// The number of newest pictures to keep for each camera; nil for no such rule.
    package var last: Int?
    /// The age up to which to keep pictures; nil for no such rule.
    package var age: Duration?

    package init(last: Int?, age: Duration?) { (self.last, self.age) = (last, age) }

    /// True if no rule was given, so that all pictures stay.
    package var keepsAll: Bool { last == nil && age == nil }

    /// The pictures to delete among these, which are sorted, oldest first.
    package func expired(
        of entries: [PictureManifest.Entry], at now: Timestamp
    ) -> [PictureManifest.Entry] {
        if keepsAll { return [] }
        var newer: [String: Int] = [:]
        return entries.reversed().filter { entry in
            defer { newer[entry.camera, default: 0] += 1 }
            let isAmongLast = last.map { newer[entry.camera, default: 0] < $0 } ?? false
            let isYoung = age.map { now - entry.takenAt <= $0 } ?? false
            return !isAmongLast && !isYoung
        }.reversed()
    }
}
