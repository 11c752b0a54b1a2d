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
            finding.line(on: .none)
                == "warning  sign-in        it has ended; run 'argus login'\n")
        let named = Finding.warning("sign-in", "it has ended; run 'argus login'", "argus login")
        #expect(named.line(on: .none) == finding.line(on: .none))
    }

    @Test("a long line continues below its message, on a terminal only")
    func brokenLine() {
        let finding = Finding.ok("offers", "events, cameras, devices, pairing and Web Push")
        #expect(
            finding.line(on: terminal) == """
                ok       offers         events, cameras, devices, pairing
                                        and Web Push

                """)
        #expect(finding.line(on: .none).split(separator: "\n").count == 1)
    }
}
