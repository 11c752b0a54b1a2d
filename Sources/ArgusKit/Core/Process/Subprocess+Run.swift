import Glibc
import Synchronization

extension Subprocess {
    /// The result of a helper program that ended by itself.
    package struct Answer: Sendable {
        /// The exit status; nil if a signal ended the program.
        package var status: Int32?
        package var output: Redacted<[UInt8]>
        /// The first 4 KiB of stderr.
        package var errors: [UInt8]
    }

    /// Runs a helper program, at an absolute path, to its end with `input` on its stdin, and kills it
    /// with everything that it started if it takes longer than `timeout` or prints more than
    /// `outputLimit` bytes.
    ///
    /// It has no terminal to prompt at, and gets no secret variable. Any user of the machine can read
    /// `arguments`: they never hold a secret.
    /// - Throws: `SubprocessError`.
    package static func run(
        _ path: String, _ arguments: [String], environment: Environment, timeout: Duration,
        outputLimit: Int, input text: Redacted<[UInt8]> = Redacted([])
    ) async throws(SubprocessError) -> Answer {
        try await onOwnThread {
            Result { () throws(SubprocessError) in
                let (input, output, errors) = (Pipe(), Pipe(), Pipe())
                for pipe in [input, output, errors] where !pipe.open() {
                    throw .notStarted(.current)
                }
                let program = try rethrowing(
                    try Subprocess(
                        path, arguments, variables: environment.childWords,
                        streams: [(input.reading, 0), (output.writing, 1), (errors.writing, 2)],
                        group: .newSession),
                    as: SubprocessError.notStarted)
                input.closeReading()
                output.closeWriting()
                errors.closeWriting()
                let exchange = PipeExchange(
                    program: program, input: input, output: output, errors: errors,
                    limit: outputLimit, until: ContinuousClock.now + timeout)
                return try exchange.run(input: text.reveal())
            }
        }.get()
    }

    /// Runs a program that takes over the terminal, such as an editor, to its end; `streams` are the
    /// descriptors that take the place of its standard streams, in order.
    ///
    /// It inherits no secret variable. Ctrl-C reaches only the program, as in system(3).
    /// - Returns: The exit status; nil if a signal ended the program.
    /// - Throws: The errno if the program cannot be started.
    package static func runInForeground(
        _ program: String, _ arguments: [String], environment: Environment,
        streams: [(source: Int32, target: Int32)] = []
    ) throws(Errno) -> Int32? {
        takeovers.withLock { $0 += 1 }
        defer {
            Signals.dropInterrupts()
            takeovers.withLock { $0 -= 1 }
        }
        return try Subprocess(
            program, arguments, variables: environment.childWords, streams: streams
        ).wait().status
    }
}

/// The reason why a helper program did not end by itself.
package enum SubprocessError: Error, Hashable, Sendable {
    case notStarted(Errno)
    case timedOut
    case tooMuchOutput
}

/// Exchanges bytes with a running program until it ends.
private struct PipeExchange {
    let program: Subprocess
    let input: Pipe
    let output: Pipe
    let errors: Pipe
    let limit: Int
    let until: ContinuousClock.Instant

    /// The interval in ms of checks for its end, since its children may keep its streams open.
    private static let pause: Int32 = 20

    func run(input text: [UInt8]) throws(SubprocessError) -> Subprocess.Answer {
        for end in [input.writing, output.reading, errors.reading] {
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        var remaining = text[...]
        var (outputBytes, errorBytes): ([UInt8], [UInt8]) = ([], [])
        while true {
            let hasEnded = !program.isRunning
            if input.writing >= 0 { writeInput(&remaining) }
            readAvailable(output, &outputBytes)
            readAvailable(errors, &errorBytes)
            if hasEnded {
                return Subprocess.Answer(
                    status: program.wait().status,
                    output: Redacted(outputBytes, masking: []),
                    errors: Array(errorBytes.prefix(4 << 10)))
            }
            if outputBytes.count > limit { throw killed(.tooMuchOutput) }
            if ContinuousClock.now >= until { throw killed(.timedOut) }
            wait(isWriting: !remaining.isEmpty)
        }
    }

    private func writeInput(_ text: inout ArraySlice<UInt8>) {
        let count = text.withUnsafeBytes { bytes in
            retryingInterrupts { write(input.writing, bytes.baseAddress, bytes.count) }
        }
        if count > 0 {
            text = text.dropFirst(count)
        } else if errno != EAGAIN {
            // The program does not read its input; its output decides.
            text = []
        }
        if text.isEmpty { input.closeWriting() }
    }

    /// Reads the bytes that are available; keeps at most one buffer beyond the limit.
    private func readAvailable(_ pipe: Pipe, _ bytes: inout [UInt8]) {
        var buffer = [UInt8](repeating: 0, count: 16 << 10)
        while pipe.reading >= 0 {
            let count = retryingInterrupts { read(pipe.reading, &buffer, buffer.count) }
            if count > 0 {
                if bytes.count <= limit { bytes += buffer[..<count] }
                continue
            }
            if count == 0 || errno != EAGAIN { pipe.closeReading() }
            return
        }
    }

    private func wait(isWriting: Bool) {
        // poll(2) skips a closed stream, whose number is -1.
        var polled = [
            pollfd(fd: isWriting ? input.writing : -1, events: Int16(POLLOUT), revents: 0),
            pollfd(fd: output.reading, events: Int16(POLLIN), revents: 0),
            pollfd(fd: errors.reading, events: Int16(POLLIN), revents: 0),
        ]
        poll(&polled, nfds_t(polled.count), Self.pause)
    }

    private func killed(_ error: SubprocessError) -> SubprocessError {
        program.killGroup()
        return error
    }
}
