import ArgusAccount
import ArgusCore
import ArgusTestSupport
import Glibc
import Testing

@Suite("SecretInput")
struct SecretInputTests {
    @Test("standard input is read to its end, one line end dropped")
    func readsStandardInput() throws {
        let folder = try TemporaryFolder()
        let path = try folder.plant("pass: wörd \n", "in")
        let file = open(path, O_RDONLY | O_CLOEXEC)
        try #require(file >= 0)
        defer { close(file) }
        let input = SecretInput(mayAsk: false, standardInput: file)
        #expect(try input.readStandardInput(as: .anyText) == Redacted("pass: wörd "))
        #expect(throws: AccountError.secret("standard input", .empty)) {
            try input.readStandardInput(as: .anyText)
        }
    }

    @Test("an endless standard input is refused, a closed one is an error")
    func boundsStandardInput() throws {
        let zero = open("/dev/zero", O_RDONLY | O_CLOEXEC)
        defer { close(zero) }
        let endless = #expect(throws: AccountError.self) {
            try SecretInput(mayAsk: false, standardInput: zero).readStandardInput(as: .anyText)
        }
        #expect(endless?.description.hasSuffix("it is larger than 65538 bytes") == true)
        let closed = #expect(throws: AccountError.self) {
            try SecretInput(mayAsk: false, standardInput: 1 << 20).readStandardInput(as: .anyText)
        }
        #expect(closed?.description == "cannot read 'standard input': bad file descriptor")
    }

    @Test("without a terminal or permission to ask, the error says what to pass")
    func noTerminal() {
        let remedy = AccountError.noTerminal(
            question: "Password", remedy: "--password-stdin")
        for input in [
            SecretInput(mayAsk: true, terminalPath: "/nonexistent/tty"), SecretInput(mayAsk: false),
        ] {
            #expect(throws: remedy) {
                try input.askSecret("Password: ", insteadOf: "--password-stdin")
            }
        }
    }

    @Test(
        "the error says what would have been asked, without the lines above it",
        arguments: [
            ("User name: ", "User name"), ("End it? Type yes: ", "End it?"),
            ("It is not ours.\nEnd it? Type yes: ", "End it?"),
            ("Two wait:\n  a\n  b\nWhich one? ", "Which one?"),
        ])
    func saysQuestion(prompt: String, question: String) {
        let error = #expect(throws: AccountError.self) {
            try SecretInput(mayAsk: false).askLine(prompt, insteadOf: "--yes")
        }
        #expect(
            error?.description
                == (question == "User name"
                    ? "no terminal to prompt for the user name; use --yes"
                    : "no terminal to ask \"\(question)\"; use --yes"))
        #expect(throws: AccountError.noTerminal(question: question, remedy: "--yes")) {
            try SecretInput(mayAsk: false).expectTerminal(for: question, insteadOf: "--yes")
        }
    }

    @Test("a secret is typed without echo, and the echo comes back")
    func hidesEcho() throws {
        let terminal = try PseudoTerminal()
        let answer = terminal.answer { input throws(AccountError) in
            try input.askSecret("Password: ", insteadOf: "x").reveal()
        }
        #expect(try terminal.output(upTo: "Password: ").hasSuffix("Password: "))
        #expect(try !terminal.hasEcho())
        try terminal.type("geheim ü\n")
        #expect(answer.value() == .success("geheim ü"))
        #expect(try terminal.hasEcho())
        #expect(try !terminal.output(upTo: "\n").contains("geheim"))
    }

    @Test("long lines of a prompt are broken at blanks")
    func breaksLines() throws {
        let terminal = try PseudoTerminal()
        try terminal.setWidth(40)
        let name = terminal.answer { input throws(AccountError) in
            try input.askLine(
                "this sign-in expires at 2026-11-21 12:00; then sign in\nGo on? [y/N] ",
                insteadOf: "x")
        }
        #expect(
            try terminal.output(upTo: "[y/N] ") == "this sign-in expires at 2026-11-21\r\n"
                + "12:00; then sign in\r\nGo on? [y/N] ")
        try terminal.type("y\n")
        #expect(name.value() == .success("y"))
    }

    @Test("a line is typed with echo; the end of input is no answer")
    func asksLine() throws {
        let terminal = try PseudoTerminal()
        let name = terminal.answer { input throws(AccountError) in
            try input.askLine("User: ", insteadOf: "x")
        }
        _ = try terminal.output(upTo: "User: ")
        try terminal.type("admin\n")
        #expect(name.value() == .success("admin"))
        _ = try terminal.output(upTo: "admin")

        let none = terminal.answer { input throws(AccountError) in
            try input.askLine("User: ", insteadOf: "x")
        }
        _ = try terminal.output(upTo: "User: ")
        try terminal.type("\u{4}")
        #expect(none.value() == .failure(.nothingEntered))
    }
}
