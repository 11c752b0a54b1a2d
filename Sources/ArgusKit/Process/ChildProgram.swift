import Glibc
import Synchronization

/// Another program that is run to its end: bytes in, bytes out, bounded in time and size.
///
/// The one place where argus starts a program that is no command of its own. It gets a session of
/// its own, hence no terminal to ask at, and no variable that is a secret.
package struct ChildProgram: Sendable {
    /// An absolute path.
    package var path: String
    /// Everybody on the machine can read them: never a secret.
    package var arguments: [String]
    package var environment: Environment
    /// How long it may take.
    package var timeout: Duration
    /// The most bytes that it may print.
    package var outputLimit: Int

    /// How a program ended by itself.
    package struct Ending: Sendable {
        /// The exit status; nil when a signal ended it.
        package var status: Int32?
        package var output: Redacted<[UInt8]>
        /// The first 4 KiB of what it wrote to stderr.
        package var errors: [UInt8]
    }

    /// Until a new pipe is closed on exec(2), no other child may be started, which would keep it.
    private static let starting = Mutex(())
    /// POSIX_SPAWN_SETSID of spawn.h, which glibc shows under _GNU_SOURCE only.
    private static let newSession: Int32 = 0x80

    package init(
        _ path: String, _ arguments: [String], environment: Environment, timeout: Duration,
        outputLimit: Int
    ) {
        self.path = path
        self.arguments = arguments
        self.environment = environment
        self.timeout = timeout
        self.outputLimit = outputLimit
    }

    /// Runs the program, which reads `input` from its stdin.
    ///
    /// A program that takes too long or prints too much is killed with all that it started.
    /// - Throws: `ChildProgramError`.
    package func run(input: Redacted<[UInt8]>) async throws(ChildProgramError) -> Ending {
        let (child, request) = (self, input)
        return try await onOwnThread {
            Result { () throws(ChildProgramError) in
                let (input, output, errors) = (Pipe(), Pipe(), Pipe())
                let id = try child.start(input, output, errors)
                let conversation = Conversation(
                    id: id, input: input, output: output, errors: errors, limit: child.outputLimit,
                    until: ContinuousClock.now + child.timeout)
                return try conversation.run(saying: request.reveal())
            }
        }.get()
    }

    private func start(
        _ input: Pipe, _ output: Pipe, _ errors: Pipe
    ) throws(ChildProgramError) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        // Our threads block signals, and an ignored SIGPIPE would be inherited too.
        var (attributes, none, all) = (posix_spawnattr_t(), sigset_t(), sigset_t())
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | Self.newSession
        posix_spawnattr_setflags(&attributes, Int16(flags))
        var words = ([path] + arguments).map { strdup($0) } + [nil]
        var variables = environment.forChildren.words.map { strdup($0) } + [nil]
        defer { for text in words + variables { free(text) } }

        var id = pid_t()
        let code = Self.starting.withLock { _ -> Int32 in
            for pipe in [input, output, errors] where !pipe.open() { return errno }
            posix_spawn_file_actions_adddup2(&actions, input.reading, 0)
            posix_spawn_file_actions_adddup2(&actions, output.writing, 1)
            posix_spawn_file_actions_adddup2(&actions, errors.writing, 2)
            return CoreDumps.allowedAsUsual {
                posix_spawn(&id, path, &actions, &attributes, &words, &variables)
            }
        }
        guard code == 0 else { throw .notStarted(Errno(rawValue: code)) }
        input.closeReading()
        output.closeWriting()
        errors.closeWriting()
        return id
    }
}

/// Why a program gave no answer of its own.
package enum ChildProgramError: Error, Hashable, Sendable {
    case notStarted(Errno)
    case timedOut
    case tooMuchOutput
}

/// A pipe whose ends are closed with it; one thread uses it.
private final class Pipe {
    private(set) var reading: Int32 = -1
    private(set) var writing: Int32 = -1

    deinit {
        closeReading()
        closeWriting()
    }

    /// Makes the pipe; false leaves the cause in errno.
    func open() -> Bool {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return false }
        (reading, writing) = (ends[0], ends[1])
        return ends.allSatisfy { fcntl($0, F_SETFD, FD_CLOEXEC) == 0 }
    }

    func closeReading() { Pipe.close(&reading) }
    func closeWriting() { Pipe.close(&writing) }

    private static func close(_ end: inout Int32) {
        if end >= 0 { Glibc.close(end) }
        end = -1
    }
}

/// What goes to and fro between us and a program that has been started, until it has ended.
private struct Conversation {
    let id: pid_t
    let input: Pipe
    let output: Pipe
    let errors: Pipe
    let limit: Int
    let until: ContinuousClock.Instant

    /// A look at whether the program has ended: what it left running may hold its streams open.
    private static let pause: Int32 = 20

    func run(saying text: [UInt8]) throws(ChildProgramError) -> ChildProgram.Ending {
        for end in [input.writing, output.reading, errors.reading] {
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        var unsaid = text[...]
        var (said, complained): ([UInt8], [UInt8]) = ([], [])
        while true {
            let status = ended()
            if input.writing >= 0 { say(&unsaid) }
            hear(output, &said)
            hear(errors, &complained)
            if let status {
                return ChildProgram.Ending(
                    status: status & 0x7F == 0 ? status >> 8 & 0xFF : nil,
                    output: Redacted(said, masking: []), errors: Array(complained.prefix(4 << 10)))
            }
            if said.count > limit { throw killed(.tooMuchOutput) }
            if ContinuousClock.now >= until { throw killed(.timedOut) }
            wait(isSaying: !unsaid.isEmpty)
        }
    }

    /// The status of waitpid(2), which can be had once; nil while the program runs.
    private func ended() -> Int32? {
        var status: Int32 = 0
        return retryingInterrupts { waitpid(id, &status, WNOHANG) } == id ? status : nil
    }

    private func say(_ text: inout ArraySlice<UInt8>) {
        let count = text.withUnsafeBytes { bytes in
            retryingInterrupts { write(input.writing, bytes.baseAddress, bytes.count) }
        }
        if count > 0 {
            text = text.dropFirst(count)
        } else if errno != EAGAIN {
            // It does not listen; what it answers decides.
            text = []
        }
        if text.isEmpty { input.closeWriting() }
    }

    /// Takes what can be read now; more than the limit is never kept.
    private func hear(_ pipe: Pipe, _ heard: inout [UInt8]) {
        var buffer = [UInt8](repeating: 0, count: 16 << 10)
        while pipe.reading >= 0 {
            let count = retryingInterrupts { read(pipe.reading, &buffer, buffer.count) }
            if count > 0 {
                if heard.count <= limit { heard += buffer[..<count] }
                continue
            }
            if count == 0 || errno != EAGAIN { pipe.closeReading() }
            return
        }
    }

    private func wait(isSaying: Bool) {
        // A stream that is closed is -1, which poll(2) passes by.
        var polled = [
            pollfd(fd: isSaying ? input.writing : -1, events: Int16(POLLOUT), revents: 0),
            pollfd(fd: output.reading, events: Int16(POLLIN), revents: 0),
            pollfd(fd: errors.reading, events: Int16(POLLIN), revents: 0),
        ]
        poll(&polled, nfds_t(polled.count), Self.pause)
    }

    /// Ends the program and everything in its session's first group.
    private func killed(_ error: ChildProgramError) -> ChildProgramError {
        kill(-id, SIGKILL)
        var status: Int32 = 0
        _ = retryingInterrupts { waitpid(id, &status, 0) }
        return error
    }
}
