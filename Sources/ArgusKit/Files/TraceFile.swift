import Glibc

/// The file of `--trace`: readable by its owner only, never opened through a link.
package enum TraceFile {
    /// Opens the file for appending, 0600 if it is created, and returns a descriptor that stays
    /// open.
    ///
    /// - Throws: `FileSystemError`, also for a link and for another user's file.
    package static func open(_ path: String) throws(FileSystemError) -> Int32 {
        // Without O_NONBLOCK a pipe without a reader would hang the command.
        let flags = O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
        let descriptor = Glibc.open(path, flags, 0o600)
        guard descriptor >= 0 else {
            // open(2) reports ENXIO for a pipe without a reader and for a socket.
            if errno == ENXIO { throw FileSystemError(.open, path, .notRegularFile) }
            throw .opening(path, flags, for: .open)
        }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_uid == geteuid() else {
            close(descriptor)
            throw FileSystemError(.open, path, .foreignOwner(status.st_uid))
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw FileSystemError(.open, path, .notRegularFile)
        }
        guard status.st_mode & 0o077 == 0 || fchmod(descriptor, 0o600) == 0 else {
            close(descriptor)
            throw .current(.open, path)
        }
        return descriptor
    }
}
