import Glibc

/// Temporary files of processes that were killed too hard to remove them.
///
/// They are no danger to what they were to replace, but what they hold would outlive it.
enum AbandonedFiles {
    /// In seconds; far longer than a living process takes to lock a file that it has made, or, where
    /// files cannot be locked, to write and rename it.
    private static let age = 60

    /// Removes them from a folder of small files; what cannot be removed stays.
    static func sweep(_ folder: String) {
        for name in FolderNames.all(in: folder) where AtomicFile.isTemporary(name) {
            let path = folder + "/" + name
            if isAbandoned(path) { unlink(path) }
        }
    }

    /// Whether nobody writes a temporary file any more.
    private static func isAbandoned(_ path: String) -> Bool {
        guard let file = try? OwnedDescriptor(path, O_WRONLY | O_NOFOLLOW | O_NONBLOCK),
            let status = try? file.status(of: path), status.st_mode & S_IFMT == S_IFREG
        else { return false }
        let isOld = status.st_mtim.tv_sec + age < time(nil)
        // Whoever writes locks the file before its first byte, until it has its name. An empty one
        // is not even tried: that could keep its writer from the lock.
        guard isOld || status.st_size > 0 else { return false }
        guard let isFree = try? FileLock.tryLocking(file.rawValue, path) else { return isOld }
        return isFree
    }
}
