import Glibc

/// An error number of the C library; unknown numbers are kept (errno(3)).
package struct Errno: Error, RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    package let rawValue: Int32

    package init(rawValue: Int32) { self.rawValue = rawValue }

    /// The calling thread's `errno`; valid only right after the call that failed.
    package static var current: Errno { Errno(rawValue: errno) }

    /// The errno with which the system refuses a socket now; nil if it grants one.
    ///
    /// For libraries that do not tell why they have none.
    package static var ofNewSocket: Errno? {
        let number = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard number >= 0 else { return .current }
        close(number)
        return nil
    }

    /// The C library's message in lower case (strerror(3)).
    package var description: String {
        // glibc's strerror keeps its text per thread (since 2.32), so no lock is needed.
        guard let words = strerror(rawValue) else { return "error \(rawValue)" }
        let text = String(cString: words)
        return text.prefix(1).lowercased() + text.dropFirst()
    }
}
