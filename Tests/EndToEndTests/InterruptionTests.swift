import Glibc
import Testing

@testable import argus_demo

/// Commands that a signal meets, or whose reader goes, while the server's answer holds credentials.
@Suite("commands that are interrupted", .waitsForPrograms)
struct InterruptionTests {
    private let home: TemporaryHome
    private static let login = "/api/v1/auth/login"
    private static let refresh = "/api/v1/auth/refresh"

    init() throws {
        home = try TemporaryHome()
        try home.write(DemoServer.password, to: "password")
    }

    /// A demo that takes a second to answer at a path; it has done what was asked before.
    private func server(slowAt path: String, _ more: String...) throws -> DemoServer {
        try DemoServer("--events", "5", faults: ["route=\(path),delay=1s"] + more)
    }

    /// Runs argus and sends it signals once the server has been asked at a path.
    private func interrupt(
        _ words: String..., at path: String, of server: DemoServer,
        by signals: [Int32] = [SIGTERM]
    ) throws -> ProgramResult {
        let before = server.count(path)
        let program = try home.launch(words).start()
        while server.count(path) == before { poll(nil, 0, 5) }
        for signal in signals { program.send(signal) }
        return try program.finish()
    }

    private func loginWords(_ server: DemoServer) -> [String] {
        ["login", server.url, "--name", "home", "-u", "demo", "--password-file", "password"]
    }

