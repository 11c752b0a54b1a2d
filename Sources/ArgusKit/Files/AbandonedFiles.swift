import Glibc

/// Temporary files left behind by processes that were killed.
///
/// They never damage the file that they were to replace, but their contents would outlive it.
enum AbandonedFiles {
    /// Seconds; far longer than a live process takes to lock a file that it has made or, on file
    /// systems without locks, to write and rename it.
    private static let age = 60

    /// Removes abandoned files from a folder of small files; skips those that cannot be removed.
    static func sweep(_ folder: String) {
        for name in FolderNames.all(in: folder) where AtomicFile.isTemporary(name) {
            let path = folder + "/" + name
            if isAbandoned(path) { unlink(path) }
        }
    }

    /// True if no process writes the temporary file any more.
    private static func isAbandoned(_ path: String) -> Bool {
        guard let file = try? OwnedDescriptor(path, O_WRONLY | O_NOFOLLOW | O_NONBLOCK),
            let status = try? file.status(of: path), status.st_mode & S_IFMT == S_IFREG
        else { return false }
        let isOld = status.st_mtim.tv_sec + age < time(nil)
        // A writer locks the file before its first byte and keeps the lock until the rename. An
        // empty file is not even tried: the attempt could keep its writer from the lock.
        guard isOld || status.st_size > 0 else { return false }
        guard let isFree = try? FileLock.tryLocking(file.rawValue, path) else { return isOld }
        return isFree
    }
}
