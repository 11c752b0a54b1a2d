/// Why results could not be written.
package enum OutputError: Error, Hashable, Sendable {
    /// The reader has gone away (EPIPE): a success for commands that only read.
    case closedPipe
    /// Anything else, such as a full disk (ENOSPC).
    case failed(Errno)
}

extension OutputError: CustomStringConvertible {
    /// A part of a sentence.
    package var description: String {
        switch self {
        case .closedPipe: "the reader of the output has gone away"
        case .failed(let code): "cannot write the output: \(code)"
        }
    }
}
