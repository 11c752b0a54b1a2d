import ArgusTestSupport
import CProcess
import Glibc
import Synchronization

/// A program to be run as a user would run it, with an environment and streams of its own.
struct Launch {
    /// The input of a program.
    enum Source {
        case nothing, closed, terminal
        case text(String)
        /// A pipe without data that ends with this process.
        case silence
    }

    /// The output of a program.
    enum Sink {
        case collected, closed, terminal
        case file(String)
    }

    /// The program, a path or a name in PATH, and its arguments.
    var words: [String]
    /// All its variables; nothing is inherited.
    var environment: [String: String]
    /// Its current folder.
    var folder = "/"
    var input = Source.nothing
    var output = Sink.collected
    var errors = Sink.collected
    /// It is killed after so many seconds.
    var deadline: Int32 = 300

    /// This launch with all three streams on one terminal.
    var onTerminal: Launch {
        var launch = self
        (launch.input, launch.output, launch.errors) = (.terminal, .terminal, .terminal)
        return launch
    }

    /// Starts a server in a home, and waits until it has printed that Ctrl-C ends it.
    ///
    /// The server ends with this process, even if that crashes: a shell waits for the end of a pipe
    /// that this process holds.
    static func server(_ words: [String], in home: TemporaryHome) throws -> RunningProgram {
        let guardian = "\"$@\" & server=$!; read -r _; kill $server; wait $server"
        let program = try Launch(
            words: ["/bin/sh", "-c", guardian, "sh"] + words, environment: home.environment,
            folder: home.path, input: .silence
        ).start()
        try program.wait(for: "Ctrl-C ends it.\n")
        return program
    }

    /// Starts the program (posix_spawn(3)), in a session of its own: its only terminal is the one
    /// that is given here.
    func start() throws -> RunningProgram {
        var channels = Channels()
        // The program's ends; the test's stay with the channels.
        var given: [Int32] = []
        defer { given.forEach { close($0) } }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        if usesTerminal { channels.terminal = try Pseudoterminal() }
        // A terminal becomes the session's own when it is opened, not when it is duplicated.
        func open(_ path: String, _ mode: Int32, as number: Int32) {
            posix_spawn_file_actions_addopen(&actions, number, path, mode, 0o600)
        }
        func pipe() throws -> (reading: Int32, writing: Int32) {
            // Made through a name: between pipe(2) and fcntl(2) another test's program could
            // inherit the ends and keep them open.
            let name = "\(P_tmpdir)/argus-e2e.\(getpid()).\(UInt64.random(in: 0...UInt64.max))"
            defer { unlink(name) }
            guard mkfifo(name, 0o600) == 0 else { throw SystemCallFailure(call: "mkfifo") }
            let reading = Glibc.open(name, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
            let writing = Glibc.open(name, O_WRONLY | O_CLOEXEC)
            guard reading >= 0, writing >= 0, fcntl(reading, F_SETFL, 0) == 0 else {
                throw SystemCallFailure(call: "open \(name)")
            }
            return (reading, writing)
        }
        func connect(_ sink: Sink, as number: Int32) throws -> Int32? {
            switch sink {
            case .collected:
                let (ours, theirs) = try pipe()
                given.append(theirs)
                posix_spawn_file_actions_adddup2(&actions, theirs, number)
                return ours
            case .closed: posix_spawn_file_actions_addclose(&actions, number)
            case .terminal: open(channels.terminal?.path ?? "", O_RDWR, as: number)
            case .file(let path): open(path, O_WRONLY | O_CREAT | O_APPEND, as: number)
            }
            return nil
        }
        switch input {
        case .nothing: open("/dev/null", O_RDONLY, as: 0)
        case .closed: posix_spawn_file_actions_addclose(&actions, 0)
        case .terminal: open(channels.terminal?.path ?? "", O_RDWR, as: 0)
        case .text(let text):
            let (theirs, ours) = try pipe()
            given += [theirs, ours]
            // Short enough for the pipe's buffer, so the write does not block.
            guard write(ours, text, text.utf8.count) == text.utf8.count else {
                throw SystemCallFailure(call: "write")
            }
            posix_spawn_file_actions_adddup2(&actions, theirs, 0)
        case .silence:
            let (theirs, ours) = try pipe()
            given.append(theirs)
            channels.input = ours
            posix_spawn_file_actions_adddup2(&actions, theirs, 0)
        }
        channels.output = try connect(output, as: 1)
        channels.errors = try connect(errors, as: 2)
        // A socket of another test that a program keeps open looks open to the other end, too.
        posix_spawn_file_actions_addclosefrom_np(&actions, 3)
        return RunningProgram(
            id: try spawn(&actions), channels: channels, deadline: deadline, name: words[0])
    }

    /// Held while a program starts, which has all our files open until then, and while a file is
    /// written: one that is open for writing cannot be run (execve(2), ETXTBSY).
    static let filesForPrograms = Mutex<Void>(())

    private var usesTerminal: Bool {
        if case .terminal = input { return true }
        if case .terminal = output { return true }
        if case .terminal = errors { return true }
        return false
    }

    private func spawn(_ actions: inout posix_spawn_file_actions_t) throws -> pid_t {
        // Swift's threads block most signals, which a child would inherit.
        var (attributes, none, all) = (posix_spawnattr_t(), sigset_t(), sigset_t())
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        // POSIX_SPAWN_SETSID (spawn.h), which Swift does not see.
        let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | 0x80
        posix_spawnattr_setflags(&attributes, Int16(flags))
        var argv = (["/usr/bin/env", "-C", folder] + words).map { strdup($0) } + [nil]
        var envp = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for text in argv + envp { free(text) } }
        var id = pid_t()
        let code = Self.filesForPrograms.withLock { _ in
            posix_spawn(&id, "/usr/bin/env", &actions, &attributes, &argv, &envp)
        }
        guard code == 0 else { throw SystemCallFailure(call: "spawn \(words[0])", code: code) }
        return id
    }
}

/// Our ends of a program's streams.
struct Channels {
    var input: Int32?
    var output: Int32?
    var errors: Int32?
    var terminal: Pseudoterminal?
}

/// A terminal at which the test acts as the user (pty(7)).
struct Pseudoterminal {
    let descriptor: Int32
    let path: String

    /// Makes a terminal of 80 columns (pts(4)).
    init() throws {
        descriptor = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var (number, isLocked): (UInt32, Int32) = (0, 0)
        // The macros TIOCGPTN and TIOCSPTLCK (linux/tty.h) are not seen by Swift.
        guard descriptor >= 0, ioctl(descriptor, 0x8004_5430, &number) == 0,
            ioctl(descriptor, 0x4004_5431, &isLocked) == 0
        else { throw SystemCallFailure(call: "open /dev/ptmx") }
        path = "/dev/pts/\(number)"
        resize(columns: 80)
    }

    /// Changes the width, which the programs there learn by SIGWINCH.
    func resize(columns: UInt16) {
        var size = winsize(ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(descriptor, UInt(TIOCSWINSZ), &size)
    }

    /// True if the terminal echoes its input.
    var echoes: Bool {
        var settings = termios()
        return tcgetattr(descriptor, &settings) == 0 && settings.c_lflag & tcflag_t(ECHO) != 0
    }
}
