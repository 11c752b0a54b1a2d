import Glibc
import Synchronization

/// A file that appears under its name complete or not at all.
///
/// Bytes go to a temporary file beside it, which `commit` renames; a discarded, released or
/// interrupted file leaves nothing behind. Any thread may write.
package final class AtomicFile: ByteDestination {
    /// The reader of the file, which decides its permissions at creation and its durability.
    package enum Audience: Sendable {
        /// State of argus: 0600 whatever the umask, synchronised to disk before the rename.
        case state
        /// A cache of argus, which a crash may lose: 0600, without waiting for the disk.
        case cache
        /// Settings that the user may edit: owner and mode of the file it replaces, else those of its
        /// folder and 0600.
        case settings
        /// Output that the user asked for: owner and mode of the replaced file, else 0666 less the umask.
        case person
        /// Output that others should not see: as `person`, but 0600.
        case owner
    }

    private enum Phase: Sendable {
        case writing
        /// A write failed, so the file may never be put in place.
        case failed(FileSystemError)
        case finished
    }

    private static let prefix = ".argus-"
    private static let suffix = ".tmp"

    /// True for the name of an unfinished file.
    package static func isTemporary(_ name: String) -> Bool {
        name.hasPrefix(prefix) && name.hasSuffix(suffix)
    }

    private let path: String
    private let temporaryPath: String
    private let audience: Audience
    private let slot: TemporaryFiles.Slot
    private let descriptor: OwnedDescriptor
    private let phase = Mutex(Phase.writing)
    private let isReserved = Atomic(false)

    /// Creates the temporary file beside `path`.
    /// - Throws: `FileSystemError` if the folder is absent or not writable.
    package init(_ path: String, for audience: Audience) throws(FileSystemError) {
        let name = Self.prefix + String(UInt64.random(in: .min ... .max), radix: 36) + Self.suffix
        let temporaryPath = FileRename.folder(of: path) + "/" + name
        self.path = path
        self.audience = audience
        self.temporaryPath = temporaryPath
        let slot = TemporaryFiles.register(temporaryPath)
        self.slot = slot
        do {
            descriptor = try OwnedDescriptor(
                temporaryPath, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW,
                mode: audience == .person ? 0o666 : 0o600, for: .create)
        } catch {
            TemporaryFiles.forget(slot)
            // The user knows the name they asked for, not the temporary one.
            throw FileSystemError(error.operation, path, error.reason)
        }
        // A umask such as 0277 takes away bits that the owner needs to read the file back. Settings
        // may be linked into a file system that has no modes to set.
        if audience != .person, fchmod(descriptor.rawValue, 0o600) != 0,
            ![.settings, .owner].contains(audience)
        {
            throw .current(.create, path)
        }
        // An unlocked file counts as abandoned (AbandonedFiles).
        _ = try? FileLock.tryLocking(descriptor.rawValue, path)
    }

    deinit { discard() }

    /// The number of the descriptor, for another program that writes the file.
    package var number: Int32 { descriptor.rawValue }

    /// Takes the disk space of the first `count` bytes before they are written.
    /// - Throws: `FileSystemError` if the disk has too little.
    package func reserve(_ count: Int) throws(FileSystemError) {
        isReserved.store(true, ordering: .relaxed)
        var problem: Int32
        repeat { problem = posix_fallocate(descriptor.rawValue, 0, count) } while problem == EINTR
        guard [0, EINVAL, ENOSYS, EOPNOTSUPP].contains(problem) else {
            throw FileSystemError(.write, path, .errno(Errno(rawValue: problem)))
        }
        // Network file systems report a full disk only here.
        try synchronize(descriptor.rawValue)
    }

    /// Appends bytes.
    /// - Throws: `FileSystemError`; after a failure every later call fails with the same error.
    package func write(_ bytes: UnsafeRawBufferPointer) throws(FileSystemError) {
        try phase.withLock { phase throws(FileSystemError) in
            switch phase {
            case .writing: break
            case .failed(let error): throw error
            case .finished: preconditionFailure("a finished file was written to")
            }
            do throws(FileSystemError) {
                try writeAll(bytes, to: descriptor.rawValue, named: path)
            } catch {
                phase = .failed(error)
                throw error
            }
        }
    }

    /// Renames the file in one step, as durably as its audience needs.
    /// - Throws: `.exists` if the name is taken and `replacing` is false, `.foreignOwner` if the owner of
    ///   the replaced file would lose it. After any failure the old file is intact and the temporary
    ///   file is deleted.
    package func commit(replacing: Bool) throws(FileSystemError) {
        try phase.withLock { phase throws(FileSystemError) in
            switch phase {
            case .writing: break
            case .failed(let error): throw error
            case .finished: preconditionFailure("a file was finished twice")
            }
            defer {
                phase = .finished
                TemporaryFiles.forget(slot)
            }
            do throws(FileSystemError) {
                if [.person, .owner, .settings].contains(audience) {
                    try keepOwner(replacing: replacing)
                }
                if isReserved.load(ordering: .relaxed) { try dropSpareSpace() }
                if audience != .cache { try synchronize(descriptor.rawValue) }
                try FileRename.move(temporaryPath, to: path, replacing: replacing)
            } catch {
                unlink(temporaryPath)
                throw error
            }
            // A user can ask for output again; a rotated token is issued once.
            if audience == .state { FileRename.synchronizeFolder(of: path) }
        }
    }

    /// Removes the temporary file; does nothing after `commit` or a first `discard`.
    package func discard() {
        phase.withLock { phase in
            if case .finished = phase { return }
            phase = .finished
            unlink(temporaryPath)
            TemporaryFiles.forget(slot)
        }
    }

    private func dropSpareSpace() throws(FileSystemError) {
        let (number, end) = (descriptor.rawValue, lseek(descriptor.rawValue, 0, SEEK_CUR))
        guard end >= 0, retryingInterrupts({ ftruncate(number, end) }) == 0 else {
            throw .current(.write, path)
        }
    }

    /// Gives the file the owner and the mode of the one that it replaces.
    ///
    /// New settings in the folder of another user are that user's, too: root may run with their HOME.
    /// - Throws: `.foreignOwner` for an owner or a group that this user may not give a file to.
    private func keepOwner(replacing: Bool) throws(FileSystemError) {
        var status = stat()
        let isReplaced = replacing && lstat(path, &status) == 0 && status.isRegularFile
        guard
            isReplaced
                || audience == .settings && stat(FileRename.folder(of: path), &status) == 0
        else { return }
        let own = try descriptor.status(of: path)
        let isOwn = (own.st_uid, own.st_gid) == (status.st_uid, status.st_gid)
        // The group of a folder need not be that of its files.
        if !isOwn, isReplaced || own.st_uid != status.st_uid,
            fchown(descriptor.rawValue, status.st_uid, status.st_gid) != 0, isReplaced
        {
            throw own.st_uid == status.st_uid
                ? .current(.replace, path)
                : FileSystemError(.replace, path, .foreignOwner(status.st_uid))
        }
        // Best effort: some file systems have no modes to set.
        if isReplaced { _ = fchmod(descriptor.rawValue, status.st_mode & 0o777) }
    }

    private func synchronize(_ number: Int32) throws(FileSystemError) {
        guard retryingInterrupts({ fsync(number) }) != 0 else { return }
        // File systems without fsync(2) report EINVAL or ENOTSUP; nothing more can be done there.
        guard errno == EINVAL || errno == ENOTSUP else { throw .current(.write, path) }
    }

    /// Writes a whole small file in one call.
    /// - Throws: As `write` and `commit`.
    package static func write(
        _ bytes: [UInt8], to path: String, for audience: Audience, replacing: Bool
    ) throws(FileSystemError) {
        let file = try AtomicFile(path, for: audience)
        try file.write(bytes)
        try file.commit(replacing: replacing)
    }
}

