import Testing

@testable import argus_demo

/// Whoever signs in by whatever means, on whatever generation of server, has the same commands.
@Suite("kinds of sign-ins", .waitsForPrograms)
struct SignInKindTests {
    private let home: TemporaryHome
    private let owner: TemporaryHome

    init() throws {
        (home, owner) = (try TemporaryHome(), try TemporaryHome())
    }

    /// Signs in to a server by what it knows of password, key, token, pairing and dashboard code.
    private func signIn(_ kind: String, to server: DemoServer) throws -> ProgramResult {
        let url = server.url
        switch kind {
        case "password":
            let words = ["login", url, "-u", "demo", "--password-stdin"]
            return try home.argus(words, input: .text(DemoServer.password))
        case "api_key":
            let key = try owner.argus("keys", "create", "tests").text
            return try home.argus("login", url, "--api-key-stdin", input: .text(key))
        case "token":
            let token = try owner.argus("token").text
            return try home.argus("login", url, "--token-stdin", input: .text(token))
        case "code": return try home.argus("pair", url, "--code=\(server.pairingCode)")
        default:
            let code = try #require(try home.argus("pair", url, "--no-wait").lines.first)
            #expect(try owner.argus("pair", "confirm", code, "-y").status == 0)
            return try home.argus("pair", "resume")
        }
    }

    @Test(
        "the same commands work",
        arguments: [
            ("current", "password"), ("current", "api_key"), ("current", "token"),
            ("current", "pairing"), ("mobile", "token"), ("mobile", "pairing"),
            ("documented", "password"), ("documented", "token"), ("documented", "code"),
        ])
    func sameCommands(api: String, kind: String) throws {
        let server = try DemoServer("--events", "10", api: api)
        try owner.signIn(to: server)
        let ran = try signIn(kind, to: server)
        #expect(ran.status == 0, "\(ran.complaint)")
        let whoami = try home.argus("whoami", "--json").json
        #expect(whoami["sign_in"]?.string == (kind == "code" ? "pairing" : kind))
        for words in [
            ["events", "list"], ["events", "show", "latest"], ["events", "stats"],
            ["events", "thumbnail", "latest", "-o", "event.jpg", "--force"],
            ["cameras", "list"], ["cameras", "show", "Driveway"],
            ["cameras", "snapshot", "Driveway", "-o", "camera.jpg"], ["server", "show"], ["doctor"],
        ] {
            let ran = try home.argus(words + ["--json"])
            #expect(ran.status == 0, "\(words): \(ran.complaint)")
        }
        let token = try home.argus("token", "--json")
        #expect(token.status == (kind == "api_key" ? 5 : 0), "\(token.complaint)")
        #expect(try home.argus("logout").status == 0)
        #expect(try home.argus("events", "list").status == 4)
    }

    @Test("a password may have colons, blanks and any letters, and signs in again by itself")
    func password() throws {
        let server = try DemoServer("--token-ttl", "3")
        try owner.signIn(to: server)
        let new = try owner.write("Pä:ss wörd 1  😀 \n", to: "new")
        let old = try owner.write(DemoServer.password, to: "old")
        let change = try owner.argus(
            "passwd", "--password-file", old, "--new-password-file", new)
        #expect(change.status == 0, "\(change.complaint)")
        let words = ["login", server.url, "-u", "demo", "--remember", "--password-file"]
        #expect(try home.argus(words + [new]).status == 0)
        // Without the session at the server only the password is left when the token ends.
        #expect(try owner.argus("sessions", "revoke", "--others", "--yes").status == 0)
        let logins = server.count("/api/v1/auth/login")
        var runs = 0
        while server.count("/api/v1/auth/login") == logins, runs < 1000 {
            let ran = try home.argus("events", "list")
            try #require(ran.status == 0, "\(ran.complaint)")
            runs += 1
        }
        #expect(server.count("/api/v1/auth/login") > logins)
        #expect(try home.argus("events", "list").status == 0)
        for file in try home.files() {
            #expect(home.text(of: file)?.contains("wörd") != true, "\(file)")
        }
    }
}
