/// The reason why results could not be written.
package enum OutputError: Error, Hashable, Sendable {
    /// The reader has gone (EPIPE), which is a success for commands that only read.
    case closedPipe
    /// Any other error, such as a full disk (ENOSPC).
    case failed(Errno)
}

extension OutputError: CustomStringConvertible {
    /// A clause for an error message.
    package var description: String {
        switch self {
        case .closedPipe: "the reader of the output has gone away"
        case .failed(let code): "cannot write the output: \(code)"
        }
    }
}
