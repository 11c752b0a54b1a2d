internal import CProcess
import Glibc

/// Changes the names in a folder, one atomic step at a time.
package enum FileRename {
    /// Renames a file; without `replacing` a taken name is an error and stays as it is.
    /// - Throws: `.exists`, or the errno of rename(2), renameat2(2) or link(2).
    package static func move(_ source: String, to target: String, replacing: Bool)
        throws(FileSystemError)
    {
        if replacing {
            guard rename(source, target) == 0 else { throw .current(.replace, target) }
            return
        }
        if argus_rename_exclusively(source, target) == 0 { return }
        // Network and user-space file systems may lack the flag; link(2) refuses a taken name too.
        if [EINVAL, ENOSYS].contains(errno), link(source, target) == 0 {
            unlink(source)
            return
        }
        throw errno == EEXIST
            ? FileSystemError(.create, target, .exists) : .current(.create, target)
    }

    /// Renames a damaged file to the first free `PATH.damaged-N` and returns that path.
    /// - Throws: `FileSystemError`; `.exists` if all of 1000 names are taken.
    package static func setAside(_ path: String) throws(FileSystemError) -> String {
        for number in 1...1000 {
            let target = "\(path).damaged-\(number)"
            do throws(FileSystemError) {
                try move(path, to: target, replacing: false)
                return target
            } catch  where error.reason == .exists {}
        }
        throw FileSystemError(.replace, path, .exists)
    }

    /// Deletes a file; succeeds if there is none.
    /// - Throws: `FileSystemError` for any other failure of unlink(2).
    package static func remove(_ path: String) throws(FileSystemError) {
        guard unlink(path) == 0 else {
            let error = FileSystemError.current(.remove, path)
            if error.isAbsent { return }
            throw error
        }
        synchronizeFolder(of: path)
    }

    /// Makes renames and removals in the folder of a file durable, as far as possible.
    package static func synchronizeFolder(of path: String) {
        // The change has happened: a folder that cannot be opened or synchronised is not a failure.
        guard let folder = try? OwnedDescriptor(folder(of: path), O_RDONLY | O_DIRECTORY)
        else { return }
        _ = retryingInterrupts { fsync(folder.rawValue) }
    }

    /// The folder of a file, `.` if the path names none.
    package static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// The path without slashes at its end.
    package static func withoutSlash(_ path: String) -> String {
        var path = path
        while path.utf8.count > 1, path.hasSuffix("/") { path.removeLast() }
        return path
    }
}

/// Resolves links that users made.
package enum SymbolicLink {
    /// The path that a chain of links leads to, which need not exist.
    package static func destination(of path: String) -> String {
        if let found = realpath(path, nil) {
            defer { free(found) }
            return String(cString: found)
        }
        var path = path
        // A loop fails when it is written to.
        for _ in 0..<longestChain {
            guard let next = next(of: path) else { break }
            path = next
        }
        return path
    }

    /// The most links that the kernel follows (path_resolution(7)).
    private static let longestChain = 40

    /// Checks that no link of a chain is one that another user has put into a folder for all, as the
    /// kernel does where it is set to (`protected_symlinks`, proc_sys_fs(5)).
    /// - Throws: `.foreignLink`.
    static func expectTrusted(_ path: String) throws(FileSystemError) {
        var path = path
        for _ in 0..<longestChain {
            guard let next = next(of: path) else { return }
            var (link, folder) = (stat(), stat())
            let isKnown =
                lstat(path, &link) == 0 && stat(FileRename.folder(of: path), &folder) == 0
            let isShared = folder.st_mode & S_ISVTX != 0 && folder.st_mode & S_IWOTH != 0
            guard !isKnown || !isShared || [geteuid(), folder.st_uid].contains(link.st_uid) else {
                throw FileSystemError(.create, path, .foreignLink(link.st_uid))
            }
            path = next
        }
    }

    private static func next(of path: String) -> String? {
        target(of: path).map { $0.hasPrefix("/") ? $0 : FileRename.folder(of: path) + "/" + $0 }
    }

    /// The target of a link (readlink(2)); nil for anything else.
    static func target(of path: String) -> String? {
        var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
        let length = readlink(path, &bytes, bytes.count)
        guard length > 0 else { return nil }
        return String(
            decoding: bytes.prefix(length).map(UInt8.init(truncatingIfNeeded:)), as: UTF8.self)
    }
}
