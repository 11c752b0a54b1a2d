import Glibc

/// Why a file or folder could not be used: what was tried, on which path, and the cause.
package struct FileSystemError: Error, Hashable, Sendable {
    /// What was tried, in the words of the message.
    package enum Operation: String, Sendable {
        case open, read, write, create, replace, lock, remove, inspect
    }

    /// The cause: a number of the C library, or a rule of our own that does not hold.
    package enum Reason: Hashable, Sendable {
        case errno(Errno)
        /// A file of that name exists and may not be replaced.
        case exists
        /// A symbolic link stands where argus keeps its own state.
        case symbolicLink
        /// The file or folder belongs to this other user.
        case foreignOwner(UInt32)
        /// Others than the owner may read or write it; its permission bits.
        case openToOthers(UInt32)
        /// A folder, device or pipe stands where a regular file is needed.
        case notRegularFile
        /// A file stands where a folder is needed.
        case notFolder
        /// More bytes than the bound that the reader set.
        case tooLarge(limit: Int)
        /// Another process holds the lock for longer than we wait.
        case locked
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

    /// Makes the error of an open(2) that has just failed: with O_NOFOLLOW, ELOOP is a link.
    static func opening(
        _ path: String, _ flags: Int32, for operation: Operation
    ) -> FileSystemError {
        guard errno == ELOOP, flags & O_NOFOLLOW != 0 else { return .current(operation, path) }
        return FileSystemError(operation, path, .symbolicLink)
    }

    /// Whether the file or a folder above it does not exist.
    package var isAbsent: Bool {
        reason == .errno(Errno(rawValue: ENOENT)) || reason == .errno(Errno(rawValue: ENOTDIR))
    }

    /// Whether the reader of a pipe has gone, which ends a reading command quietly.
    package var isClosedPipe: Bool { reason == .errno(Errno(rawValue: EPIPE)) }

    /// Whether this place can never be written by this user, as a read-only home cannot.
    package var isUnwritablePlace: Bool {
        guard case .errno(let number) = reason, operation != .read else { return false }
        return [EROFS, EACCES, EPERM].contains(number.rawValue)
    }

    /// What the person can do about state that others may have had their hands in; nil for any
    /// other cause.
    package var remedy: String? {
        // Only a folder is opened for its own sake.
        let mode = operation == .open ? "700" : "600"
        return switch reason {
        case .foreignOwner: "if what it holds is yours: chown \(geteuid()) '\(path)'"
        case .openToOthers:
            "if nobody else has changed anything there: chmod \(mode) '\(path)'"
        default: nil
        }
    }
}

extension FileSystemError: CustomStringConvertible {
    /// The failure as `cannot write 'PATH': no space left on device`.
    package var description: String { "cannot \(operation.rawValue) '\(path)': \(reason)" }
}

extension FileSystemError.Reason: CustomStringConvertible {
    /// The cause in lower-case words.
    package var description: String {
        switch self {
        case .errno(let number): number.description
        case .exists: "it exists already"
        case .symbolicLink: "it is a symbolic link"
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
