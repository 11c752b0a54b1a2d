import ArgusKit

/// The standard streams of a run: results go to one, everything else to the other.
struct Streams: Sendable {
    var out: ByteSink
    var err: ByteSink
    var terminal: Terminal

    /// The streams of this process.
    static func standard(_ environment: Environment) -> Streams {
        Streams(
            out: ByteSink(descriptor: 1), err: ByteSink(descriptor: 2),
            terminal: Terminal.detect(environment: environment.variables))
    }

    /// Writes a text to stdout.
    ///
    /// - Throws: `Failure.closedPipe`, or `Failure` 1 when stdout cannot be written.
    func write(_ text: String) throws(Failure) {
        do {
            try out.write(text)
            try out.flush()
        } catch {
            throw Failure(error)
        }
    }

    /// Writes a secret and a line feed to stdout, for commands whose whole result it is.
    ///
    /// - Throws: as `write` does.
    func write(_ secret: Redacted<String>) throws(Failure) {
        do {
            try out.verbatim.write(secret.reveal() + "\n")
            try out.flush()
        } catch {
            throw Failure(error)
        }
    }

    /// Writes out what stdout still holds back.
    func flush() throws(Failure) {
        do {
            try out.flush()
        } catch {
            throw Failure(error)
        }
    }

    /// Writes a text to stderr and ignores errors.
    func writeError(_ text: String) {
        try? err.write(text)
        try? err.flush()
    }

    /// Tells how a run failed, as a sentence or as the one line for scripts.
    func noticeAlways(_ failure: Failure, asJSON: Bool) {
        guard failure.kind != .done else { return }
        // Output from before the failure precedes its message.
        try? out.flush()
        if asJSON {
            writeError(String(decoding: failure.json, as: UTF8.self))
        } else if failure.reason != Failure.verbMissing.reason {
            writeError(failure.text)
        }
    }
}

extension Failure {
    /// The failure for an unwritable stdout, which is a success if only its reader has gone.
    init(_ error: OutputError) {
        switch error {
        case .closedPipe: self = .closedPipe
        case .failed: self.init(.failed, "\(error)", reason: Self.stdoutReason)
        }
    }
}
