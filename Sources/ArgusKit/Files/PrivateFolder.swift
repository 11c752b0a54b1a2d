import Glibc

/// A folder that only its owner may enter, where argus keeps what nobody else should see.
package enum PrivateFolder {
    /// Makes the folder and those above it, 0700 whatever the umask, or checks the one there is.
    ///
    /// A folder of our own that others may enter is closed to them; what they may have put into one
    /// that they can write stays there, so that one is refused.
    /// - Throws: as `expectTrusted`, or what keeps the folder from being made.
    package static func prepare(_ path: String) throws(FileSystemError) {
        var status = stat()
        if lstat(path, &status) != 0 {
            guard errno == ENOENT else { throw .current(.create, path) }
            try make(path)
        }
        status = try trustedStatus(path)
        guard status.st_uid == geteuid(), status.st_mode & 0o077 != 0 else { return }
        if chmod(path, 0o700) != 0 { throw .current(.open, path) }
    }

    /// Makes sure that nobody but this user or root can have put anything into a folder.
    ///
    /// - Throws: `.symbolicLink`, `.notFolder`, `.foreignOwner` or `.openToOthers` for what may not be
    ///   trusted; `isAbsent` is true of the error when there is no such folder.
    package static func expectTrusted(_ path: String) throws(FileSystemError) {
        _ = try trustedStatus(path)
    }

    /// Makes sure that a small file can be written in a folder, which is made where there is none.
    ///
    /// - Throws: as `prepare`, or what keeps the file from being written.
    package static func expectWritable(_ path: String) throws(FileSystemError) {
        try prepare(path)
        do throws(FileSystemError) {
            let trial = try AtomicFile(path + "/trial", for: .cache)
            defer { trial.discard() }
            // An empty file would still find room on a full disk.
            try trial.write([UInt8](repeating: 0, count: 4096))
        } catch {
            // Nobody knows the file that was tried.
            throw FileSystemError(error.operation, path, error.reason)
        }
    }

    private static func trustedStatus(_ path: String) throws(FileSystemError) -> stat {
        var status = stat()
        guard lstat(path, &status) == 0 else { throw .current(.open, path) }
        let kind = status.st_mode & S_IFMT
        guard kind != S_IFLNK else { throw FileSystemError(.open, path, .symbolicLink) }
        guard kind == S_IFDIR else { throw FileSystemError(.open, path, .notFolder) }
        guard status.st_uid == geteuid() || status.st_uid == 0 else {
            throw FileSystemError(.open, path, .foreignOwner(status.st_uid))
        }
        let mode = status.st_mode & 0o7777
        guard mode & 0o022 == 0 else { throw FileSystemError(.open, path, .openToOthers(mode)) }
        return status
    }

    private static func make(_ path: String) throws(FileSystemError) {
        if mkdir(path, 0o700) == 0 {
            // A umask such as 0777 takes away bits that we need ourselves.
            guard chmod(path, 0o700) == 0 else { throw .current(.create, path) }
            return
        }
        switch errno {
        case EEXIST: return  // another process was faster
        case ENOENT:
            guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else {
                throw .current(.create, path)
            }
            try make(String(path[..<slash]))
            guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw .current(.create, path) }
            guard chmod(path, 0o700) == 0 else { throw .current(.create, path) }
        default: throw .current(.create, path)
        }
    }
}
