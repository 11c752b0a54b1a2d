import Glibc

/// An error of the operating system and the failed operation.
struct SystemFailure: Error {
    var message: String
    /// The error number (errno(3)).
    var code: Int32

    /// Makes the failure of an operation with an error number (errno(3)).
    init(_ attempt: String, code: Int32 = errno) {
        message = "\(attempt): \(String(cString: strerror(code)))"
        self.code = code
    }

    /// Makes a failure with a complete message.
    init(words: String) {
        message = words
        code = 0
    }
}
