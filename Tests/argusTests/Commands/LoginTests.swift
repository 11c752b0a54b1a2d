import ArgusTestSupport
import Testing

@testable import argus
@testable import ArgusAccount
@testable import ArgusCore
@testable import ArgusTransport

@Suite("argus login")
struct LoginTests {
    private let test: TestSystem
    private let passwordFile: String
    private static let setUp = "/api/v1/auth/setup-status"
    private static let login = "/api/v1/auth/login"
    private static let url = "https://home.example"

    init() throws {
        test = try TestSystem()
        passwordFile = try test.folder.plant("correct horse\n", "password")
    }

    private func stubSetUp() throws {
        test.fake.stub(.get, Self.setUp, body: try Samples.text("setup-status"))
    }

    @Test("a password signs in; the server is known, its tokens kept, the password nowhere")
    func password() async throws {
        try stubSetUp()
        test.fake.stub(.post, Self.login, body: try Samples.text("login-response"))
        #expect(
            await test.run("login", Self.url, "-u", "admin", "--password-file", passwordFile)
                == .done)
        #expect(test.stdout == "")
        #expect(
            test.stderr == """
                signed in to 'home.example' as 'admin'
                this sign-in expires at 2026-11-22 12:00:00; then run \
                'argus login https://home.example', best with --keep-alive

                """)
        let body = test.fake.requests.last?.body?.bytes
        #expect(
            body.map { String(decoding: $0, as: UTF8.self) }
                == #"{"username":"admin","password":"correct horse"}"#)
        let record = try #require(try test.known().defaultServer)
        #expect(record.name == "home.example")
        #expect(record.endpoints == [Endpoint(.local, Self.url, proof: .publicCertificate)])
        #expect(record.account?.kind == .password)
        #expect(record.account?.username == "admin")
        guard case .session(let session)? = try await test.credential(of: record) else {
            Issue.record("no session is kept")
            return
        }
        #expect(session.accessToken == Redacted("FAKE.access.token"))
        #expect(session.refreshToken == Redacted("fake-refresh-token-000000000000000000000000"))
        #expect(session.expiresAt == TestSystem.now + .seconds(86_400))
    }

    @Test("a program gets the account as an object")
    func json() async throws {
        try stubSetUp()
        test.fake.stub(.post, Self.login, body: try Samples.text("login-response"))
        #expect(
            await test.run(
                "login", Self.url, "-u", "admin", "--password-file", passwordFile, "--name",
                "house",
                "--format", "ndjson") == .done)
        #expect(
            test.stdout == """
                {"id":"47ed2a12-780a-41f8-baf2-370b12b69a47","username":"admin","role":"admin",\
                "active":true,"created_at":"2026-11-20T23:22:42.815494Z",\
                "last_login":"2026-11-20T23:45:56.239526Z","must_change_password":false,\
                "server":"house","url":"https://home.example","via":"local",\
                "sign_in":"password","credentials":"sealed file",\
                "expires_at":"2026-11-22T12:00:00.000000Z"}

                """)
    }

    @Test("a refused password keeps nothing, and is status 4")
    func refused() async throws {
        try stubSetUp()
        test.fake.stub(
            .post, Self.login, status: 401, body: try Samples.text("error-401-invalid-credentials"))
        #expect(
            await test.run(
                "login", Self.url, "-u", "admin", "--password-file", passwordFile, "--json")
                == .notSignedIn)
        #expect(try test.errorObject()["reason"]?.string == "invalid_credentials")
        #expect(try test.known().servers.isEmpty)
        #expect(!test.stderr.contains("correct horse"))
    }

    @Test("a second sign-in in the same second is retried once, and then an error")
    func sameSecond() async throws {
        try stubSetUp()
        test.fake.stub(.post, Self.login, status: 500, body: "Internal Server Error")
        test.fake.stub(.post, Self.login, body: try Samples.text("login-response"))
        #expect(
            await test.run("login", Self.url, "-u", "admin", "--password-file", passwordFile)
                == .done)
        #expect(test.waits.all == ["1.1 seconds"])
    }

    @Test("a key is proved before it is kept")
    func key() async throws {
        let file = try test.folder.plant("key-1\n", "key")
        try stubSetUp()
        test.fake.stub(.get, "/api/v1/events?limit=1", body: "[]")
        #expect(await test.run("login", Self.url, "--api-key-file", file) == .done)
        let record = try #require(try test.known().defaultServer)
        #expect(record.account?.kind == .apiKey)
        #expect(try await test.credential(of: record) == .apiKey(Redacted("key-1")))
        #expect(test.fake.requests.last?.credentialText == "X-API-Key: key-1")
    }

    @Test("a token is proved before it is kept")
    func token() async throws {
        let file = try test.folder.plant("token-9\n", "token")
        try stubSetUp()
        test.fake.stub(.get, "/api/v1/auth/me", status: 401, body: #"{"detail":"Invalid token"}"#)
        #expect(await test.run("login", Self.url, "--token-file", file) == .notSignedIn)
        #expect(try test.known().servers.isEmpty)
        try stubSetUp()
        test.fake.stub(.get, "/api/v1/auth/me", body: try Samples.text("auth-me"))
        #expect(await test.run("login", Self.url, "--token-file", file) == .done)
        #expect(try test.known().defaultServer?.account?.kind == .token)
    }

    @Test("a server without its first account is reported")
    func unfinishedSetUp() async throws {
        test.fake.stub(.get, Self.setUp, body: #"{"setup_complete":false,"user_count":0}"#)
        #expect(
            await test.run(
                "login", Self.url, "-u", "admin", "--password-file", passwordFile, "--json")
                == .rejected)
        #expect(try test.errorObject()["reason"]?.string == "setup_unfinished")
    }

    @Test("plain http is refused before anything is asked, read or sent")
    func plainHTTP() async throws {
        #expect(
            await test.run(
                "login", "http://192.168.1.5:8000", "-u", "a", "--password-file", passwordFile)
                == .identity)
        #expect(test.stderr.contains("--insecure-http"))
        #expect(test.fake.requests.isEmpty)
    }

    @Test("--insecure-http is remembered for its origin and network")
    func allowance() async throws {
        try stubSetUp()
        test.fake.stub(.post, Self.login, body: try Samples.text("login-response"))
        #expect(
            await test.run(
                "login", "http://192.168.1.5:8000", "--insecure-http", "-u", "admin",
                "--password-file", passwordFile) == .done)
        let record = try #require(try test.known().defaultServer)
        #expect(
            record.plainHTTPAllowances == [
                PlainHTTPAllowance(
                    origin: Origin(scheme: .http, host: "192.168.1.5", port: 8000),
                    gatewayMAC: "02:00:00:00:00:01")
            ])
        #expect(record.endpoints.map(\.proof) == [.plain])
    }

    @Test("without a terminal the missing words are named before any server is looked at")
    func noInput() async throws {
        #expect(await test.run("login", Self.url, "--no-input") == .usage)
        #expect(
            test.stderr == """
                argus: no terminal to prompt for the user name; use --username, --api-key-stdin or \
                --token-stdin

                """)
        #expect(await test.run("login", "--json") == .usage, "before the network is searched")
        #expect(await test.run("login", "http://192.168.1.5:8000", "--json") == .usage)
        for password in [[], ["--remember"]] {
            let line = ["login", Self.url, "-u", "a", "--no-input", "--json"] + password
            #expect(await test.run(line) == .usage)
            #expect(try test.errorObject()["reason"]?.string == "input_needed")
            #expect(
                try test.errorObject()["message"]?.string?.contains("--password-file") == true)
        }
        let key = try test.folder.plant("key-1\n", "key")
        #expect(await test.run("login", Self.url, "--api-key-file", key, "--remember") == .usage)
        #expect(
            await test.run("login", Self.url, "--api-key-file", key, "-u", "a") == .usage)
        #expect(test.looks.all.isEmpty)
        #expect(await test.run("login", "--api-key-file", key, "--json") == .unreachable)
        #expect(try test.errorObject()["hint"]?.string?.contains("ARGUS_RELAY_URL") == true)
    }

    @Test("a sign-in to a known server replaces its credential, and adds no second record")
    func again() async throws {
        let record = try await test.know("cottage") { $0.account?.username = "admin" }
        try stubSetUp()
        test.fake.stub(.post, Self.login, body: try Samples.text("login-response"))
        #expect(
            await test.run(
                "login", "https://HOME.example:443/", "-u", "admin", "--password-file", passwordFile
            )
                == .done)
        #expect(try test.known().servers.map(\.id) == [record.id])
        #expect(try test.known().servers.map(\.name) == ["cottage"])
        #expect(try await test.credential(of: record) != TestSystem.session)
    }

    @Test("a sign-in as another user is another record, and leaves the first alone")
    func somebodyElse() async throws {
        let record = try await test.know("cottage")
        try stubSetUp()
        test.fake.stub(.post, Self.login, body: try Samples.text("login-response"))
        #expect(
            await test.run(
                "login", "https://home.example", "-u", "admin", "--password-file", passwordFile)
                == .done)
        #expect(try test.known().servers.map(\.name) == ["cottage", "cottage-2"])
        #expect(try await test.credential(of: record) == TestSystem.session)
    }
}
