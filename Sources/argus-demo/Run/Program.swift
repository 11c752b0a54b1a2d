import Glibc

/// A program to run, with signals and standard input as it expects them.
struct Program {
    var arguments: [String]
    var environment: [String: String]
    /// A file to read as standard input instead of this process's.
    var inputPath: String?
    var discardsOutput = false

    /// Runs the program to its end, passes on signals from other processes, and returns the exit
    /// status, or 128 plus the number of the signal that ended it.
    func run() throws(SystemFailure) -> Int32 {
        let process = try start()
        while true {
            let (number, isFromProcess) = Signals.next()
            if number == SIGCHLD {
                var status: Int32 = 0
                guard waitpid(process, &status, WNOHANG) == process else { continue }
                let signal = status & 0x7F
                return signal == 0 ? status >> 8 & 0xFF : 128 + signal
            }
            if isFromProcess { kill(process, number) }
        }
    }

    private func start() throws(SystemFailure) -> pid_t {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigaddset(&signals, SIGPIPE)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        if let inputPath {
            posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, inputPath, O_RDONLY, 0)
        }
        if discardsOutput {
            posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
        }

        var process: pid_t = 0
        let code = withCStrings(arguments) { argv in
            withCStrings(environment.map { "\($0.key)=\($0.value)" }) { envp in
                posix_spawnp(&process, arguments[0], &actions, &attributes, argv, envp)
            }
        }
        guard code == 0 else { throw SystemFailure("cannot run \(arguments[0])", code: code) }
        return process
    }
}

/// Passes a nil-terminated array of C strings to a closure.
private func withCStrings<Result>(
    _ texts: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
) -> Result {
    let strings = texts.map { strdup($0) }
    defer { for string in strings { free(string) } }
    return body(strings + [nil])
}

/// An error of the operating system and the failed operation.
struct SystemFailure: Error {
    var message: String
    /// The error number (errno(3)).
    var code: Int32

    init(_ attempt: String, code: Int32 = errno) {
        message = "\(attempt): \(String(cString: strerror(code)))"
        self.code = code
    }

    init(words: String) {
        message = words
        code = 0
    }
}
