import ArgusCore

/// The standard streams of a run: results go to one, everything else to the other.
struct Streams: Sendable {
    var out: ByteSink
    var err: ByteSink
    var terminal: Terminal
    /// The line below the output of a long-running command.
    let statusLine: StatusLine
    /// Receives how much of a long piece of work is done, and of how much.
    var progress: (@Sendable (Int, Int?) -> Void)?

    init(out: ByteSink, err: ByteSink, terminal: Terminal) {
        (self.out, self.err, self.terminal) = (out, err, terminal)
        statusLine = StatusLine(on: err, width: terminal.width)
    }

    /// Writes a text to stdout.
    ///
    /// - Throws: `Failure.closedPipe`, or `Failure` 1 if stdout is unwritable.
    func write(_ text: String) throws(Failure) {
        try attempt(out.write(text))
        try flush()
    }

    func flush() throws(Failure) { try attempt(out.flush()) }

    /// Writes a text to stderr, without held secrets, and ignores errors.
    func writeError(_ text: String) {
        statusLine.hidden { err.show(text) }
    }

    /// Writes a line for a script to stderr as it is, and ignores errors.
    func writeError(line: [UInt8]) {
        statusLine.hidden {
            try? err.write(line)
            try? err.flush()
        }
    }
}
