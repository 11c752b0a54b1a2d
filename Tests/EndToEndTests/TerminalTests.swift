import Glibc
import Testing

@testable import argus_demo

/// A person at a terminal.
@Suite(.waitsForPrograms)
struct TerminalTests {
    private let home: TemporaryHome

    init() throws {
        home = try TemporaryHome()
    }

    @Test("a password is asked for without echo and printed nowhere")
    func password() throws {
        let server = try DemoServer()
        let login = try home.launch(["login", server.url]).onTerminal.start()
        try login.wait(for: "User name for '127.0.0.1': ")
        #expect(login.terminal?.echoes == true)
        login.type("demo\n")
        try login.wait(for: "Password of demo for '127.0.0.1': ")
        #expect(login.terminal?.echoes == false)
        login.type(DemoServer.password + "\n")
        try login.wait(for: "[y/N] ")
        login.type("n\n")
        let ran = try login.finish()
        #expect(ran.status == 0)
        #expect(ran.text.contains("signed in to '127.0.0.1' as 'demo'"))
        #expect(!ran.text.contains(DemoServer.password))
        #expect(login.terminal?.echoes == true)
    }

    @Test("the prompt reaches the terminal although the streams are pipes")
    func promptOnControllingTerminal() throws {
        let server = try DemoServer()
        var launch = home.launch(["login", server.url, "-u", "demo", "--json"]).onTerminal
        launch.output = .collected
        let login = try launch.start()
        try login.wait(for: "Password of demo")
        login.type(DemoServer.password + "\n")
        let ran = try login.finish()
        #expect(ran.status == 0)
        // The terminal and stdout are one here; the object is the last of it.
        #expect(ran.text.contains("\"username\": \"demo\""))
    }

    @Test("Ctrl-C at the password dies of the signal with the echo restored")
    func interruptedPrompt() throws {
        let server = try DemoServer()
        let login = try home.launch(["login", server.url, "-u", "demo"]).onTerminal.start()
        try login.wait(for: "Password of demo")
        #expect(login.terminal?.echoes == false)
        login.type("half a pass\u{03}")
        #expect(try login.finish().ending == .signal(SIGINT))
        #expect(login.terminal?.echoes == true)
        #expect(try home.files() == [])
    }

    @Test("without a terminal, or with --no-input, the message names the missing input")
    func noTerminal() throws {
        let words = ["login", "http://127.0.0.1:1", "-u", "demo"]
        let piped = try home.argus(words)
        #expect(piped.status == 2)
        #expect(piped.complaint.contains("--password-stdin"))
        let asked = try home.launch(words + ["--no-input"]).onTerminal.start().finish()
        #expect(asked.status == 2)
        let variable = try home.launch(words, ["ARGUS_NO_INPUT": "1"]).onTerminal.start().finish()
        #expect(variable.status == 2)
    }

    @Test("pictures are not poured onto a terminal")
    func binary() throws {
        try home.signIn(to: try DemoServer())
        for words in [["cameras", "snapshot", "Driveway"], ["events", "thumbnail", "latest"]] {
            let ran = try home.launch(words + ["-o", "-"]).onTerminal.start().finish()
            #expect(ran.status == 2)
            #expect(ran.output.count < 300)
        }
    }

    @Test("an empty list is a sentence on a terminal and nothing but a header elsewhere")
    func emptyList() throws {
        try home.signIn(to: try DemoServer("--events", "0", "--cameras", "0"))
        let shown = try home.argusOnTerminal("events", "list")
        #expect(shown.text == "no events match\r\n")
        let piped = try home.argus("events", "list")
        #expect(piped.status == 0)
        #expect(piped.complaint.isEmpty)
        #expect(try home.argus("events", "list", "--json").text == "[]\n")
        #expect(try home.argus("events", "list", "--format", "ndjson").text == "")
        #expect(try home.argus("cameras", "list", "--json").text == "[]\n")
        #expect(try home.argus("events", "list", "--format", "csv", "--no-header").text == "")
        #expect(try home.argus("events", "show", "latest").status == 3)
        #expect(try home.argus("cameras", "snapshot", "--all").status == 3)
    }

    @Test("a table on a terminal keeps to its width and colours, a piped one has all")
    func tables() throws {
        try home.signIn(to: try DemoServer("--events", "20"))
        let shown = try home.argusOnTerminal("events", "list", variables: ["NO_COLOR": "1"])
        let piped = try home.argus("events", "list")
        #expect(shown.lines.count == 23)
        #expect(shown.lines.last?.hasPrefix("20 ") == true)
        #expect(piped.lines.count == 21)
        #expect(piped.complaint.isEmpty)
        #expect(shown.lines.allSatisfy { width($0) <= 80 })
        #expect(shown.lines.contains { $0.contains("…  ") })
        let wide = try home.argusOnTerminal(
            "events", "list", "--wide", variables: ["NO_COLOR": "1"])
        #expect(wide.lines.first?.hasPrefix("TIME") == true)
        #expect(piped.lines.first?.hasPrefix("ID") == true)
        let ids = piped.lines.dropFirst().map { $0.prefix(36) }
        #expect(zip(wide.lines.dropFirst(), ids).allSatisfy { $0.hasSuffix($1) })
        let words = try home.argusOnTerminal(
            "events", "list", "--fields", "camera_name,description", "--color", "never")
        #expect(words.lines.allSatisfy { width($0) <= 80 })
        #expect(words.lines.contains { $0.hasSuffix("…") })
        #expect(!piped.text.contains("…"))
        #expect(!piped.text.contains("\u{1B}"))
        for variables in [["NO_COLOR": "1"], ["TERM": "dumb"]] {
            let plain = try home.argusOnTerminal("cameras", "list", variables: variables)
            #expect(!plain.text.contains("\u{1B}"))
        }
        #expect(try home.argusOnTerminal("cameras", "list").text.contains("\u{1B}["))
        #expect(
            !(try home.argusOnTerminal("cameras", "list", "--color", "never").text)
                .contains("\u{1B}"))
        #expect(try home.argus("cameras", "list", "--color", "always").text.contains("\u{1B}["))
    }

    /// Cells, with the house's wide characters counted twice.
    private func width(_ text: String) -> Int {
        text.unicodeScalars.reduce(0) { $0 + ((0x4E00...0x9FFF).contains($1.value) ? 2 : 1) }
    }
}
