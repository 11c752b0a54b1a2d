import Glibc

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
        } catch {
            self = .untrusted(error)
            return
        }
        guard access(path, W_OK) == 0 else {
            self = .readOnly(.current)
            return
        }
        let mode = status.st_mode & 0o777
        self = mode & 0o077 == 0 ? .closed : .open(mode: mode)
    }
}
