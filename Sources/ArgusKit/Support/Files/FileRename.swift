import Glibc

/// Moving a file to another name of the same folder in one step.
enum FileRename {
    /// Renames a file; without `replacing` a taken name is an error and stays as it is.
    ///
    /// - Throws: `.exists`, or the number of rename(2), renameat2(2) or link(2).
    static func move(
        _ source: String, to target: String, replacing: Bool
    ) throws(FileSystemError) {
        if replacing {
            guard rename(source, target) == 0 else { throw .current(.replace, target) }
            return
        }
        if let exclusively, exclusively(AT_FDCWD, source, AT_FDCWD, target, noReplace) == 0 {
            return
        }
        // Network and user-space file systems may lack the flag; link(2) refuses a taken name too.
        if exclusively == nil || [EINVAL, ENOSYS].contains(errno) {
            if link(source, target) == 0 {
                unlink(source)
                return
            }
        }
        throw errno == EEXIST
            ? FileSystemError(.create, target, .exists) : .current(.create, target)
    }

    private typealias RenameAt2 =
        @convention(c) (Int32, UnsafePointer<CChar>, Int32, UnsafePointer<CChar>, UInt32) -> Int32

    /// RENAME_NOREPLACE of linux/fs.h.
    private static let noReplace: UInt32 = 1

    /// renameat2(2), which glibc declares under _GNU_SOURCE only, out of Swift's sight.
    private static let exclusively: RenameAt2? = dlsym(nil, "renameat2").map {
        unsafeBitCast($0, to: RenameAt2.self)
    }
}
