import Glibc

/// A folder that only its owner may enter, where argus keeps what nobody else should see.
package enum PrivateFolder {
    /// Makes the folder and those above it, 0700 whatever the umask, or checks the one there is.
    ///
    /// A folder of our own that others may enter is closed to them.
    /// - Throws: `.symbolicLink`, `.notFolder` or `.foreignOwner` for what may not be trusted.
    package static func prepare(_ path: String) throws(FileSystemError) {
        var status = stat()
        if lstat(path, &status) != 0 {
            guard errno == ENOENT else { throw .current(.create, path) }
            try make(path)
            guard lstat(path, &status) == 0 else { throw .current(.create, path) }
        }
        let kind = status.st_mode & S_IFMT
        guard kind != S_IFLNK else { throw FileSystemError(.open, path, .symbolicLink) }
        guard kind == S_IFDIR else { throw FileSystemError(.open, path, .notFolder) }
        guard status.st_uid == geteuid() else {
            throw FileSystemError(.open, path, .foreignOwner(status.st_uid))
        }
        if status.st_mode & 0o077 != 0, chmod(path, 0o700) != 0 { throw .current(.open, path) }
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
