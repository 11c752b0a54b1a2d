internal import CProcess
import Glibc

/// A file that grows as `NAME.part` over several runs until it is complete; one process holds it.
package final class PartialFile: Sendable {
    /// The treatment of a `NAME.part` that an earlier run left.
    package enum Remains: Sendable {
        /// Continue at its end; start from scratch if it does not exist.
        case continued
        case replaced
        /// Refuse to start, unless the file holds only the beginning of these bytes (a header).
        case refused(besides: [UInt8])
    }

    package let path: String
    private let file: SharedDescriptor
    private let interruption: TemporaryFiles.Slot

    /// The descriptor to write to, at its end.
    package var descriptor: Int32 { file.descriptor.rawValue }

    /// The name of the file until it is complete.
    package var partPath: String { Self.partPath(of: path) }

    /// The name under which a file grows.
    package static func partPath(of path: String) -> String { path + ".part" }

    /// Opens or creates `NAME.part`; a signal reports that it stays, and prints `advice`,
    /// such as `go on with --resume`, or removes an empty file.
    /// - Throws: `FileSystemError`; `.exists` for refused remains, `.locked` while another process
    ///   writes the file.
    package init(_ path: String, remains: Remains, advice: String) throws(FileSystemError) {
        self.path = path
        let part = Self.partPath(of: path)
        let flags = O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK
        file = SharedDescriptor(try OwnedDescriptor(part, flags, mode: 0o666, for: .create))
        let status = try file.descriptor.status(of: part)
        guard status.isRegularFile else { throw FileSystemError(.create, part, .notRegularFile) }
        guard flock(file.descriptor.rawValue, LOCK_EX | LOCK_NB) == 0 else {
            throw FileSystemError(.lock, part, .locked)
        }
        if case .refused(let worthless) = remains {
            let found = try readPart(
                of: file.descriptor.rawValue, named: part, from: 0, count: worthless.count + 1)
            guard worthless.starts(with: found) else {
                throw FileSystemError(.create, part, .exists)
            }
        }
        // Only under the lock: an empty file may be another process's.
        interruption = TemporaryFiles.register(
            part,
            reporting: "argus: interrupted: the data so far is in '\(part)'; \(advice)")
        if case .continued = remains { return }
        try truncate(to: 0)
    }

    deinit { TemporaryFiles.forget(interruption) }

    private static let noteName = "user.argus.part"
    private static let longestNote = 64 << 10

    /// A text stored with the unfinished file, as an attribute (xattr(7)); nil if there is none, or if
    /// the file system has no extended attributes.
    package var note: String? {
        get {
            let bytes = [UInt8](unsafeUninitializedCapacity: Self.longestNote) { buffer, count in
                count = max(
                    0, fgetxattr(descriptor, Self.noteName, buffer.baseAddress, buffer.count))
            }
            return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
        }
        set {
            guard var note = newValue else {
                fremovexattr(descriptor, Self.noteName)
                return
            }
            _ = note.withUTF8 {
                fsetxattr(descriptor, Self.noteName, $0.baseAddress, $0.count, 0)
            }
        }
    }

    /// The current size in bytes.
    package var size: Int {
        get throws(FileSystemError) { Int(try file.descriptor.status(of: partPath).st_size) }
    }

    /// Truncates the file to a size in bytes.
    /// - Throws: `FileSystemError`.
    package func truncate(to size: Int) throws(FileSystemError) {
        guard ftruncate(descriptor, size) == 0 else { throw .current(.write, partPath) }
    }

    /// Appends bytes.
    /// - Throws: `FileSystemError`.
    package func write(_ bytes: UnsafeRawBufferPointer) throws(FileSystemError) {
        try writeAll(bytes, to: descriptor, named: partPath)
    }

    /// Reads `count` bytes at an offset, fewer at the end of the file.
    /// - Throws: `FileSystemError`.
    package func read(from offset: Int, count: Int) throws(FileSystemError) -> [UInt8] {
        try readPart(of: descriptor, named: partPath, from: offset, count: count)
    }

    /// Synchronises the file to disk and renames it to its final name.
    /// - Throws: `.exists` if the name is taken and `replacing` is false.
    package func commit(replacing: Bool) throws(FileSystemError) {
        guard retryingInterrupts({ fsync(descriptor) }) == 0 || errno == EINVAL || errno == ENOTSUP
        else {
            throw .current(.write, partPath)
        }
        try FileRename.move(partPath, to: path, replacing: replacing)
        note = nil
    }

    /// Removes `NAME.part`.
    package func discard() { unlink(partPath) }
}
