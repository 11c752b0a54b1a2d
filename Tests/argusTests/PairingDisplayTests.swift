import Testing

@testable import argus
@testable import ArgusAccount
@testable import ArgusCore

@Suite("a pairing code on a terminal")
struct PairingDisplayTests {
    private let err = ByteSink.memory()
    private static let now = Timestamp(seconds: 1_795_262_400)

    private func display(_ terminal: Terminal, isQuiet: Bool = false) -> PairingDisplay {
        PairingDisplay(
            Streams(out: ByteSink.memory(), err: err, terminal: terminal), terminal: terminal,
            isQuiet: isQuiet)
    }

    private func pairing(name: String = "attic") throws -> PendingPairing {
        PendingPairing(
            code: try #require(PairingCode(typed: "102345")),
            device: PairingDevice(hardwareID: "h", name: name, model: "m", platform: .ios),
            startedAt: Self.now, expiresAt: Self.now + .seconds(299),
            server: ServerRecord(name: "home", endpoints: [], addedAt: Self.now), isNameGiven: false
        )
    }

    @Test("the code is large, the time counts down in its own line and goes away at the end")
    func live() throws {
        let display = display(Terminal(isErrorTerminal: true, width: 80))
        display.begin(try pairing(), on: "home", now: Self.now)
        display.countDown(.milliseconds(298_500))
        display.countDown(.seconds(2))
        display.end()
        display.end()
        let tail = " Ctrl-C stops waiting, 'argus pair resume' continues.\u{1B}[K\n"
        let expected =
            """
            Pairing code of 'attic' for 'home':

                ██    ██████  ██████    ██████  ██  ██  ██████
              ████    ██  ██      ██        ██  ██  ██  ██
                ██    ██  ██  ██████    ██████  ██████  ██████
                ██    ██  ██  ██            ██      ██      ██
              ██████  ██████  ██████    ██████      ██  ██████

            Confirm it in the server's dashboard, or where you are signed in with
              argus pair confirm 102345
            Good for 4 min 59 s.\(tail)\u{1B}[A\rGood for 2 s.\(tail)\u{1B}[A\r\u{1B}[K
            """
        let shown = err.text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.reversed().drop { $0 == " " }.reversed() }.map { String($0) }
            .joined(separator: "\n")
        #expect(shown == expected)
    }

    @Test("all ten digits differ, and every row of a code is as wide as the others")
    func digits() throws {
        var seen: Set<[String]> = []
        for digit in 0..<10 {
            let code = try #require(
                PairingCode(fromServer: String(repeating: "\(digit)", count: 6)))
            let lines = CodeBanner.lines(code, width: 80)
            #expect(lines.count == 5)
            #expect(Set(lines.map { DisplayWidth.of($0) }).count == 1)
            seen.insert(lines)
        }
        #expect(seen.count == 10)
    }

    @Test("a narrow terminal, and a code with letters, get plain characters")
    func plain() throws {
        let digits = try #require(PairingCode(typed: "102345"))
        #expect(CodeBanner.lines(digits, width: 40) == ["  1 0 2   3 4 5"])
        #expect(CodeBanner.lines(try #require(PairingCode(typed: "ABC123")), width: 80).count == 1)
        let width = 30
        let display = display(Terminal(isErrorTerminal: true, width: width))
        display.countDown(.seconds(5))
        #expect(err.text.hasPrefix("Good for 5 s. Ctrl-C stops w…\u{1B}[K\n"))
    }

    @Test("without a terminal there is one sentence, and quiet runs say nothing")
    func sentence() throws {
        let piped = display(.none)
        piped.begin(try pairing(name: "at\u{1B}tic"), on: "ho\u{1B}me", now: Self.now)
        piped.countDown(.seconds(5))
        piped.end()
        #expect(err.text.hasPrefix("the pairing code of 'at\\x1btic' for 'ho\\x1bme' is 102 345"))
        #expect(err.text.split(separator: "\n").count == 1)
        let before = err.text
        let quiet = display(Terminal(isErrorTerminal: true), isQuiet: true)
        quiet.begin(try pairing(), on: "home", now: Self.now)
        quiet.countDown(.seconds(5))
        #expect(err.text == before)
    }
}
