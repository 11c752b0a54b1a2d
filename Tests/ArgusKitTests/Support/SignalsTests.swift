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
