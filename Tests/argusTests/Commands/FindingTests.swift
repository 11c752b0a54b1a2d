import ArgusCore
import Testing

@testable import argus

@Suite("The lines of argus doctor")
struct FindingTests {
    private let terminal = Terminal(isOutputTerminal: true, width: 60)

    @Test("a remedy follows its message, unless the message ends in it")
    func remedy() {
        let finding = Finding.warning("sign-in", "it has ended", "run 'argus login'")
        #expect(
            finding.line.text(on: .none)
                == "warning  sign-in        it has ended; run 'argus login'\n")
        let named = Finding.warning("sign-in", "it has ended; run 'argus login'", "argus login")
        #expect(named.line.text(on: .none) == finding.line.text(on: .none))
        #expect(
            finding.line.text(on: terminal) == """
                warning  sign-in        it has ended
                                        hint: run 'argus login'

                """)
    }

    @Test("a long line continues below its message, on a terminal only")
    func brokenLine() {
        let finding = Finding.ok("offers", "events, cameras, devices, pairing and Web Push")
        #expect(
            finding.line.text(on: terminal) == """
                ok       offers         events, cameras, devices, pairing
                                        and Web Push

                """)
        #expect(finding.line.text(on: .none).split(separator: "\n").count == 1)
    }

    @Test("signs replace words only in colour, on a terminal that shows them")
    func signs() {
        let finding = Finding.failure("connection", Failure(.unreachable, "refused"))
        var terminal = terminal
        terminal.hasSigns = true
        #expect(finding.line.text(on: terminal) == "failed   connection     refused\n")
        terminal.style = Style(isOn: true)
        #expect(
            finding.line.text(on: terminal)
                == "\u{1B}[31m  ✗\u{1B}[0m connection     refused\n")
        terminal.isOutputTerminal = false
        #expect(finding.line.text(on: terminal).contains("failed"))
    }
}
