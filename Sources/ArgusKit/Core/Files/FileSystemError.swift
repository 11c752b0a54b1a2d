import Glibc

/// A failure to use a file or folder: the operation, the path and the cause.
package struct FileSystemError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The operation, as the message words it.
    package enum Operation: String, Sendable {
        case open, read, write, create, replace, lock, remove, inspect
    }

    /// The cause: an error number of the C library, or a rule of argus that does not hold.
    package enum Reason: Hashable, Sendable, CustomStringConvertible {
        case errno(Errno)
        /// A file of that name exists and may not be replaced.
        case exists
        /// The path is a symbolic link, which argus does not accept for its own state.
        case symbolicLink
        /// The path is a symbolic link that the user with this id has put into a folder for all.
        case foreignLink(UInt32)
        /// The file or folder belongs to the user with this id.
        case foreignOwner(UInt32)
        /// Other users may read or write it; the permission bits.
        case openToOthers(UInt32)
        /// The path is a folder, device or pipe instead of a regular file.
        case notRegularFile
        case notFolder
        /// The file exceeds the reader's limit, in bytes.
        case tooLarge(limit: Int)
        /// Another process held the lock for the whole time limit.
        case locked

        /// The cause in lower case.
        package var description: String {
            switch self {
            case .errno(let number): number.description
            case .exists: "it already exists"
            case .symbolicLink: "it is a symbolic link"
            case .foreignLink(let user): "it is a symbolic link of another user (uid \(user))"
            case .foreignOwner(let user): "it belongs to another user (uid \(user))"
            case .openToOthers(let mode):
                "other users may read or change it (mode \(String(mode, radix: 8)))"
            case .notRegularFile: "it is not a regular file"
            case .notFolder: "it is not a folder"
            case .tooLarge(let limit): "it is larger than \(limit) bytes"
            case .locked: "another process holds it"
            }
        }
    }

    package var operation: Operation
    package var path: String
    package var reason: Reason

    package init(_ operation: Operation, _ path: String, _ reason: Reason) {
        self.operation = operation
        self.path = path
        self.reason = reason
    }

    /// Makes the error of a C call that has just failed, from the thread's errno.
    package static func current(_ operation: Operation, _ path: String) -> FileSystemError {
        FileSystemError(operation, path, .errno(.current))
    }

    /// Makes the error of an open(2) that has just failed: with O_NOFOLLOW, ELOOP means a link, and
    /// ENXIO means a socket, or a pipe without a reader.
    static func opening(
        _ path: String, _ flags: Int32, for operation: Operation
    ) -> FileSystemError {
        switch errno {
        case ELOOP where flags & O_NOFOLLOW != 0: Self(operation, path, .symbolicLink)
        case ENXIO: Self(operation, path, .notRegularFile)
        default: current(operation, path)
        }
    }

    private func isErrno(_ numbers: Int32...) -> Bool {
        if case .errno(let number) = reason { numbers.contains(number.rawValue) } else { false }
    }

    /// True if the file or a folder above it does not exist.
    package var isAbsent: Bool { isErrno(ENOENT, ENOTDIR) }

    /// True if this user may not use the file.
    package var isForbidden: Bool { isErrno(EACCES, EPERM) }

    /// True if the system refused something that it may grant a moment later.
    package var mayPass: Bool { if case .errno = reason { !isUnwritablePlace } else { false } }

    /// True if the system has no descriptors or memory left for this process.
    package var isShortage: Bool { isErrno(EMFILE, ENFILE, ENOMEM) }

    /// True if the reader closed the pipe, which ends a command silently.
    package var isClosedPipe: Bool { isErrno(EPIPE) }

    /// True if this user can never write here, for example in a read-only folder.
    package var isUnwritablePlace: Bool { operation != .read && isErrno(EROFS, EACCES, EPERM) }

    /// Advice for state that other users may have changed; nil for any other cause.
    package var remedy: String? {
        // Only a folder is opened for its own sake.
        let mode = operation == .open ? "700" : "600"
        return switch reason {
        case .foreignOwner where geteuid() == 0: "run argus as that user, or with a HOME of root's"
        case .foreignOwner: "if what it holds is yours: chown \(geteuid()) '\(path)'"
        case .openToOthers:
            "if no other user has changed anything there: chmod \(mode) '\(path)'"
        default: nil
        }
    }

    /// The failure as `cannot write 'PATH': no space left on device`.
    package var description: String { "cannot \(operation.rawValue) '\(path)': \(reason)" }
}
