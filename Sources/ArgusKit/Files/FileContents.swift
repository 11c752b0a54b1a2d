import Glibc

/// The bytes of a small file, read whole under a bound and a rule of trust.
package struct FileContents: Sendable {
    /// How far the place of a file is trusted.
    package enum Trust: Sendable {
        /// A path that a person named: links and pipes are followed, any owner is right.
        case named
        /// A file of the person's in a place of argus's: links are followed, any owner is right, but
        /// nobody waits for a pipe.
        case settings
        /// A file that argus made: no link, a regular file, owned by this user or root, and
        /// writable by nobody else; its folder likewise.
        case state
        /// As `state`, and readable by nobody else (0600).
        case secretState
    }

    package var bytes: [UInt8]
    /// Permission bits when users other than the owner may read or change the file, to be told
    /// where it holds a secret.
    package var modeOpenToOthers: UInt32?

    /// Reads a whole file of at most `limit` bytes.
    ///
    /// - Throws: `FileSystemError`; `isAbsent` is true of it when there is no such file.
    package init(
        _ path: String, trust: Trust, limit: Int
    ) throws(FileSystemError) {
        let isOurs = trust == .state || trust == .secretState
        if isOurs {
            do throws(FileSystemError) {
                try PrivateFolder.expectTrusted(FileRename.folder(of: path))
            } catch {
                guard error.isAbsent else { throw error }
            }
        }
        // Without O_NONBLOCK a pipe planted in the state folder would hang the reader.
        let waiting = trust == .named ? 0 : O_NONBLOCK
        let following = isOurs ? O_NOFOLLOW : 0
        let file = try OwnedDescriptor(path, O_RDONLY | waiting | following, for: .read)
        let status = try file.status(of: path)
        let mode = status.st_mode & 0o7777
        if trust == .settings, status.st_mode & S_IFMT == S_IFIFO {
            throw FileSystemError(.read, path, .notRegularFile)
        }
        if isOurs {
            guard status.st_mode & S_IFMT == S_IFREG else {
                throw FileSystemError(.read, path, .notRegularFile)
            }
            guard status.st_uid == geteuid() || status.st_uid == 0 else {
                throw FileSystemError(.read, path, .foreignOwner(status.st_uid))
            }
            guard mode & (trust == .secretState ? 0o077 : 0o022) == 0 else {
                throw FileSystemError(.read, path, .openToOthers(mode))
            }
        }
        bytes = try file.readAll(from: path, limit: limit)
        let isRegular = status.st_mode & S_IFMT == S_IFREG
        modeOpenToOthers = isRegular && mode & 0o077 != 0 ? mode : nil
    }

    /// Reads standard input to its end, from where it stands, whatever it is: a file that was read
    /// from before, a pipe or a socket.
    ///
    /// - Throws: `FileSystemError`, also where the caller has closed it.
    package static func standardInput(limit: Int) throws(FileSystemError) -> [UInt8] {
        try readToEnd(of: 0, named: "standard input", limit: limit)
    }

    /// Makes sure that there is a file or pipe which this user may read, without reading it.
    package static func expectReadable(_ path: String) throws(FileSystemError) {
        var status = stat()
        guard access(path, R_OK) == 0, stat(path, &status) == 0 else {
            throw .current(.read, path)
        }
        guard status.st_mode & S_IFMT != S_IFDIR else {
            throw FileSystemError(.read, path, .errno(Errno(rawValue: EISDIR)))
        }
    }

    /// Whether a later process will find the file under that path too: a regular one, links
    /// followed, and none that is named by a descriptor of this process.
    package static func isLasting(_ path: String) -> Bool {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return false }
        return !["/dev/fd/", "/dev/stdin", "/proc/"].contains { path.hasPrefix($0) }
    }

    /// Whether something stands under that path, links followed.
    package static func exists(_ path: String) -> Bool {
        // A file that may not be looked at is there: reading it tells why it cannot be used.
        access(path, F_OK) == 0 || (errno != ENOENT && errno != ENOTDIR)
    }
}
