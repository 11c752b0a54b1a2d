import ArgusCore
import ArgusTestSupport
import Glibc
import Testing

@Suite("Signals")
struct SignalsTests {
    @Test("the process dies of the signal and leaves no temporary file")
    func diesTidily() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path
        await #expect(processExitsWith: .signal(SIGTERM)) { [path = path as String] in
            Signals.prepareProcess()
            let file = try AtomicFile(path + "/a", for: .person)
            try file.write([65])
            dieOf(SIGTERM)
            file.discard()
        }
        #expect(try folder.names() == [])
    }

    @Test(
        "every terminating signal is died of",
        arguments: [SIGINT, SIGHUP, SIGQUIT, SIGALRM, SIGUSR1, SIGUSR2, SIGXCPU])
    func diesOfEach(number: Int32) async {
        await #expect(processExitsWith: .signal(number)) { [number = number as Int32] in
            var none = rlimit(rlim_cur: 0, rlim_max: 0)
            setrlimit(__rlimit_resource_t(4), &none)
            // The threads of tests block signals, and a blocked SIGALRM counts as an ignored one.
            var noSignals = sigset_t()
            sigemptyset(&noSignals)
            pthread_sigmask(SIG_SETMASK, &noSignals, nil)
            Signals.prepareProcess()
            dieOf(number)
        }
    }

    @Test("what is held is finished, and then the first signal is died of", arguments: [1, 2])
    func heldSignal(holds: Int) async throws {
        let folder = try TemporaryFolder()
        let path = folder.path
        await #expect(processExitsWith: .signal(SIGHUP)) {
            [path = path as String, holds = holds as Int] in
            Signals.prepareProcess()
            let begun = (0..<holds).map { _ in SignalHold() }
            for hold in begun { hold.begin(for: .seconds(60)) }
            begun[0].begin(for: .seconds(60))
            // Of several that wait to be met, the kernel delivers the lowest first.
            for number in [SIGHUP, SIGINT, SIGTERM, SIGTERM] { kill(getpid(), number) }
            try AtomicFile.write([65], to: path + "/kept", for: .state, replacing: true)
            for hold in begun { hold.end() }
            sleep(10)
        }
        #expect(try folder.names() == ["kept"])
    }

    @Test("after its time a signal ends the process, whatever is held")
    func endlessHold() async {
        await #expect(processExitsWith: .signal(SIGINT)) {
            Signals.prepareProcess()
            let hold = SignalHold()
            hold.begin()
            for number in [SIGINT, SIGALRM] { kill(getpid(), number) }
            sleep(10)
            hold.end()
        }
    }

    @Test("on a terminal each postponed signal prints a message, the first one too")
    func explainsHold() async {
        await #expect(processExitsWith: .signal(SIGHUP)) {
            let terminal = try PseudoTerminal()
            dup2(open(terminal.path, O_RDWR | O_NOCTTY), 2)
            Signals.prepareProcess()
            let hold = SignalHold()
            hold.begin(for: .seconds(60))
            for number in [SIGHUP, SIGINT] {
                kill(getpid(), number)
                let words = "\r\nargus: finishing first, so that no new credentials are lost\r\n"
                #expect(try terminal.output(upTo: "lost\r\n") == words)
            }
            hold.end()
            sleep(10)
        }
    }

    @Test("what the caller did to SIGALRM puts no signal off without bound")
    func ignoredAlarm() async {
        await #expect(processExitsWith: .signal(SIGINT)) {
            signal(SIGALRM, SIG_IGN)
            Signals.prepareProcess()
            let hold = SignalHold()
            hold.begin()
            // The first one is let pass, since no signal waits.
            for number in [SIGALRM, SIGINT, SIGALRM] { kill(getpid(), number) }
            for _ in 0..<12 { sleep(10) }
            _exit(3)
        }
    }

    @Test(
        "SIGALRM is let through for this process, and another program finds it as it was",
        arguments: [false, true])
    func blockedAlarm(ignored: Bool) async {
        await #expect(processExitsWith: .success) { [ignored = ignored as Bool] in
            var alarm = sigset_t()
            sigemptyset(&alarm)
            sigaddset(&alarm, SIGALRM)
            pthread_sigmask(SIG_BLOCK, &alarm, nil)
            // One that waits already ends nothing.
            if ignored { signal(SIGALRM, SIG_IGN) } else { raise(SIGALRM) }
            Signals.prepareProcess()
            #expect(!isBlocked(SIGALRM) && !isIgnored(SIGALRM))
            Signals.prepareForAnotherProgram()
            #expect(isBlocked(SIGALRM) && isIgnored(SIGALRM) == ignored)
        }
    }

    @Test("a hold that is forgotten, or has ended, holds nothing")
    func endedHold() async {
        await #expect(processExitsWith: .signal(SIGHUP)) {
            Signals.prepareProcess()
            SignalHold().begin()
            let hold = SignalHold()
            hold.begin()
            hold.end()
            hold.end()
            dieOf(SIGHUP)
        }
    }

    @Test("a file that may grow no more is an error of writing, not a signal")
    func ignoresFileLimit() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path
        await #expect(processExitsWith: .success) { [path = path as String] in
            Signals.prepareProcess()
            var none = rlimit(rlim_cur: 0, rlim_max: 0)
            setrlimit(__rlimit_resource_t(1), &none)
            #expect(throws: FileSystemError.self) {
                try AtomicFile.write([65], to: path + "/a", for: .state, replacing: true)
            }
        }
    }

    @Test("a signal that the caller ignores stays ignored", arguments: [SIGHUP, SIGALRM])
    func keepsIgnored(number: Int32) async {
        await #expect(processExitsWith: .signal(SIGTERM)) { [number = number as Int32] in
            signal(number, SIG_IGN)
            Signals.prepareProcess()
            kill(getpid(), number)
            // The later signal is what ends the process: the first one was let pass.
            dieOf(SIGTERM)
        }
    }

    @Test("a closed pipe is an error of writing, not a signal")
    func ignoresClosedPipe() async {
        await #expect(processExitsWith: .success) {
            Signals.prepareProcess()
            var ends: [Int32] = [0, 0]
            try #require(pipe(&ends) == 0)
            close(ends[0])
            let error = #expect(throws: FileSystemError.self) {
                try OutputFile(descriptor: ends[1], named: "standard output").write([65])
            }
            #expect(error?.isClosedPipe == true)
        }
    }
}

/// Sends this process a signal and gives it time to die: worker threads block signals, so that
/// another thread meets it.
private func dieOf(_ number: Int32) {
    kill(getpid(), number)
    sleep(10)
}

/// Whether this thread holds a signal back.
private func isBlocked(_ number: Int32) -> Bool {
    var set = sigset_t()
    pthread_sigmask(SIG_BLOCK, nil, &set)
    return sigismember(&set, number) == 1
}

/// Whether this process ignores a signal.
private func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    sigaction(number, nil, &action)
    return unsafeBitCast(action.__sigaction_handler.sa_handler, to: UInt.self) == 1
}
