import Glibc
import Testing

@testable import argus_demo

/// Secrets stay where they belong.
@Suite(.waitsForPrograms)
struct SecretTests {
    /// The demo's passwords, tokens and keys of one home, planted and looked for everywhere.
    private struct Plant {
        var home: TemporaryHome
        var server: DemoServer
        var secrets: [String]
    }

    private func plant() throws -> Plant {
        let server = try DemoServer()
        let home = try TemporaryHome()
        try home.signIn(to: server)
        let token = try home.argus("token").text.split(separator: "\n").map(String.init)
        return Plant(
            home: home, server: server,
            secrets: [DemoServer.password] + token + [try home.makeKey(on: server)])
    }

    /// The secrets that a text holds.
    private func leaks(_ plant: Plant, in bytes: [UInt8]) -> [String] {
        let text = String(decoding: bytes, as: UTF8.self)
        return plant.secrets.filter { text.contains($0) }
    }

    @Test("no secret shows in outputs and traces, however verbose")
    func outputs() throws {
        let plant = try plant()
        let (home, server) = (plant.home, plant.server)
        let commands: [(words: [String], input: String)] = [
            (["login", server.url, "-u", "demo", "--password-stdin"], plant.secrets[0]),
            (["login", server.url, "-u", "demo", "--password-stdin"], plant.secrets[0] + "x"),
            (["login", server.url, "--token-stdin"], plant.secrets[1]),
            (["login", server.url, "--api-key-stdin"], plant.secrets[2]),
            (["login", server.url, "--api-key-stdin"], plant.secrets[2] + "x"),
            (["whoami"], ""), (["events", "list", "-n", "2"], ""),
            (["cameras", "snapshot", "Driveway", "-o", "/dev/null"], ""),
            (["events", "show", "latest"], ""), (["server", "show"], ""),
        ]
        for (number, (words, input)) in commands.enumerated() {
            for loud in [["-vvv"], ["--trace", "-"], ["--trace", "trace\(number)"]] {
                let ran = try home.argus(words + loud + ["--json"], input: .text(input))
                #expect(leaks(plant, in: ran.output + ran.errors) == [], "\(words) \(loud)")
            }
            let trace = try #require(home.bytes(of: "trace\(number)"))
            #expect(leaks(plant, in: trace) == [], "\(words)")
            var status = stat()
            #expect(lstat(home.file("trace\(number)"), &status) == 0)
            #expect(status.st_mode & 0o777 == 0o600)
        }
        try home.signIn(to: server)
        let logout = try home.argus("logout", "--trace", "-")
        #expect(logout.complaint.contains("/api/v1/auth/logout"))
        #expect(leaks(plant, in: logout.errors) == [])
        #expect(home.text(of: "trace0")?.contains("/api/v1/auth/login") == true)
        #expect(home.text(of: "trace0")?.contains("<redacted>") == true)
    }

    @Test("the secrets on disk are sealed, and no one else may read anything")
    func files() throws {
        let plant = try plant()
        let home = plant.home
        #expect(
            try home.argus(
                "login", plant.server.url, "--name", "key", "--api-key-stdin",
                input: .text(plant.secrets[2])
            ).status == 0)
        try home.argus("events", "list")
        let files = try home.files()
        #expect(files.contains { $0.hasSuffix(".sealed") })
        for file in files {
            #expect(leaks(plant, in: home.bytes(of: file) ?? []) == [], "\(file)")
            var status = stat()
            #expect(lstat(home.file(file), &status) == 0)
            #expect(status.st_mode & 0o077 == 0, "\(file)")
        }
    }

    @Test("a trace is never written through a link")
    func linkedTrace() throws {
        let home = try TemporaryHome()
        try home.write("precious", to: "target")
        #expect(symlink(home.file("target"), home.file("trace")) == 0)
        try home.signIn(to: try DemoServer())
        #expect(try home.argus("events", "list", "--trace", "trace").status == 1)
        #expect(home.text(of: "target") == "precious")
    }

    @Test("a file with a secret that others can read causes a warning")
    func openFile() throws {
        let home = try TemporaryHome()
        let server = try DemoServer()
        try home.signIn(to: server)
        let file = try home.write(try home.argus("token").text, to: "token", mode: 0o644)
        chmod(file, 0o644)
        let ran = try home.argus("whoami", "--token-file", file, "--server", server.url)
        #expect(ran.status == 0)
        #expect(ran.complaint.contains("can be read by others (mode 644)"))
    }

    @Test("no secret is an argument")
    func arguments() throws {
        let home = try TemporaryHome()
        for option in ["--password", "--token", "--api-key", "--passphrase"] {
            let ran = try home.argus("login", "http://127.0.0.1:1", "\(option)=s3cret-word")
            #expect(ran.status == 2)
            #expect(!ran.complaint.contains("s3cret-word"), "\(ran.complaint)")
        }
    }
}
