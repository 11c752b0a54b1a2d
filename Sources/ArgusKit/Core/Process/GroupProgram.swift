import Glibc
import Synchronization

/// A program in its own process group, until it ends or is killed.
package final class GroupProgram: Sendable {
    /// The manner in which a program ended (wait(2)).
    package enum Ending: Sendable, Equatable {
        case status(Int32)
        case signal(Int32)
    }

    private enum Phase {
        case running
        /// SIGTERM was sent; SIGKILL follows.
        case ending
        /// The process id may be another's by now.
        case over
    }

    /// The id of the program and its group.
    private let id: pid_t
    private let phase = Mutex(Phase.running)

    /// Starts a program, which reads `input`, and inherits stderr, to which its stdout leads too.
    ///
    /// `variables` are its whole environment, as `NAME=value` words.
    /// - Throws: The errno if the program cannot be started.
    package init(
        _ path: String, _ arguments: [String], variables: [[CChar]], input: SpoolFile
    ) throws(Errno) {
        // If argus inherited SIGCHLD ignored, the statuses of its children would be lost (wait(2)).
        signal(SIGCHLD, SIG_DFL)
        id = try input.withStream { stream throws(Errno) in
            try spawn(
                path, arguments, variables: variables,
                streams: [(stream, STDIN_FILENO), (STDERR_FILENO, STDOUT_FILENO)],
                flags: Int32(POSIX_SPAWN_SETPGROUP))
        }
    }

    /// Waits for the end of the program; one call only.
    ///
    /// Programs that it leaves running are not waited for; `end` kills them.
    package func wait() async -> Ending {
        await onOwnThread { [self] in
            var info = siginfo_t()
            // The ended program keeps its id until it is reaped below, so that no signal goes astray.
            _ = retryingInterrupts { waitid(P_PID, id_t(id), &info, WEXITED | WNOWAIT) }
            var status: Int32 = 0
            phase.withLock { phase in
                if phase == .ending { kill(-id, SIGKILL) }
                phase = .over
                _ = retryingInterrupts { waitpid(id, &status, 0) }
            }
            return exitStatus(of: status).map { .status($0) } ?? .signal(status & 0x7F)
        }
    }

    /// Sends SIGTERM to the group, and SIGKILL if it has not ended after `grace`.
    package func end(grace: Duration) {
        let isRunning = phase.withLock { phase in
            guard phase == .running else { return false }
            phase = .ending
            kill(-id, SIGTERM)
            // A stopped program gets it once it goes on.
            kill(-id, SIGCONT)
            return true
        }
        guard isRunning else { return }
        Task { [self] in
            try? await Task.sleep(for: grace)
            phase.withLock { phase in
                if phase == .ending { kill(-id, SIGKILL) }
            }
        }
    }
}
