import ArgusTestSupport
import Glibc
import Testing

@testable import ArgusCore

@Suite("TerminalGraphics")
struct TerminalGraphicsTests {
    @Test(
        "the answer of a terminal is found behind what was typed",
        arguments: [
            ("\u{1B}[?62;4;22c", [62, 4, 22]), ("ls\n\u{1B}[?1;2c", [1, 2]),
            ("\u{1B}[?6c", [6]), ("\u{1B}[?c", []), ("\u{1B}[?62;4", nil), ("q", nil), ("", nil),
            ("\u{1B}[?1;x4c", nil), ("\u{1B}[?99999999999999999999;4c", [4]),
        ] as [(String, Set<Int>?)])
    func answers(text: String, attributes: Set<Int>?) {
        #expect(TerminalGraphics.attributes(in: Array(text.utf8)) == attributes)
    }

    // A prompt belongs to the whole process.
    @Test("a terminal is asked once, without echo, and is as it was then")
    func asking() async {
        await #expect(processExitsWith: .success) {
            // A limit for a hang only.
            alarm(60)
            let terminal = try PseudoTerminal()
            let number = open(terminal.path, O_RDWR | O_NOCTTY)
            let asking = try TestThread {
                let found = TerminalGraphics.attributes(of: number, within: .seconds(60))
                #expect(found == [62, 4])
            }
            #expect(try terminal.output(upTo: "c") == "\u{1B}[c")
            #expect(try !terminal.hasEcho())
            try terminal.type("\u{1B}[?62;")
            try terminal.type("4c")
            asking.join()
            #expect(try terminal.hasEcho())
        }
    }

    @Test("a silent terminal has no attributes, and one at which something was typed is not asked")
    func silence() async {
        await #expect(processExitsWith: .success) {
            alarm(60)
            let terminal = try PseudoTerminal()
            let number = open(terminal.path, O_RDWR | O_NOCTTY)
            #expect(TerminalGraphics.attributes(of: number, within: .milliseconds(20)) == [])
            #expect(try terminal.hasEcho())
            try terminal.type("ls\n")
            #expect(TerminalGraphics.attributes(of: number, within: .seconds(60)) == [])
        }
    }
}
