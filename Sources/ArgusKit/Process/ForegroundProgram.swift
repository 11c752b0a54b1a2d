import Glibc

/// Another program that takes over the terminal while it runs, such as an editor.
///
/// It inherits no variable that is a secret. Ctrl-C reaches only the program, as in system(3).
package struct ForegroundProgram: Sendable {
    /// A path, or a name to find in PATH.
    package var program: String
    package var arguments: [String]
    package var environment: Environment

    package init(_ program: String, _ arguments: [String], environment: Environment) {
        self.program = program
        self.arguments = arguments
        self.environment = environment
    }

    /// Runs the program to its end and returns its exit status; nil if a signal ended it.
    ///
    /// - Throws: The errno if the program cannot be started.
    package func run() throws(Errno) -> Int32? {
        let handlers = [SIGINT, SIGQUIT].map { number in
            var (ignored, previous) = (sigaction(), sigaction())
            ignored.__sigaction_handler.sa_handler = SIG_IGN
            sigaction(number, &ignored, &previous)
            return (number, previous)
        }
        defer {
            for (number, previous) in handlers {
                var previous = previous
                sigaction(number, &previous, nil)
            }
        }
        let id = try start()
        var status: Int32 = 0
        guard retryingInterrupts({ waitpid(id, &status, 0) }) == id else { throw .current }
        return status & 0x7F == 0 ? status >> 8 & 0xFF : nil
    }

    private func start() throws(Errno) -> pid_t {
        // Threads of argus block signals, and the child would also inherit an ignored one.
        var (attributes, none, all) = (posix_spawnattr_t(), sigset_t(), sigset_t())
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        var words = ([program] + arguments).map { strdup($0) } + [nil]
        var variables = environment.forChildren.words.map { strdup($0) } + [nil]
        defer { for text in words + variables { free(text) } }
        var id = pid_t()
        let code = CoreDumps.allowedAsUsual {
            posix_spawnp(&id, program, nil, &attributes, &words, &variables)
        }
        guard code == 0 else { throw Errno(rawValue: code) }
        return id
    }
}
