import ArgusKit
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

    @Test("every terminating signal is died of", arguments: [SIGINT, SIGHUP, SIGQUIT])
    func diesOfEach(number: Int32) async {
        await #expect(processExitsWith: .signal(number)) { [number = number as Int32] in
            var none = rlimit(rlim_cur: 0, rlim_max: 0)
            setrlimit(__rlimit_resource_t(4), &none)
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

    @Test("a signal that the caller ignores stays ignored")
    func keepsIgnored() async {
        await #expect(processExitsWith: .signal(SIGTERM)) {
            signal(SIGHUP, SIG_IGN)
            Signals.prepareProcess()
            kill(getpid(), SIGHUP)
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
