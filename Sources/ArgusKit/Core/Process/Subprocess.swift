internal import CProcess
import Glibc
import Synchronization

/// Another program that this process has started (posix_spawn(3)).
///
/// It inherits its standard streams alone: it could use libcurl's connections, signed in as they are,
/// and would hold the pipes of other programs open. Signals have their default action in it.
package final class Subprocess: Sendable {
    /// The processes that get a program's signals, and are killed with it.
    package enum Group: Sendable {
        /// The group of this process, with its terminal: Ctrl-C is the program's own while it runs.
        case ours
        /// A new group of this terminal.
        case new
        /// A new group without a terminal to prompt at.
        case newSession

        fileprivate var flags: Int32 {
            switch self {
            case .ours: 0
            case .new: Int32(POSIX_SPAWN_SETPGROUP)
            // POSIX_SPAWN_SETSID of spawn.h, which glibc declares only under _GNU_SOURCE.
            case .newSession: 0x80
            }
        }
    }

    /// The manner in which a program ended (wait(2)).
    package enum Ending: Sendable, Equatable {
        case status(Int32)
        case signal(Int32)

        /// The exit status; nil for a signal.
        var status: Int32? { if case .status(let status) = self { status } else { nil } }
    }

    private enum Phase {
        case running
        /// SIGTERM was sent; SIGKILL follows.
        case terminating
        /// The process id may be another's by now.
        case over(Ending)
    }

    /// The latest program of our group.
    private static let foreground = Mutex<Subprocess?>(nil)

    /// The number of programs that have taken over the terminal, and for whose end argus waits.
    static let takeovers = Mutex(0)

    /// True while a program of our group runs, such as a pager or an editor.
    static var isInForeground: Bool {
        takeovers.withLock { $0 > 0 } || foreground.withLock { $0?.isRunning ?? false }
    }

    /// The id of the program, and of its group if that is new.
    private let id: pid_t
    private let phase = Mutex(Phase.running)

    /// Starts a program, given by its path or a name to find in PATH.
    ///
    /// `variables` is the whole environment, as `NAME=value` words; `streams` are the descriptors that
    /// take the place of standard streams, in order.
    /// - Throws: The errno if the program cannot be started.
    package init(
        _ program: String, _ arguments: [String], variables: [[CChar]],
        streams: [(source: Int32, target: Int32)] = [], group: Group = .ours
    ) throws(Errno) {
        // If argus inherited SIGCHLD ignored, the statuses of its children would be lost (wait(2)).
        signal(SIGCHLD, SIG_DFL)
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (source, target) in streams {
            posix_spawn_file_actions_adddup2(&actions, source, target)
        }
        posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1)
        var (attributes, none, all) = (posix_spawnattr_t(), sigset_t(), sigset_t())
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | group.flags))
        let words = ([program] + arguments).map { strdup($0) } + [nil]
        let variables = variables.map { strdup($0) } + [nil]
        defer { for text in words + variables { free(text) } }
        var id = pid_t()
        let code = CoreDumps.allowedAsUsual {
            posix_spawnp(&id, program, &actions, &attributes, words, variables)
        }
        guard code == 0 else { throw Errno(rawValue: code) }
        self.id = id
        if case .ours = group { Self.foreground.withLock { $0 = self } }
    }

    /// True until the program has ended.
    var isRunning: Bool {
        let isOver = phase.withLock { if case .over = $0 { true } else { false } }
        return !isOver && !waitWithoutReaping(WNOHANG)
    }

    /// Waits for the end of the program.
    func wait() -> Ending {
        _ = waitWithoutReaping()
        return phase.withLock { phase in
            if case .over(let ending) = phase { return ending }
            if case .terminating = phase { kill(-id, SIGKILL) }
            var status: Int32 = 0
            _ = retryingInterrupts { waitpid(id, &status, 0) }
            let number = status & 0x7F
            let ending = number == 0 ? Ending.status(status >> 8 & 0xFF) : .signal(number)
            phase = .over(ending)
            return ending
        }
    }

    /// Waits for the end of the program on another thread.
    ///
    /// Programs that it leaves running are not waited for; `terminate` kills them.
    package func ending() async -> Ending { await onOwnThread { self.wait() } }

    /// Waits until the program has ended, which keeps its id until it is reaped, so that no signal goes
    /// astray; false if it runs on, with WNOHANG (waitid(2)).
    private func waitWithoutReaping(_ options: Int32 = 0) -> Bool {
        var info = siginfo_t()
        let code = retryingInterrupts {
            waitid(P_PID, id_t(id), &info, WEXITED | WNOWAIT | options)
        }
        return code != 0 || info.si_signo != 0
    }

    /// Sends SIGTERM to the new group of the program, and SIGKILL if it has not ended after `grace`.
    package func terminate(grace: Duration) {
        let isRunning = phase.withLock { phase in
            guard case .running = phase else { return false }
            phase = .terminating
            kill(-id, SIGTERM)
            // A stopped program gets it once it goes on.
            kill(-id, SIGCONT)
            return true
        }
        guard isRunning else { return }
        Task { [self] in
            try? await Task.sleep(for: grace)
            phase.withLock { phase in
                if case .terminating = phase { kill(-id, SIGKILL) }
            }
        }
    }

    /// Kills the new group of the program.
    func killGroup() {
        phase.withLock { phase in
            if case .over = phase { return }
            kill(-id, SIGKILL)
        }
        _ = wait()
    }
}

/// A pipe that closes its ends when it is released; one thread uses it.
final class Pipe {
    private(set) var reading: Int32 = -1
    private(set) var writing: Int32 = -1

    deinit {
        closeReading()
        closeWriting()
    }

    /// Creates the pipe; false, with the cause in errno, on failure.
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