    @Test(
        "a renewal is finished before a signal is died of, and a second one changes nothing",
        arguments: [
            [SIGINT], [SIGTERM, SIGTERM, SIGCONT], [SIGHUP, SIGINT], [SIGQUIT], [SIGALRM],
        ])
    func renewal(signals: [Int32]) throws {
        let server = try server(
            slowAt: Self.refresh,
            "route=/api/v1/auth/me,times=2,after=1,status=401,"
                + #"body={"detail":"Token has expired"}"#)
        try home.signIn(to: server)
        #expect(try home.argus("whoami").status == 0)
        let ran = try interrupt("whoami", at: Self.refresh, of: server, by: signals)
        #expect(ran.ending == .signal(signals[0]), "\(ran.complaint)")
        // The next renewal shows that the new refresh token was kept.
        let next = try home.argus("whoami")
        #expect(next.status == 0, "\(next.complaint)")
        #expect(server.count(Self.refresh) == 2)
    }

    @Test("a sign-in is kept before a signal is died of")
    func signIn() throws {
        let server = try server(slowAt: Self.login)
        let words = loginWords(server)
        let program = try home.launch(words).start()
        while server.count(Self.login) == 0 { poll(nil, 0, 5) }
        program.send(SIGINT)
        #expect(try program.finish().ending == .signal(SIGINT))
        #expect(try home.argus("whoami").status == 0)
    }

    @Test("a signal that comes before anything was asked is died of at once")
    func nothingAsked() throws {
        let server = try server(slowAt: "/api/v1/auth/setup-status")
        let program = try home.launch(loginWords(server)).start()
        while server.count("/api/v1/auth/setup-status") == 0 { poll(nil, 0, 5) }
        program.send(SIGINT)
        #expect(try program.finish().ending == .signal(SIGINT))
        #expect(server.count(Self.login) == 0)
    }

    @Test("a signal that the caller ignores stays ignored (nohup), and others kill")
    func ignored() throws {
        let path = "/api/v1/cameras"
        let server = try server(slowAt: path)
        try home.signIn(to: server)
        for (signal, ending) in [(SIGHUP, .status(0)), (SIGTERM, .signal(SIGTERM))]
            as [(Int32, RunningProgram.Ending)]
        {
            var launch = home.launch([])
            launch.words = ["sh", "-c", "trap '' HUP; exec argus cameras list"]
            let before = server.count(path)
            let program = try launch.start()
            while server.count(path) == before { poll(nil, 0, 5) }
            program.send(signal)
            #expect(try program.finish().ending == ending)
        }
    }

    @Test("a remembered password's sign-in is kept before a signal is died of")
    func rememberedPassword() throws {
        let server = try DemoServer(
            "--events", "5",
            faults: [
                #"route=/api/v1/auth/me,times=2,after=1,status=401,body={"detail":"Invalid token"}"#,
                "route=\(Self.refresh),times=1,status=401,"
                    + #"body={"detail":"Invalid or expired refresh token"}"#,
                "route=\(Self.login),after=1,delay=1s",
            ])
        #expect(try home.argus(loginWords(server) + ["--remember"]).status == 0)
        #expect(try home.argus("whoami").status == 0)
        let ran = try interrupt("whoami", at: Self.login, of: server)
        #expect(ran.ending == .signal(SIGTERM), "\(ran.complaint)")
        #expect(try home.argus("whoami").status == 0)
        #expect(server.count(Self.refresh) == 2)
        #expect(server.count(Self.login) == 2)
    }

    @Test("a pairing's tokens are kept before a signal is died of")
    func pairing() throws {
        let exchange = "/api/v1/mobile/auth/exchange"
        let server = try server(slowAt: exchange)
        let owner = try TemporaryHome()
        try owner.signIn(to: server)
        let code = try #require(try home.argus("pair", server.url, "--no-wait").lines.first)
        #expect(try owner.argus("pair", "confirm", code, "-y").status == 0)
        let ran = try interrupt("pair", "resume", at: exchange, of: server)
        #expect(ran.ending == .signal(SIGTERM), "\(ran.complaint)")
        #expect(try home.argus("whoami", "--json").json["sign_in"] == "pairing")
    }

    @Test("a new password takes the remembered one's place before a signal is died of")
    func password() throws {
        let change = "/api/v1/auth/change-password"
        let server = try server(
            slowAt: change,
            "route=\(Self.refresh),status=401,"
                + #"body={"detail":"Invalid or expired refresh token"}"#,
            #"route=/api/v1/auth/me,times=1,after=1,status=401,body={"detail":"Invalid token"}"#)
        #expect(try home.argus(loginWords(server) + ["--remember"]).status == 0)
        #expect(try home.argus("whoami").status == 0)
        try home.write("another-password-2", to: "new")
        let ran = try interrupt(
            "passwd", "--password-file", "password", "--new-password-file", "new", at: change,
            of: server)
        #expect(ran.ending == .signal(SIGTERM), "\(ran.complaint)")
        // Only the new password can sign in again.
        let next = try home.argus("whoami")
        #expect(next.status == 0, "\(next.complaint)")
        #expect(server.count(Self.login) == 2)
    }

    @Test("an API key is written before a signal is died of", arguments: [true, false])
    func key(isInFile: Bool) throws {
        let keys = "/api/v1/api-keys"
        let server = try server(slowAt: keys)
        try home.signIn(to: server)
        let before = server.count(keys)
        let words = ["keys", "create", "tests"] + (isInFile ? ["--output-file", "key"] : [])
        let program = try home.launch(words).start()
        while server.count(keys) == before { poll(nil, 0, 5) }
        program.send(SIGTERM)
        let ran = try program.finish()
        #expect(ran.ending == .signal(SIGTERM), "\(ran.complaint)")
        let key = isInFile ? home.text(of: "key") : ran.text
        #expect(key?.hasPrefix("argus_") == true)
    }

    @Test("a renewal of a page that is fetched ahead is finished when the reader has gone")
    func closedPipe() throws {
        let expired = #"status=401,body={"detail":"Token has expired"}"#
        let server = try DemoServer(
            "--events", "1200",
            faults: [
                "route=\(Self.refresh),delay=1s", "route=/api/v1/events,after=1,times=1,\(expired)",
                "route=/api/v1/auth/me,after=1,times=1,\(expired)",
            ])
        try home.signIn(to: server)
        #expect(try home.argus("whoami").status == 0)
        // The reader stays until the renewal is under way.
        let ran = try home.bash(
            """
            argus events list --all --format ndjson | {
              read -r _; for i in {1..600}; do grep -q auth/refresh '\(server.log)' && break; sleep 0.05; done; }
            echo ${PIPESTATUS[0]}
            """)
        #expect(ran.lines.last == "0", "\(ran.complaint)")
        #expect(server.count(Self.refresh) == 1)
        let next = try home.argus("whoami")
        #expect(next.status == 0, "\(next.complaint)")
        #expect(server.count(Self.refresh) == 2)
    }
}
