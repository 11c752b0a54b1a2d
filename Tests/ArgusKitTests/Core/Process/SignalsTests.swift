import ArgusTestSupport
import Glibc
import Testing

@testable import ArgusCore

@Suite("Signals")
struct SignalsTests {
    @Test("the process dies of the signal and leaves no temporary file")
    func diesTidily() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path
        await #expect(processExitsWith: .signal(SIGTERM)) { [path = path as String] in
            let file = try AtomicFile(path + "/a", for: .person)
            try file.write([65])
            withExtendedLifetime(file) { receive(SIGTERM) }
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
            receive(number)
        }
    }

    @Test("what is held is finished, and then the first signal is died of", arguments: [1, 2])
    func heldSignal(holds: Int) async throws {
        let folder = try TemporaryFolder()
        let path = folder.path
        await #expect(processExitsWith: .signal(SIGHUP)) {
            [path = path as String, holds = holds as Int] in
            let begun = (0..<holds).map { _ in SignalHold() }
            for hold in begun { hold.begin(for: .seconds(60)) }
            begun[0].begin(for: .seconds(60))
            for number in [SIGHUP, SIGINT, SIGTERM, SIGTERM] { Signals.end(by: number) }
            try AtomicFile.write([65], to: path + "/kept", for: .state, replacing: true)
            for hold in begun { hold.end() }
        }
        #expect(try folder.names() == ["kept"])
    }

    @Test("after its time a signal ends the process, whatever is held")
    func endlessHold() async {
        await #expect(processExitsWith: .signal(SIGINT)) {
            let hold = SignalHold(keeping: .milliseconds(10))
            hold.begin()
            withExtendedLifetime(hold) { receive(SIGINT) }
        }
    }

    @Test("on a terminal each postponed signal prints a message, the first one too")
    func explainsHold() async {
        await #expect(processExitsWith: .signal(SIGHUP)) {
            let terminal = try PseudoTerminal()
            dup2(open(terminal.path, O_RDWR | O_NOCTTY), 2)
            let hold = SignalHold()
            hold.begin(for: .seconds(60))
            for number in [SIGHUP, SIGINT] {
                Signals.end(by: number)
                let words = "\r\nargus: finishing first, so that no new credentials are lost\r\n"
                #expect(try terminal.output(upTo: "lost\r\n") == words)
            }
            hold.end()
        }
    }

    @Test("a hold that is forgotten, or has ended, holds nothing")
    func endedHold() async {
        await #expect(processExitsWith: .signal(SIGHUP)) {
            SignalHold().begin()
            let hold = SignalHold()
            hold.begin()
            hold.end()
            hold.end()
            receive(SIGHUP)
        }
    }

    @Test("the first signal of a command that ends in order requests that, the second one kills")
    func endRequest() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path
        await #expect(processExitsWith: .signal(SIGTERM)) { [path = path as String] in
            Signals.onEndRequest(onlySignals: true) { signal in
                let text = signal.map { "\($0)" } ?? "none"
                try? AtomicFile.write(
                    Array(text.utf8), to: path + "/request", for: .person, replacing: false)
            }
            receive(SIGINT, SIGTERM)
        }
        #expect(try folder.text("request") == "\(SIGINT)")
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

    @Test("a program that takes the place of this one gets the ignored signals as they were")
    func otherProgram() async {
        await #expect(processExitsWith: .signal(SIGPIPE)) {
            Signals.prepareProcess()
            Signals.prepareForAnotherProgram()
            var only = sigset_t()
            sigemptyset(&only)
            sigaddset(&only, SIGPIPE)
            pthread_sigmask(SIG_UNBLOCK, &only, nil)
            raise(SIGPIPE)
        }
    }
}

/// Sends signals to this thread, which then is the one that acts on signals.
///
/// A signal of the whole process would go to the main thread, which does not block it in a test. Of
/// several that wait, the lowest comes first.
private func receive(_ numbers: Int32...) -> Never {
    var signals = sigset_t()
    sigemptyset(&signals)
    for number in numbers { sigaddset(&signals, number) }
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    for number in numbers { raise(number) }
    Signals.waitAndAct(on: signals)
}
