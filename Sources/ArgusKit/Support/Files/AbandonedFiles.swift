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
            var name = entry.pointee.d_name
            withUnsafeBytes(of: &name) { bytes in
                guard let text = bytes.bindMemory(to: CChar.self).baseAddress else { return }
                var status = stat()
                guard AtomicFile.isTemporary(String(cString: text)),
                    fstatat(dirfd(stream), text, &status, AT_SYMLINK_NOFOLLOW) == 0,
                    status.st_mode & S_IFMT == S_IFREG, status.st_mtim.tv_sec + age < now
                else { return }
                unlinkat(dirfd(stream), text, 0)
            }
        }
    }
}
