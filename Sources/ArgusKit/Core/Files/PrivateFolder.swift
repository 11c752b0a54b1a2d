import Glibc

/// Folders of argus that only their owner may enter.
package enum PrivateFolder {
    /// Makes the folder and those above it, 0700 whatever the umask, or checks an existing one.
    ///
    /// A folder of this user that others may enter is closed to them; one they may write is refused.
    /// - Throws: As `expectTrusted`, or the reason why the folder cannot be made.
    package static func prepare(_ path: String) throws(FileSystemError) {
        var status = stat()
        if lstat(path, &status) != 0 {
            guard errno == ENOENT else { throw .current(.create, path) }
            try makeFolder(path, isPrivate: true)
        }
        status = try trustedStatus(path)
        guard status.st_uid == geteuid(), status.st_mode & 0o077 != 0 else { return }
        if chmod(path, 0o700) != 0 { throw .current(.open, path) }
    }

    /// Checks that only this user or root can have put anything into a folder.
    /// - Throws: `.symbolicLink`, `.notFolder`, `.foreignOwner` or `.openToOthers` for an untrusted
    ///   folder; the error's `isAbsent` is true if there is none.
    package static func expectTrusted(_ path: String) throws(FileSystemError) {
        _ = try trustedStatus(path)
    }

    /// Checks that a small file can be written in a folder, which is made if absent.
    /// - Throws: As `prepare`, or the reason why the file cannot be written.
    package static func expectWritable(_ path: String) throws(FileSystemError) {
        try prepare(path)
        do throws(FileSystemError) {
            let trial = try AtomicFile(path + "/trial", for: .cache)
            defer { trial.discard() }
            // An empty file would succeed even on a full disk.
            try trial.write([UInt8](repeating: 0, count: 4096))
        } catch {
            // The user does not know the trial file.
            throw FileSystemError(error.operation, path, error.reason)
        }
    }

    /// True for root at a path in a folder of another user.
    package static func isForeign(_ path: String) -> Bool {
        var path = path
        var status = stat()
        while stat(path, &status) != 0, path != "/", path != "." {
            path = FileRename.folder(of: path)
        }
        return geteuid() == 0 && status.st_uid != 0
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
}

/// Makes a folder and those above it, 0700 whatever the umask if it is private, else 0777 less the
/// umask; an existing one stays as it is (mkdir(2)).
///
/// If it is `inheriting`, what root makes in a folder of another user is that user's.
package func makeFolder(
    _ path: String, isPrivate: Bool, inheriting: Bool = false
) throws(FileSystemError) {
    let mode: mode_t = isPrivate ? 0o700 : 0o777
    if mkdir(path, mode) != 0 {
        if errno == EEXIST { return }
        let error = FileSystemError.current(.create, path)
        let parent = FileRename.folder(of: FileRename.withoutSlash(path))
        guard error.isAbsent, parent != ".", parent != "/" else { throw error }
        try makeFolder(parent, isPrivate: isPrivate, inheriting: inheriting)
        guard mkdir(path, mode) == 0 || errno == EEXIST else { throw .current(.create, path) }
    }
    var above = stat()
    if inheriting, geteuid() == 0, stat(FileRename.folder(of: path), &above) == 0,
        above.st_uid != 0,
        let folder = try? OwnedDescriptor(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
    {
        _ = fchown(folder.rawValue, above.st_uid, above.st_gid)
    }
    // A umask such as 0777 takes away bits that argus itself needs.
    guard !isPrivate || chmod(path, mode) == 0 else { throw .current(.create, path) }
}

/// The permissions that this process takes from what it makes (umask(2)).
package enum CreationMask {
    /// Leaves the user's own permissions alone for good: with a umask such as 0777 no later run could
    /// open what this one made.
    package static func keepOwnPermissions() {
        let mask = umask(0o077)
        umask(mask & 0o077)
    }
}

/// The names in a folder.
package enum FolderNames {
    /// The names of all entries but `.` and `..`, unordered; empty if the folder cannot be read.
    package static func all(in folder: String) -> [String] { (try? ifAny(in: folder)) ?? [] }

    /// The names of all entries but `.` and `..`, unordered; empty if there is no folder.
    /// - Throws: `FileSystemError` if it cannot be read.
    package static func ifAny(in folder: String) throws(FileSystemError) -> [String] {
        guard let stream = opendir(folder) else {
            let error = FileSystemError.current(.read, folder)
            guard error.isAbsent else { throw error }
            return []
        }
        defer { closedir(stream) }
        var names: [String] = []
        // Not by copying the member: an entry ends with its name, before the end of the member.
        guard let offset = MemoryLayout<dirent>.offset(of: \.d_name) else { return [] }
        while let entry = readdir(stream) {
            let text = (UnsafeRawPointer(entry) + offset).assumingMemoryBound(to: CChar.self)
            let name = String(cString: text)
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }
}

/// The current folder, from which relative paths start.
package enum WorkingFolder {
    /// Its absolute path; nil if it is deleted, unreadable or not UTF-8 (getcwd(3)).
    package static func path() -> String? {
        guard let path = getcwd(nil, 0) else { return nil }
        defer { free(path) }
        return String(validatingCString: path)
    }
}

/// The access of this process to a folder of its user.
package enum FolderAccess: Sendable {
    case absent
    case unreachable(Errno)
    /// Another user could have put something into it.
    case untrusted(FileSystemError)
    case readOnly(Errno)
    /// Others may enter it too; the mode has its nine permission bits.
    case open(mode: UInt32)
    /// Only its owner may enter it.
    case closed

    /// Looks at a folder and changes nothing.
    package init(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else {
            self = errno == ENOENT ? .absent : .unreachable(.current)
            return
        }
        do throws(FileSystemError) {
            try PrivateFolder.expectTrusted(path)
            let mode = status.st_mode & 0o777
            let open = mode & 0o077 == 0 ? FolderAccess.closed : .open(mode: mode)
            self = access(path, W_OK) == 0 ? open : .readOnly(.current)
        } catch {
            self = .untrusted(error)
        }
    }
}
