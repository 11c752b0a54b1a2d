import ArgusTestSupport
import Glibc
import Testing

@testable import ArgusCore

@Suite("SavedTerminal")
struct SavedTerminalTests {
    @Test("a terminal that takes no output (Ctrl-S) is put back all the same")
    func stopped() async {
        await #expect(processExitsWith: .success) {
            // A limit for a hang only.
            alarm(60)
            let terminal = try PseudoTerminal()
            let number = open(terminal.path, O_RDWR | O_NOCTTY)
            try #require(tcflow(number, TCOOFF) == 0)
            let prompt = try TestThread {
                _ = SavedTerminal.begin("Password: ", echoes: false, on: number)
            }
            while try terminal.hasEcho() { sched_yield() }
            SavedTerminal.restore()
            #expect(try terminal.hasEcho())
            try #require(tcflow(number, TCOON) == 0)
            prompt.join()
            #expect(try terminal.output(upTo: ": ") == "Password: ")
        }
    }
}
