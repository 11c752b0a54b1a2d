import Glibc

/// The bytes of a small file, read whole under a size limit and a trust rule.
package struct FileContents: Sendable {
    /// The rule that a file must satisfy.
    package enum Trust: Sendable {
        /// A path that the user named: links and pipes are followed, any owner is accepted.
        case named
        /// A settings file: links are followed, any owner is accepted, a pipe does not block.
        case settings
        /// A file that argus made: regular, not a link, owned by this user or root, and writable by
        /// no one else; the same holds for its folder.
        case state
        /// As `state`, and not readable by others (0600).
        case secretState
    }

    package var bytes: [UInt8]
    /// The permission bits if others may read or change the file; the caller warns for a secret.
    package var modeOpenToOthers: UInt32?

    /// Reads a whole file of at most `limit` bytes.
    /// - Throws: `FileSystemError`; its `isAbsent` is true if there is no such file.
    package init(_ path: String, trust: Trust, limit: Int) throws(FileSystemError) {
        let isOurs = trust == .state || trust == .secretState
        if isOurs {
            do throws(FileSystemError) {
                try PrivateFolder.expectTrusted(FileRename.folder(of: path))
            } catch  where error.isAbsent {}
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
            try status.expectOwnFile(path, for: .read)
            guard mode & (trust == .secretState ? 0o077 : 0o022) == 0 else {
                throw FileSystemError(.read, path, .openToOthers(mode))
            }
        }
        bytes = try readToEnd(of: file.rawValue, named: path, limit: limit)
        modeOpenToOthers = status.isRegularFile && mode & 0o077 != 0 ? mode : nil
    }

    /// The bytes of a whole file of at most `limit` bytes; nil if there is none.
    package static func bytes(
        ifAny path: String, trust: Trust, limit: Int
    ) throws(FileSystemError) -> [UInt8]? {
        do throws(FileSystemError) {
            return try FileContents(path, trust: trust, limit: limit).bytes
        } catch  where error.isAbsent {
            return nil
        }
    }

    /// The text of a small file; empty if it cannot be read.
    package static func text(of path: String, trust: Trust = .named, limit: Int = 64 << 10)
        -> String
    {
        let contents = try? FileContents(path, trust: trust, limit: limit)
        return String(decoding: contents?.bytes ?? [], as: UTF8.self)
    }

    /// Reads standard input from its current position to its end.
    /// - Throws: `FileSystemError`, also if the descriptor is closed.
    package static func standardInput(limit: Int) throws(FileSystemError) -> [UInt8] {
        try readToEnd(of: 0, named: "standard input", limit: limit)
    }

    /// Checks that this user may read a file or pipe, without reading it.
    /// - Throws: `FileSystemError`, also for a folder.
    package static func expectReadable(_ path: String) throws(FileSystemError) {
        var status = stat()
        guard access(path, R_OK) == 0, stat(path, &status) == 0 else { throw .current(.read, path) }
        guard status.st_mode & S_IFMT != S_IFDIR else {
            throw FileSystemError(.read, path, .errno(Errno(rawValue: EISDIR)))
        }
    }

    /// True if a later process will find the regular file under this path too, links followed.
    package static func isLasting(_ path: String) -> Bool {
        var status = stat()
        guard stat(path, &status) == 0, status.isRegularFile else { return false }
        return !["/dev/fd/", "/dev/stdin", "/proc/"].contains { path.hasPrefix($0) }
    }

    /// True if the path exists, links followed.
    package static func exists(_ path: String) -> Bool {
        // A file that may not be inspected exists; reading it reports why it cannot be used.
        access(path, F_OK) == 0 || (errno != ENOENT && errno != ENOTDIR)
    }
}
