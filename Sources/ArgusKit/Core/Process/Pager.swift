import Glibc
import Synchronization

/// A program such as less(1) between standard output and the terminal.
///
/// There is one for the process, as there is one standard output. While the pager runs, Ctrl-C is
/// the pager's own: argus ends after it.
package enum Pager {
    /// The process id of the pager; 0 without one.
    private static let process = Atomic<pid_t>(0)
    /// The terminal, which the pager has replaced as standard output.
    private static let terminal = Atomic<Int32>(-1)

    /// Starts a pager by its command line; output stays as it is if the pager cannot be started.
    ///
    /// sh(1) runs a command line with shell characters. The pager inherits no secret variable.
    package static func start(_ command: String, environment: Environment) {
        guard process.load(ordering: .acquiring) == 0 else { return }
        let isPlain = command.allSatisfy { $0.isLetter || $0.isNumber || "/-_.,+= ".contains($0) }
        let words =
            isPlain ? command.split(separator: " ").map(String.init) : ["sh", "-c", command]
        let pipe = Pipe()
        guard let program = words.first, pipe.open() else { return }
        let saved = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)
        guard saved >= 0 else { return }
        // Help has no thread of signals yet. Without one Ctrl-C ends argus under its pager.
        try? Signals.start()
        // less leaves short texts on the screen and shows colours, as git's does.
        let variables = ["LESS": "FRX", "LV": "-c"].merging(environment.variables) { $1 }
        do {
            let id = try spawn(
                program, Array(words.dropFirst()), variables: Environment(variables).childWords,
                streams: [(pipe.reading, STDIN_FILENO)])
            dup2(pipe.writing, STDOUT_FILENO)
            terminal.store(saved, ordering: .releasing)
            process.store(id, ordering: .releasing)
            ForegroundProgram.process.store(id, ordering: .releasing)
        } catch {
            close(saved)
        }
    }

    /// Gives standard output back to the terminal, and waits for the pager to end.
    package static func finish() {
        let id = process.load(ordering: .acquiring)
        guard id > 0 else { return }
        let saved = terminal.exchange(-1, ordering: .acquiringAndReleasing)
        dup2(saved, STDOUT_FILENO)
        close(saved)
        var status: Int32 = 0
        _ = retryingInterrupts { waitpid(id, &status, 0) }
        process.store(0, ordering: .releasing)
    }

}
