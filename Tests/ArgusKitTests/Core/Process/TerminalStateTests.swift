import ArgusTestSupport
import Glibc
import Testing

@testable import ArgusCore

@Suite("TerminalState")
struct TerminalStateTests {
    @Test("a terminal that takes no output (Ctrl-S) is put back all the same")
    func stopped() async {
        await #expect(processExitsWith: .success) {
            // A limit for a hang only.
            alarm(60)
            let terminal = try PseudoTerminal()
            let number = open(terminal.path, O_RDWR | O_NOCTTY)
            try #require(tcflow(number, TCOOFF) == 0)
            let prompt = try TestThread {
                _ = TerminalState.beginPrompt("Password: ", .hiddenLines, on: number)
            }
            while try terminal.hasEcho() { sched_yield() }
            TerminalState.putBack()
            #expect(try terminal.hasEcho())
            try #require(tcflow(number, TCOON) == 0)
            prompt.join()
            #expect(try terminal.output(upTo: ": ") == "Password: ")
        }
    }
}
