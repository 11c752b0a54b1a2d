import Glibc
import Testing

/// Ctrl-Z and fg, in a shell that has jobs.
@Suite(.waitsForPrograms)
struct JobControlTests {
    private let home: TemporaryHome
    private let server: DemoServer

    init() throws {
        home = try TemporaryHome()
        server = try DemoServer("--fault", "route=/api/v1/cameras,delay=1s")
    }

    private func shell(_ words: [String]) throws -> RunningProgram {
        var environment = home.environment
        environment["PS1"] = "ready> "
        let shell = Launch(words: words, environment: environment, folder: home.path)
            .onTerminal
        let running = try shell.start()
        try running.wait(for: "ready> ")
        return running
    }

    private static func count(_ text: String, in printed: String) -> Int {
        printed.split(separator: text, omittingEmptySubsequences: false).count - 1
    }

    private static let shells = [["/bin/sh", "-i"], ["/bin/bash", "--norc", "-i"]]

    @Test("a password is not echoed after Ctrl-Z and fg, however often", arguments: shells)
    func password(words: [String]) throws {
        let shell = try shell(words)
        shell.type("argus login \(server.url) -u demo; echo left with $?\n")
        let prompt = "Password of demo for '127.0.0.1': "
        for time in 1...3 {
            try shell.wait { Self.count(prompt, in: $0) == time }
            #expect(shell.terminal?.echoes == false)
            shell.type("half\u{1A}")
            try shell.wait { Self.count("topped", in: $0) == time }
            shell.type("fg\n")
        }
        try shell.wait { Self.count(prompt, in: $0) == 4 }
        #expect(shell.terminal?.echoes == false)
        shell.type(DemoServer.password + "\n")
        try shell.wait(for: "signed in to '127.0.0.1' as 'demo'")
        try shell.wait(for: "[y/N]")
        shell.type("n\n")
        shell.type("exit\n")
        #expect(!shell.printed.contains("half"))
        #expect(!shell.printed.contains(DemoServer.password))
    }

    @Test("while a prompt is stopped the terminal is the shell's")
    func stopped() throws {
        let shell = try shell(Self.shells[0])
        shell.type("argus login \(server.url) -u demo\n")
        try shell.wait(for: "Password of demo")
        shell.type("\u{1A}")
        try shell.wait(for: "topped")
        #expect(shell.terminal?.echoes == true)
        // In the background it touches nothing, and stops again as soon as it reads.
        shell.type("bg; wait; echo ba''ck\n")
        try shell.wait(for: "back")
        #expect(shell.terminal?.echoes == true)
        shell.type("fg\n")
        try shell.wait { Self.count("Password of demo", in: $0) == 2 }
        #expect(shell.terminal?.echoes == false)
        shell.type("\u{03}")
        // What is typed ahead of the shell's prompt is dropped, as after every password.
        try shell.wait { $0.hasSuffix("ready> ") }
        shell.type("echo left-$?\n")
        try shell.wait(for: "left-130")
        #expect(shell.terminal?.echoes == true)
    }

    @Test("a question is shown again, and a request goes on")
    func others() throws {
        let shell = try shell(Self.shells[0])
        shell.type("argus login \(server.url)\n")
        try shell.wait(for: "User name for")
        shell.type("de\u{1A}")
        try shell.wait(for: "topped")
        shell.type("fg\n")
        try shell.wait { Self.count("User name for", in: $0) == 2 }
        shell.type("demo\n")
        try shell.wait(for: "Password of demo")
        shell.type(DemoServer.password + "\n")
        try shell.wait(for: "[y/N]")
        shell.type("n\n")
        // A shell that waits for words itself would pass the key by.
        shell.type("sh -c 'echo be\"\"gun; exec argus cameras list --fields name'\n")
        try shell.wait(for: "begun")
        shell.type("\u{1A}")
        try shell.wait { Self.count("topped", in: $0) == 2 }
        shell.type("fg; echo gone-on-$?\n")
        try shell.wait(for: "Driveway")
        try shell.wait(for: "gone-on-0")
    }

    @Test("the screen of a pairing is shown again after fg")
    func pairing() throws {
        let shell = try shell(Self.shells[0])
        shell.type("argus pair \(server.url)\n")
        try shell.wait(for: "Good for")
        shell.type("\u{1A}")
        try shell.wait(for: "topped")
        shell.type("fg\n")
        try shell.wait { Self.count("argus pair confirm", in: $0) == 2 }
        shell.type("\u{03}echo left-$?\n")
        try shell.wait(for: "left-130")
    }

    @Test("a stop that nothing could end is ignored")
    func orphaned() throws {
        let login = try home.launch(["login", server.url, "-u", "demo"]).onTerminal.start()
        try login.wait(for: "Password of demo")
        login.type("\u{1A}\u{1A}\u{03}")
        #expect(try login.finish().ending == .signal(SIGINT))
        #expect(login.terminal?.echoes == true)
    }
}
