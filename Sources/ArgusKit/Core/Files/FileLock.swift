import Glibc

/// An exclusive lock between processes, which the kernel releases when its holder dies.
///
/// An open-file-description lock (fcntl(2), F_OFD_SETLK) also excludes other tasks of this process.
/// The lock file stays; its existence means nothing.
package struct FileLock: ~Copyable, Sendable {
    /// Waits for a duration; injected so that tests do not sleep.
    package typealias Sleep = @Sendable (Duration) async throws -> Void

    private let descriptor: OwnedDescriptor

    /// Takes the lock of the file, or of one of its bytes, trying every 10 ms to 100 ms until
    /// `timeout` has passed.
    /// - Throws: `.locked` after `timeout` or when `sleep` throws, as on cancellation;
    ///   `FileSystemError` if the lock file cannot be opened or belongs to another user.
    package init(
        _ path: String, byte: Int? = nil, timeout: Duration,
        sleep: Sleep = { try await Task.sleep(for: $0) }
    ) async throws(FileSystemError) {
        let descriptor = try Self.open(path)
        var waited = Duration.zero
        var pause = Duration.milliseconds(10)
        while try !Self.tryLocking(descriptor.rawValue, path, byte: byte) {
            guard waited < timeout else { throw FileSystemError(.lock, path, .locked) }
            do { try await sleep(pause) } catch { throw FileSystemError(.lock, path, .locked) }
            waited += pause
            pause = min(pause * 2, .milliseconds(100))
        }
        self.descriptor = descriptor
    }

    /// Releases the lock; so does the end of its lifetime.
    ///
    /// A holder must call it, or use the lock in another way, after the work: the optimizer destroys a
    /// value of another module that is only consumed, as by `_ = consume lock`, before the work begins.
    package consuming func release() { unlock() }

    deinit { unlock() }

    @inline(never)
    private func unlock() {
        // Closing alone leaves it with a child that has not reached exec(2).
        var request = Self.request(F_UNLCK)
        _ = fcntl(descriptor.rawValue, Self.setOpenFileLock, &request)
    }

    /// Opens a lock file of this user, which is made with mode 0600.
    /// - Throws: `FileSystemError` if it is not a regular file, or belongs to another user.
    package static func open(_ path: String) throws(FileSystemError) -> OwnedDescriptor {
        let descriptor = try OwnedDescriptor(
            path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK, mode: 0o600, for: .lock)
        let status = try descriptor.status(of: path)
        try status.expectOwnFile(path, for: .lock)
        // A umask such as 0777 would keep this user from opening the file the next time.
        if status.st_mode & 0o777 != 0o600 { _ = fchmod(descriptor.rawValue, 0o600) }
        return descriptor
    }

    /// Takes the lock of an open file, or of a byte, until it is closed; false if another has it.
    /// - Throws: `FileSystemError` if the file system has no locks.
    package static func tryLocking(
        _ number: Int32, _ path: String, byte: Int? = nil
    ) throws(FileSystemError) -> Bool {
        var request = request(F_WRLCK)
        if let byte { (request.l_start, request.l_len) = (byte, 1) }
        guard fcntl(number, setOpenFileLock, &request) != 0 else { return true }
        guard [EAGAIN, EACCES, EINTR].contains(errno) else { throw .current(.lock, path) }
        return false
    }

    /// Returns true while a process holds the lock, which is not taken even for a moment.
    /// - Throws: `FileSystemError` if the file cannot be opened, or the file system has no locks.
    package static func isHeld(_ path: String) throws(FileSystemError) -> Bool {
        let descriptor: OwnedDescriptor
        do throws(FileSystemError) {
            descriptor = try OwnedDescriptor(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK, for: .lock)
        } catch  where error.isAbsent {
            return false
        }
        var request = request(F_WRLCK)
        guard fcntl(descriptor.rawValue, getOpenFileLock, &request) == 0 else {
            throw .current(.lock, path)
        }
        return request.l_type != Int16(F_UNLCK)
    }

    private static func request(_ type: Int32) -> flock {
        flock(l_type: Int16(type), l_whence: Int16(SEEK_SET), l_start: 0, l_len: 0, l_pid: 0)
    }

    /// F_OFD_GETLK of fcntl.h, as below.
    private static let getOpenFileLock: Int32 = 36
    /// F_OFD_SETLK of fcntl.h, which glibc declares only under _GNU_SOURCE.
    private static let setOpenFileLock: Int32 = 37
}

extension Optional where Wrapped == FileLock {
    /// Releases the lock, if there is one.
    package consuming func release() {
        if let lock = consume self { lock.release() }
    }
}
