import Glibc

/// Temporary files of processes that were killed too hard to remove them.
///
/// They are no danger to what they were to replace, but what they hold would outlive it.
enum AbandonedFiles {
    /// In seconds; far longer than a living process takes to write a small file and rename it.
    private static let age = 60

    /// Removes them from a folder of small files; what cannot be removed stays.
    static func sweep(_ folder: String) {
        guard let stream = opendir(folder) else { return }
        defer { closedir(stream) }
        let now = time(nil)
        while let entry = readdir(stream) {
            // Not by a copy of the member: an entry ends with its name, before the member does.
            guard let offset = MemoryLayout<dirent>.offset(of: \.d_name) else { return }
            let text = (UnsafeRawPointer(entry) + offset).assumingMemoryBound(to: CChar.self)
            var status = stat()
            guard AtomicFile.isTemporary(String(cString: text)),
                fstatat(dirfd(stream), text, &status, AT_SYMLINK_NOFOLLOW) == 0,
                status.st_mode & S_IFMT == S_IFREG, status.st_mtim.tv_sec + age < now
            else { continue }
            unlinkat(dirfd(stream), text, 0)
        }
    }
}