/// Temporary files left behind by killed processes, whose contents would outlive the file itself.
package enum AbandonedFiles {
    /// Seconds; far longer than a live process takes to lock a file that it has made or, on file
    /// systems without locks, to write and rename it.
    private static let age = 60

    /// The folders that this process has swept for pictures and the like, of which it may make many.
    private static let swept = Mutex<Set<String>>([])

    /// Removes abandoned files, once in a process, from a folder that may have many others.
    static func sweepOnce(_ folder: String) {
        if swept.withLock({ $0.insert(folder).inserted }) { sweep(folder) }
    }

    /// Removes abandoned files of this user from a folder; skips those that cannot be removed.
    package static func sweep(_ folder: String) {
        for name in FolderNames.all(in: folder) where AtomicFile.isTemporary(name) {
            let path = folder + "/" + name
            if isAbandoned(path) { unlink(path) }
        }
    }

    /// True if no process is writing the temporary file.
    private static func isAbandoned(_ path: String) -> Bool {
        guard let file = try? OwnedDescriptor(path, O_WRONLY | O_NOFOLLOW | O_NONBLOCK),
            let status = try? file.status(of: path), status.isRegularFile,
            status.st_uid == geteuid()
        else { return false }
        let isOld = status.st_mtim.tv_sec + age < time(nil)
        // A writer locks the file before its first byte and keeps the lock until the rename. An
        // empty file is not even tried: the attempt could keep its writer from the lock.
        guard isOld || status.st_size > 0 else { return false }
        guard let isFree = try? FileLock.tryLocking(file.rawValue, path) else { return isOld }
        return isFree
    }
}
