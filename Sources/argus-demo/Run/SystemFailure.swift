import Glibc

/// An error of the operating system, with what was tried.
struct SystemFailure: Error {
    var message: String
    /// The error number (errno(3)).
    var code: Int32

    /// Puts the words for an error number (errno(3)) behind what was tried.
    init(_ attempt: String, code: Int32 = errno) {
        message = "\(attempt): \(String(cString: strerror(code)))"
        self.code = code
    }

    /// A failure whose words say everything.
    init(words: String) {
        message = words
        code = 0
    }
}
