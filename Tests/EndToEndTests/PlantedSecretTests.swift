import Testing

@testable import argus_demo

/// Secrets of all kinds, planted in one home and looked for in everything that comes out of it.
@Suite("planted secrets", .waitsForPrograms)
struct PlantedSecretTests {
    private let home: TemporaryHome
    private let server: DemoServer
    private static let verbosities = [
        ["-q"], [], ["-v"], ["-vv"], ["--trace", "-"], ["-vvv", "--trace", "trace"],
    ]
    /// Has a program note what can be seen of it, and of the argus that started it.
    private static let note = """
        for id in $$ $PPID; do name=child; [ $id = $$ ] || name=parent
          cat /proc/$id/cmdline /proc/$id/environ >> "$HOME/seen.$name"; done

        """
    private static let point =
        "BEwAuJfTyzr8mb63rf2fkqJaMQhXveQMaG0DPZrZPz9wSYiS5_JYt13M01Q-M7Oo-Z2LAhWPjJI6-8XmhO1X1do"

    init() throws {
        (home, server) = (try TemporaryHome(), try DemoServer())
        try ToyHelper.install(Self.note + ToyHelper.script, in: home.path)
        let editor = "printf 'utc = true\\n' > \"$1\""
        for (name, script) in [("editor", editor), ("argus-spy", "argus whoami --json")] {
            try home.write("#!/bin/sh\n\(Self.note)\(script)\n", to: "bin/\(name)", mode: 0o700)
        }
    }

    private var path: [String: String] {
        [
            "PATH": "\(TemporaryHome.binaries):\(home.file("bin")):/usr/bin:/bin",
            "EDITOR": home.file("bin/editor"),
        ]
    }

    /// A secret that is nowhere else, written to a file for a command to read.
    private func plant(_ name: String, _ secret: String) throws -> String {
        try home.write(secret + "\n", to: "planted/\(name)")
        return secret
    }

    private func random(_ count: Int) -> String {
        String((0..<count).map { _ in "abcdefghijkmnpqrstuvwxyz23456789".randomElement() ?? "x" })
    }

