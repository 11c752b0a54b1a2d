import Glibc

/// A file that grows as `NAME.part`, over several runs if need be, and gets its name when it is
/// whole.
///
/// What has been written stays when a run ends early. One process at a time has it.
package final class PartialFile: Sendable {
    /// What to do about a `NAME.part` that an earlier run has left.
    package enum Remains: Sendable {
        /// Go on where it ends; begin anew where there is none.
        case continued
        /// Begin anew.
        case replaced
        /// Refuse to begin, unless there is no more than a beginning of these bytes, such as a
        /// header without rows.
        case refused(besides: [UInt8])
    }

    /// The name that the file gets in the end.
    package let path: String
    private let file: Descriptor
    private let interruption: InterruptedFiles.Slot?

    /// The descriptor, to be written to at its end.
    package var descriptor: Int32 { file.descriptor.rawValue }

    /// The name of the file until it is whole.
    package var partPath: String { Self.partPath(of: path) }

    /// The name under which a file grows.
    package static func partPath(of path: String) -> String { path + ".part" }

    /// Opens or creates `NAME.part`.
    ///
    /// When a signal ends the process meanwhile, it is told that the file stays, with the advice,
    /// such as `go on with --resume`; an empty file is removed.
    /// - Throws: `FileSystemError`; `.exists` for refused remains, `.locked` while another process
    ///   writes it.
    package init(
        _ path: String, remains: Remains, advice: String
    ) throws(FileSystemError) {
        self.path = path
        let part = Self.partPath(of: path)
        let flags = O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK
        file = Descriptor(try OwnedDescriptor(part, flags, mode: 0o666, for: .create))
        let status = try file.descriptor.status(of: part)
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw FileSystemError(.create, part, .notRegularFile)
        }
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
        // Not before the lock is ours: an empty file may be another process's.
        interruption = InterruptedFiles.register(
            part, "argus: interrupted: what has come is in '\(part)'; \(advice)")
        if case .continued = remains { return }
        try truncate(to: 0)
    }

    deinit { interruption.map(InterruptedFiles.forget) }

    private static let noteName = "user.argus.part"

    /// What is noted of the file until it is whole; nil where nothing is, or where the file system
    /// keeps no notes.
    package var note: String? {
        get { FileAttribute.read(Self.noteName, of: descriptor) }
        set { FileAttribute.write(newValue, as: Self.noteName, of: descriptor) }
    }

    /// Bytes in the file now.
    package var size: Int {
        get throws(FileSystemError) { Int(try file.descriptor.status(of: partPath).st_size) }
    }

    /// Cuts off what comes after so many bytes.
    package func truncate(to size: Int) throws(FileSystemError) {
        guard ftruncate(descriptor, size) == 0 else { throw .current(.write, partPath) }
    }

    /// Adds bytes at the end.
    package func write(_ bytes: UnsafeRawBufferPointer) throws(FileSystemError) {
        try writeAll(bytes, to: descriptor, named: partPath)
    }

    /// The bytes of a part of the file; fewer at its end.
    package func read(from offset: Int, count: Int) throws(FileSystemError) -> [UInt8] {
        try readPart(of: descriptor, named: partPath, from: offset, count: count)
    }

    /// Gives the file its name.
    ///
    /// - Throws: `.exists` when the name is taken and `replacing` is false.
    package func commit(replacing: Bool) throws(FileSystemError) {
        guard fsync(descriptor) == 0 || errno == EINVAL || errno == ENOTSUP else {
            throw .current(.write, partPath)
        }
        try FileRename.move(partPath, to: path, replacing: replacing)
        note = nil
    }

    /// Removes `NAME.part`, where nothing of it is worth keeping.
    package func discard() { unlink(partPath) }

    /// Lets a class hold what only one may own.
    private final class Descriptor: Sendable {
        let descriptor: OwnedDescriptor
        init(_ descriptor: consuming OwnedDescriptor) { self.descriptor = descriptor }
    }
}
