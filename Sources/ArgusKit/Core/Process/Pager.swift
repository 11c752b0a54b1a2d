import Glibc
import Synchronization

/// A program such as less(1) between standard output and the terminal.
///
/// There is one for the process, as there is one standard output. While the pager runs, Ctrl-C is
/// the pager's own: argus ends after it.
package enum Pager {
    /// The pager, and the terminal, which it has replaced as standard output; nil without one.
    private static let running = Mutex<(program: Subprocess, terminal: Int32)?>(nil)

    /// Starts a pager by its command line; output stays as it is if the pager cannot be started.
    ///
    /// sh(1) runs a command line with shell characters. The pager inherits no secret variable.
    package static func start(_ command: String, environment: Environment) {
        guard running.withLock({ $0 == nil }) else { return }
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
            let pager = try Subprocess(
                program, Array(words.dropFirst()), variables: Environment(variables).childWords,
                streams: [(pipe.reading, STDIN_FILENO)])
            dup2(pipe.writing, STDOUT_FILENO)
            running.withLock { $0 = (pager, saved) }
        } catch {
            close(saved)
        }
    }

    /// Gives standard output back to the terminal, and waits for the pager to end.
    package static func finish() {
        guard let (pager, terminal) = running.withLock({ $0.take() }) else { return }
        dup2(terminal, STDOUT_FILENO)
        close(terminal)
        _ = pager.wait()
    }
}