    /// Signs in, with a new password, and makes every secret that there is; returns them all.
    private func plantAll(store: String) async throws -> [String] {
        let variables = path.merging(["ARGUS_CREDENTIAL_STORE": store]) { $1 }
        let password = try plant("password", random(24))
        try home.write(DemoServer.password, to: "first")
        func argus(_ words: String...) throws -> ProgramResult {
            let ran = try home.argus(words, variables: variables)
            #expect(ran.status == 0, "\(words): \(ran.complaint)")
            return ran
        }
        let login = ["login", server.url, "--name", "home", "-u", "demo", "--password-file"]
        #expect(try home.argus(login + ["first"], variables: variables).status == 0)
        _ = try argus(
            "passwd", "--password-file", "first", "--new-password-file", "planted/password")
        #expect(
            try home.argus(login + ["planted/password", "--remember"], variables: variables).status
                == 0)
        let key = try argus("keys", "create", "planted", "--output-file", "planted/key")
        #expect(key.text.isEmpty)
        let relay = "planted-relay-\(random(20))"
        #expect(
            try home.argus(
                [
                    "server", "set", "home", "--relay", "https://localhost:1",
                    "--relay-header-stdin", "--no-check",
                ],
                variables: variables, input: .text("CF-Access-Client-Secret: \(relay)\n")
            ).status == 0)
        let token = try plant("token", String(try argus("token").text.dropLast()))
        return [
            password, token, try refreshToken(store), relay,
            String((home.text(of: "planted/key") ?? "").dropLast()),
            try plant("push-token", "planted-push-\(random(40))"),
            try plant("auth", random(21) + "A"), "planted-endpoint-\(random(20))",
        ]
    }

    /// The refresh token, out of the toy's vault; a sealed one is moved there and back.
    private func refreshToken(_ store: String) throws -> String {
        let words = ["server", "set", "home", "--store"]
        #expect(try home.argus(words + ["helper:toy"], variables: path).status == 0)
        let file = try home.files(in: "vault").first { $0.hasSuffix(".sign-in") } ?? ""
        let text = home.text(of: "vault/\(file)") ?? ""
        #expect(try home.argus(words + [store], variables: path).status == 0)
        let match = try #require(text.firstMatch(of: /refresh_token[\\":\s]+([0-9a-f]{64,})/))
        return String(match.1)
    }

    /// The command lines that handle those secrets.
    private func commands(endpoint: String) -> [[String]] {
        let device = ["--device-id", "11111111-2222-4333-8444-555555555555", "--yes"]
        let url = "https://push.example/\(endpoint)"
        return [
            [
                "login", server.url, "-u", "demo", "--password-file", "planted/password",
                "--remember",
            ],
            ["login", server.url, "-u", "demo", "--password-file", "planted/auth"],
            ["whoami"], ["events", "list", "-n", "1"], ["doctor"], ["server", "show", "home"],
            ["events", "list", "-n", "1", "--token-file", "planted/token", "-s", server.url],
            ["events", "list", "-n", "1", "--api-key-file", "planted/key", "-s", server.url],
            ["events", "list", "--api-key-file", "planted/token", "-s", server.url],
            ["events", "list", "--via", "relay", "--retries", "0"],
            ["push", "register", "--push-token", "@planted/push-token", "--platform", "android"]
                + device,
            ["push", "update", "--push-token", "@planted/push-token"] + device,
            [
                "push", "subscribe", "--endpoint", url, "--p256dh", Self.point, "--auth-file",
                "planted/auth",
            ],
            ["push", "subscriptions"], ["push", "test"], ["push", "prefs", "--endpoint", url],
            ["push", "unsubscribe", "--endpoint", url, "--yes"], ["push", "unregister"] + device,
            ["sessions", "list"], ["keys", "list"], ["devices", "list"], ["config", "edit"],
            ["spy"],
        ]
    }

    private func leaks(_ secrets: [String], in bytes: [UInt8]?) -> [String] {
        let text = String(decoding: bytes ?? [], as: UTF8.self)
        return secrets.filter { text.contains($0) }
    }

    /// Looks at every process of the machine, again and again, until it is stopped.
    private func watcher(_ secrets: [String]) throws -> RunningProgram {
        try home.write(secrets.joined(separator: "\n") + "\n", to: "planted/all")
        var watcher = home.launch([])
        watcher.deadline = 300
        watcher.words = [
            "/bin/bash", "--norc", "-c",
            """
            touch caught; echo watching
            while :; do grep -alF -f planted/all /proc/[0-9]*/{cmdline,environ} 2>/dev/null |
              grep -v "^/proc/self" >>caught; echo >>rounds; sleep 0.02; done
            """,
        ]
        let program = try watcher.start()
        try program.wait(for: "watching")
        return program
    }

    @Test("no output, trace, file or process shows one", arguments: ["file", "helper:toy"])
    func nowhere(store: String) async throws {
        let secrets = try await plantAll(store: store)
        #expect(secrets.count == 8 && secrets.allSatisfy { $0.utf8.count > 20 }, "\(secrets)")
        _ = try home.bash("rm -f seen.*")
        let watcher = try watcher(secrets)
        // An endpoint may be an argument, and is one here.
        let unseen = secrets.dropLast()
        try home.write(unseen.joined(separator: "\n") + "\n", to: "planted/all")
        var traces: [UInt8] = []
        for words in commands(endpoint: secrets[7]) {
            for verbosity in Self.verbosities {
                for format in [[], ["--json"]] where words != ["spy"] || format.isEmpty {
                    let ran = try home.argus(
                        words + (words == ["spy"] ? [] : verbosity + format), variables: path)
                    #expect(
                        leaks(secrets, in: ran.output + ran.errors) == [], "\(words) \(verbosity)")
                    #expect(
                        ran.ending != .signal(11) && ran.status != 2, "\(words) \(ran.complaint)")
                    traces += ran.errors
                }
            }
        }
        watcher.stop()
        let trace = try #require(home.text(of: "trace")) + String(decoding: traces, as: UTF8.self)
        for route in ["/auth/login", "/push/subscribe", "/events", "<redacted>"] {
            #expect(trace.contains(route), "\(route)")
        }
        for file in try home.files() where !file.hasPrefix("planted/") && !file.hasPrefix("vault/")
        {
            let sought = file == "seen.parent" ? Array(unseen) : secrets
            #expect(leaks(sought, in: home.bytes(of: file)) == [], "\(file)")
        }
        // The editor and the spy were looked at, a helper where there is one, and all processes.
        let seen = try #require(home.text(of: "seen.child"))
        #expect(seen.contains("bin/editor") && seen.contains("argus-spy"))
        #expect(seen.contains("argus-credential-toy") == (store != "file"))
        #expect(home.text(of: "caught") == "")
        #expect((home.text(of: "rounds") ?? "").utf8.count > 20)
    }

    @Test("what the environment of argus holds, its children do not, unless they are its commands")
    func inherited() async throws {
        let secrets = try await plantAll(store: "helper:toy")
        _ = try home.bash("rm -f seen.*")
        for name in ["ARGUS_TOKEN", "ARGUS_API_KEY"] {
            let variables = path.merging([name: secrets[name == "ARGUS_TOKEN" ? 1 : 4]]) { $1 }
            for words in [
                ["config", "edit"], ["server", "set", "home", "--store", "file"],
                ["server", "set", "home", "--store", "helper:toy"], ["doctor", "--as-cron"],
            ] {
                try home.argus(words, variables: variables)
            }
        }
        let seen = try #require(home.bytes(of: "seen.child"))
        #expect(leaks(secrets, in: seen) == [])
        #expect(String(decoding: seen, as: UTF8.self).contains("argus-credential-toy"))
        let variables = path.merging(["ARGUS_TOKEN": secrets[1], "ARGUS_SERVER": server.url]) { $1 }
        #expect(try home.argus("spy", variables: variables).json["credentials"] == "ARGUS_TOKEN")
    }
}
