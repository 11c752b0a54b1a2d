import Glibc
import Testing

@testable import argus_demo

/// TAB in real shells on a real terminal, with no server to ask.
@Suite(.waitsForPrograms)
struct ShellCompletionTests {
    /// A shell with the completion loaded, in which `argus` only shows the words it was given.
    enum Shell: String, CaseIterable {
        case bash, zsh, fish

        /// The command line that starts it with a file of commands.
        func words(reading file: String) -> [String] {
            switch self {
            case .bash: ["bash", "--rcfile", file, "-i"]
            case .zsh: ["zsh", "-d", "-i"]
            case .fish: ["fish", "--no-config", "-i", "-C", "source \(file)"]
            }
        }

        var preparation: String {
            switch self {
            case .bash:
                """
                PS1=
                source <(argus completion bash)
                argus() { printf '<%s>' "$@"; echo; }
                echo ready
                """
            case .zsh:
                """
                PS1= RPS1=
                autoload -U compinit
                compinit -u -D
                source <(argus completion zsh)
                argus() { printf '<%s>' "$@"; echo; }
                echo ready
                """
            case .fish:
                """
                command argus completion fish | source
                function argus; printf '<%s>' $argv; echo; end
                function fish_prompt; end
                echo ready
                """
            }
        }
    }

    private let home: TemporaryHome

    init() throws {
        home = try TemporaryHome()
        let server = try DemoServer()
        try home.signIn(to: server)
        for words in [
            ["cameras", "list"], ["events", "list"],
            ["keys", "create", "nightly", "--output-file", home.file("key")], ["keys", "list"],
            [
                "push", "register", "--push-token", String(repeating: "0a", count: 32),
                "--platform", "ios", "--device-name", "attic", "--yes",
            ], ["devices", "list"],
            ["config", "set", "alias.porch", "cameras snapshot 'Front Door'"],
        ] {
            let ran = try home.argus(words)
            guard ran.status == 0 else { throw NotReady(reason: ran.complaint) }
        }
        // Cameras as somebody may call them, which the demo has none of.
        let cache = try home.files().first { $0.hasSuffix("/cameras") } ?? ""
        try home.write((home.text(of: cache) ?? "") + "a/b\\c\tid-9\nYard, left\tid-8\n", to: cache)
        server.stop()
    }

    private func start(_ shell: Shell) throws -> RunningProgram {
        // zsh reads the file of this name in ZDOTDIR.
        let file = try home.write(shell.preparation + "\n", to: "shell/.zshrc")
        var launch = home.launch(
            [], ["INPUTRC": "/dev/null", "ZDOTDIR": home.file("shell"), "TERM": "vt100"])
        launch.words = shell.words(reading: file)
        let program = try launch.onTerminal.start()
        try program.wait(for: "ready")
        return program
    }

    @Test(
        "TAB completes what was seen, and a blank in a name stays one word",
        arguments: Shell.allCases)
    func completes(shell: Shell) throws {
        let program = try start(shell)
        // Where a list may go on, zsh leaves the quote open.
        let end = shell == .zsh ? "'" : ""
        let quote = shell == .zsh ? "\"" : ""
        for (typed, words) in [
            ("argus cameras snapshot Fr\t", "<cameras><snapshot><Front Door>"),
            ("argus cameras snapshot 'Fr\t", "<cameras><snapshot><Front Door>"),
            ("argus cameras show Back\t", "<cameras><show><Back Garden>"),
            ("argus cameras show a/\t", #"<cameras><show><a/b\c>"#),
            ("argus --server 127\t", "<--server><127.0.0.1>"),
            ("argus --server 127.0.0.1 cameras show Back\t", "<cameras><show><Back Garden>"),
            ("argus por\t", "<porch>"), ("argus porch Back\t", "<porch><Back Garden>"),
            ("argus porch --qual\t", "<porch><--quality>"),
            ("argus config get alias.p\t", "<config><get><alias.porch>"),
            ("argus config set cred\t", "<config><set><credential_store>"),
            ("argus events list --type per\t", "<events><list><--type><person>"),
            ("argus events list --format nd\t", "<events><list><--format><ndjson>"),
            ("argus api api-k\t", "<api><api-keys>"),
            ("argus api DELETE push/s\t", "<api><DELETE><push/subscribe>"),
            ("argus api GET push/s\t", "<api><GET><push/subscriptions>"),
            ("argus config set utc t\t", "<config><set><utc><true>"),
            ("argus config set credential_store sec\t", "<credential_store><secret-service>"),
            ("argus config set server 127\t", "<config><set><server><127.0.0.1>"),
            ("argus server set 127.0.0.1 --store fi\t", "<--store><file>"),
            ("argus push prefs set --cameras Fr\t", "<--cameras><Front Door>"),
            ("argus push prefs set --cameras 'Front Door,Bac\t\(end)", "<Front Door,Back Garden>"),
            ("argus push prefs set --cameras Front\\ Door,Bac\t", "<Front Door,Back Garden>"),
            ("argus push prefs set --cameras no\t", "<set><--cameras><none>"),
            ("argus push prefs set --types person,v\t", "<--types><person,vehicle>"),
            ("argus push prefs set --types al\t", "<set><--types><all>"),
            ("argus push prefs set --cameras \"Front Door,Gar\t\(quote)", "<Front Door,Garage>"),
            ("argus push prefs set --cameras Garage,Fr\t", "<Garage,Front Door>"),
            ("argus push prefs set --cameras Garage,\tdri\t", "<Garage,Driveway>"),
            ("argus push prefs set --cameras Front\\ Door,\tgar\t", "<Front Door,Garage>"),
            ("argus push prefs set --cameras \"Front Door\",gar\t\(quote)", "<Front Door,Garage>"),
            ("argus cameras snapshot fr\t", "<cameras><snapshot><Front Door>"),
            ("argus cameras snapshot \"fr\t", "<cameras><snapshot><Front Door>"),
            ("argus push prefs set --timezone europe/ber\t", "<--timezone><Europe/Berlin>"),
            ("argus keys revoke ni\t", "<keys><revoke><nightly>"),
            ("argus events show LAT\t", "<events><show><latest>"),
            ("argus events list --since last-n\t", "<--since><last-night>"),
            ("argus events list --since 'yesterday \t", "<--since><yesterday 22:00>"),
            ("argus events list --camera Fr\t", "<--camera><Front Door>"),
            ("argus events list --camera Garage,dri\t", "<--camera><Garage,Driveway>"),
            ("argus events list --camera Yard\t", "<--camera><Yard, left>"),
            ("argus events list --camera 'Garage,Yard, l\t\(end)", "<Garage,Yard, left>"),
            ("argus events watch -- shellche\t", "<watch><--><shellcheck>"),
        ] {
            program.type(typed + "\r")
            try program.wait(for: words)
        }
    }

    @Test("TAB after a blank offers all cameras", arguments: Shell.allCases)
    func offers(shell: Shell) throws {
        let program = try start(shell)
        program.type("argus cameras snapshot \t\t")
        for name in ["Driveway", "Garden", "Door"] { try program.wait(for: name) }
    }

    @Test("TAB lists events as 'events list' does, newest first", arguments: Shell.allCases)
    func newestFirst(shell: Shell) throws {
        let cache = try home.files().first { $0.hasSuffix("/events") } ?? ""
        let ids = (home.text(of: cache) ?? "").split(separator: "\n").prefix(5).map { $0.prefix(8) }
        let program = try start(shell)
        program.type("argus events show \t\t")
        try program.wait { printed in
            // Where each id is printed first.
            let places = ids.compactMap { printed.firstRange(of: $0)?.lowerBound }
            return printed.contains("latest") && places.count == 5 && places == places.sorted()
        }
    }

    @Test("zsh lists verbs in the order of use")
    func orderOfUse() throws {
        let program = try start(.zsh)
        program.type("argus events \t\t")
        let verbs = ["watch ", "wait ", "thumbnail ", "export ", "delete "]
        try program.wait { printed in
            let places = verbs.compactMap { printed.firstRange(of: $0)?.lowerBound }
            return places.count == verbs.count && places == places.sorted()
        }
    }

    @Test("TAB reports a cold cache above or below the line", arguments: [Shell.zsh, .fish])
    func coldCache(shell: Shell) throws {
        for file in try home.files() where file.hasSuffix("/cameras") {
            unlink(home.file(file))
        }
        let program = try start(shell)
        program.type("argus cameras show \t")
        try program.wait(for: "no cameras of")
        program.type("x\r")
        try program.wait(for: "<cameras><show><x>")
    }

    @Test("a shell completes argus after 'completion --install'", arguments: Shell.allCases)
    func installs(shell: Shell) throws {
        let name = shell.rawValue
        let startUp = [".bashrc", ".zshrc"].first { $0.contains(name) }
        if let startUp { try home.write("PS1=; echo started", to: startUp) }
        let variables = ["SHELL": "/bin/\(name)"]
        // A shell that starts slowly is one too.
        func doctor(_ answer: String) throws -> Bool {
            let text = try home.argus("doctor", variables: variables).text
            return text.contains("\(name) \(answer)") || text.contains("\(name) did not start")
        }
        #expect(try doctor("does not complete argus"))
        let trial = try home.argus("completion", "--install", "--dry-run", variables: variables)
        #expect(trial.status == 0 && trial.complaint.contains("would write '"))
        let scripts = ["/argus", "/_argus", "/argus.fish"]
        #expect(try !home.files().contains { file in scripts.contains { file.hasSuffix($0) } })
        let first = try home.argus("completion", "--install", variables: variables)
        #expect(first.status == 0 && first.text.isEmpty && first.complaint.contains("wrote '"))
        let text = startUp.flatMap { home.text(of: $0) }
        #expect(text?.hasPrefix("PS1=; echo started\n") != false)
        let second = try home.argus("completion", "--install", name)
        #expect(second.complaint.hasPrefix("nothing to change: "))
        #expect(startUp.flatMap { home.text(of: $0) } == text)
        #expect(try doctor("completes argus"))
        var launch = home.launch([], ["INPUTRC": "/dev/null", "TERM": "vt100"])
        launch.words = [name, "-i"]
        let program = try launch.onTerminal.start()
        program.type("argus --vers\t\r")
        try program.wait(for: try home.argus("--version").lines.first ?? "argus 1")
    }

    @Test(
        "TAB opens no socket, loads no libcurl and reads no secret",
        arguments: [
            "", "porch ", "cameras show ", "devices show ", "events show ", "server use ",
            "server set x --store ", "push prefs set --cameras ", "config get ",
            "config set format ",
            "api ", "api GET ", "help ", "events list --", "--format=",
        ])
    func quiet(line: String) throws {
        let log = home.file("strace")
        let words = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        let ran = try home.bash(
            "strace -f -o \"$1\" argus __complete -- \"${@:2}\"", arguments: [log] + words)
        #expect(ran.status == 0, "\(ran.complaint)")
        #expect(ran.lines.count > 1, "\(ran.text)")
        let calls = home.text(of: "strace") ?? ""
        #expect(calls.contains("execve("))
        for trace in ["socket(", "connect(", "libcurl", "libsecret", "libdbus", "credentials/"] {
            #expect(!calls.contains(trace), "\(trace)")
        }
    }
}
