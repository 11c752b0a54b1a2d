import ArgusCore
import ArgusTestSupport
import Testing

@testable import argus
@testable import ArgusAccount
@testable import ArgusTransport

/// What is settled before a sign-in is begun: servers allow few.
@Suite("argus login, before anything is sent")
struct LoginChecksTests {
    private let test: TestSystem
    private let passwordFile: String
    private static let url = "https://home.example"

    init() throws {
        test = try TestSystem()
        passwordFile = try test.folder.plant("correct horse\n", "password")
    }

    private func stubSignIn() throws {
        test.fake.stub(
            .get, "/api/v1/auth/setup-status", body: try Samples.text("setup-status"))
        test.fake.stub(.post, "/api/v1/auth/login", body: try Samples.text("login-response"))
    }

    private func login(_ words: String...) async -> ExitKind {
        await test.run(["login"] + words + ["-u", "admin", "--password-file", passwordFile])
    }

    @Test("a name that is none is refused", arguments: ["", "a b", "-x", "a/b", "ä"])
    func badName(name: String) async throws {
        #expect(await login(Self.url, "--name=\(name)") == .usage)
        #expect(test.fake.requests.isEmpty)
        #expect(await test.run("pair", Self.url, "--name=\(name)") == .usage)
        #expect(test.fake.requests.isEmpty)
    }

    @Test("an address with the path of the API gets no sign-in, and the address is the hint")
    func addressOfTheAPI() async throws {
        let absent = try Samples.text("error-401-not-authenticated")
        test.fake.stub(.get, "/api/v1/api/v1/auth/setup-status", status: 401, body: absent)
        test.fake.stub(.post, "/api/v1/api/v1/auth/login", status: 401, body: absent)
        #expect(await login("\(Self.url)/api/v1") == .unsupported)
        #expect(
            test.stderr.hasSuffix(
                "hint: check the address: without its path it is '\(Self.url)'\n"), "\(test.stderr)"
        )
    }

    @Test("a redirected sign-in names where the server has moved")
    func redirected() async throws {
        test.fake.stub(
            .get, "/api/v1/auth/setup-status", body: try Samples.text("setup-status"))
        test.fake.stub(
            .post, "/api/v1/auth/login", status: 308,
            headers: [("Location", "https://new.example/api/v1/auth/login?token=secret-word")])
        #expect(await login(Self.url) == .serverError)
        #expect(
            test.stderr.contains("the server redirects a POST to https://new.example\nhint: "),
            "\(test.stderr)")
        #expect(!test.stderr.contains("secret-word"))
    }

    @Test("the name of another server is refused, in any case, with the servers named")
    func takenName() async throws {
        try await test.know("cottage", at: "https://cottage.example")
        #expect(await login(Self.url, "--name", "Cottage") == .usage)
        #expect(await test.run("pair", Self.url, "--name", "cottage") == .usage)
        #expect(test.fake.requests.isEmpty)
        #expect(test.stderr.contains("there is already a server named 'Cottage'"))
    }

    @Test("a URL and --server name two servers, one of which would be left aside")
    func twoServers() async throws {
        try await test.know("cottage", at: "https://cottage.example")
        #expect(await login(Self.url, "-s", "cottage") == .usage)
        #expect(await test.run("pair", Self.url, "-s", "cottage") == .usage)
        #expect(test.stderr.contains("give the server's address or --server, not both"))
        #expect(test.fake.requests.isEmpty)
        // A variable is for every command, and the URL goes before it.
        test.environment["ARGUS_SERVER"] = "cottage"
        try stubSignIn()
        #expect(await login(Self.url) == .done)
    }

    @Test("what is no user name is refused", arguments: ["", "a\u{1B}[2J", "a\nb", "a\u{9B}"])
    func userName(name: String) async throws {
        let line = ["login", Self.url, "--password-file", passwordFile, "--username=\(name)"]
        #expect(await test.run(line) == .usage)
        #expect(test.stderr.contains("--username: the user name"))
        #expect(test.fake.requests.isEmpty)
    }

    @Test("where nothing can be stored, login and pair send nothing")
    func unwritable() async throws {
        // Nobody may make folders in sysfs, root included.
        let test = try TestSystem(state: "/sys/argus")
        let passwordFile = try test.folder.plant("correct horse\n", "password")
        for words in [
            ["login", Self.url, "-u", "admin", "--password-file", passwordFile],
            ["pair", Self.url], ["pair", Self.url, "--code=482913"],
        ] {
            #expect(await test.run(words + ["--json"]) == .failed)
            let message = try test.errorObject()["message"]?.string
            #expect(message?.hasPrefix("nothing can be stored in '/sys/argus': ") == true)
        }
        #expect(test.fake.requests.isEmpty)
    }

    @Test("a host that is not a valid server name is reported as typed")
    func hostAsWritten() async throws {
        let url = "https://bücher.example"
        test.fake.stub(
            .get, "/api/v1/auth/setup-status", error: TransportError(.notConnected, "no connection")
        )
        #expect(await login(url, "--retries", "0") == .unreachable)
        #expect(test.stderr.contains("cannot reach 'bücher.example:443': no connection"))
        #expect(!test.stderr.contains("b-cher"))
    }

    @Test("a name that another process takes meanwhile costs no sign-in")
    func nameTakenMeanwhile() async throws {
        test.fake.stub(
            .get, "/api/v1/auth/setup-status", body: try Samples.text("setup-status"))
        let answer = HTTPResponse(
            status: 200, headers: HTTPHeaders([]), body: try Samples.bytes("login-response.json"))
        let state = test.paths.state
        test.fake.stub(.post, "/api/v1/auth/login") { _ in
            let other = ServerRecord(name: "house", endpoints: [], addedAt: TestSystem.now)
            _ = try? await ServerDirectory(state) { _ in }.update { list throws(AccountError) in
                try list.add(other)
            }
            return .success(answer)
        }
        #expect(await login(Self.url, "--name", "house") == .done)
        #expect(try test.known().servers.map(\.name) == ["house", "house-2"])
    }

    @Test("the name of an account on the same server is that account's, in any case")
    func sameServer() async throws {
        let record = try await test.know("cottage", at: Self.url)
        try stubSignIn()
        #expect(await login(Self.url, "--name", "Cottage") == .done)
        #expect(try test.known().servers.map(\.id) == [record.id])
        #expect(try test.known().servers.map(\.name) == ["Cottage"])
        #expect(try test.known().defaultServer?.account?.username == "admin")
    }

    @Test("a word that names a known server is that server, renamed by --name")
    func byName() async throws {
        let record = try await test.know("cottage", at: Self.url)
        for name in ["cottage", String(record.id.text.uppercased())] {
            try stubSignIn()
            #expect(await login(name) == .done)
            #expect(try test.known().servers.map(\.name) == ["cottage"])
        }
        try stubSignIn()
        #expect(await login("cottage", "--name", "house") == .done)
        #expect(try test.known().servers.map(\.id) == [record.id])
        #expect(try test.known().servers.map(\.name) == ["house"])
        try stubSignIn()
        #expect(
            await test.run(
                "login", "-s", "house", "--name", "hut", "-u", "admin", "--password-file",
                passwordFile) == .done)
        #expect(try test.known().servers.map(\.name) == ["hut"])
    }

    @Test("a sign-in by name says whose sign-in it replaces, and says nothing for the same account")
    func replaced() async throws {
        let key = try test.folder.plant("key-1\n", "key")
        let record = try await test.know("cottage", at: Self.url)
        for _ in 0..<2 {
            test.fake.stub(
                .get, "/api/v1/auth/setup-status", body: try Samples.text("setup-status"))
            test.fake.stub(.get, "/api/v1/events?limit=1", body: "[]")
            #expect(await test.run("login", "cottage", "--api-key-file", key) == .done)
        }
        #expect(try test.known()[record.id]?.account?.kind == .apiKey)
        try stubSignIn()
        #expect(await login("cottage") == .done)
        try stubSignIn()
        #expect(await login() == .done)
        #expect(
            test.stderr.split(separator: "\n").filter { $0.hasPrefix("argus: warning: ") } == [
                "argus: warning: the sign-in of 'ann' on 'cottage' is replaced",
                "argus: warning: the API key on 'cottage' is replaced",
            ])
    }

    @Test("a known server is given a name only if no other has it")
    func byNameTaken() async throws {
        try await test.know("cottage", at: Self.url)
        try await test.know("house", at: "https://house.example")
        #expect(await login("cottage", "--name", "HOUSE") == .usage)
        #expect(test.fake.requests.isEmpty)
    }

    @Test("--insecure-http allows plain http to a known server on this network")
    func byNameInsecure() async throws {
        let record = try await test.know("cottage", at: "http://192.168.1.5:8000", proof: .plain)
        #expect(await login("cottage") == .identity)
        #expect(test.fake.requests.isEmpty)
        try stubSignIn()
        #expect(await login("cottage", "--insecure-http") == .done)
        #expect(
            try test.known()[record.id]?.plainHTTPAllowances.map(\.gatewayMAC)
                == ["02:00:00:00:00:01"])
        try stubSignIn()
        #expect(await login("cottage") == .done)
    }

    @Test("a client certificate is not for plain http")
    func certificateWithoutTLS() async throws {
        let file = try test.folder.plant("x", "certificate")
        #expect(await login("http://localhost:8000", "--cert", file) == .usage)
        #expect(test.stderr.contains("--cert needs an https address"))
        #expect(test.fake.requests.isEmpty)
    }

    @Test("files of the connection that do not last are used once, and not remembered")
    func passingFiles() async throws {
        let file = try test.folder.plant("x", "certificate")
        try stubSignIn()
        #expect(await login(Self.url, "--cert", file, "--key", "/dev/null") == .done)
        #expect(
            test.stderr.contains(
                "warning: --cert and --key must be given again each time: '/dev/null' is not a "
                    + "permanent file"))
        var endpoint = try #require(try test.known().defaultServer?.endpoints.first)
        #expect(endpoint.certificate == nil)
        #expect(endpoint.key == nil)
        try stubSignIn()
        #expect(await login(Self.url, "--cert", file, "--cacert", "/dev/null") == .done)
        endpoint = try #require(try test.known().defaultServer?.endpoints.first)
        #expect(endpoint.certificate == file)
        #expect(endpoint.authorities == nil)
    }

    @Test("an unreadable passphrase is an error before the sign-in")
    func passphrase() async throws {
        #expect(await login(Self.url, "--passphrase-file", "/nonexistent") == .usage)
        let empty = try test.folder.plant("", "empty")
        #expect(await login(Self.url, "--passphrase-file", empty) == .usage)
        #expect(test.fake.requests.isEmpty)
    }

    @Test(
        "an unreadable file with a secret is an error before any connection",
        arguments: [["-u", "a", "--password-file"], ["--token-file"], ["--api-key-file"]])
    func secretFiles(words: [String]) async throws {
        for file in ["/nonexistent/file", "/tmp"] {
            let line = ["login", "http://192.168.1.5:8000"] + words + [file]
            #expect(await test.run(line) == .usage, "before the scheme is judged")
            #expect(test.stderr.contains("\(words.last ?? ""): cannot read '\(file)'"))
        }
    }

    @Test(
        "unreadable files of a connection are an error before it is made",
        arguments: [["--cacert"], ["--cert"], ["--cert", "/dev/null", "--key"]])
    func connectionFiles(words: [String]) async throws {
        #expect(await test.run(["login", Self.url] + words + ["/nonexistent/file"]) == .usage)
        #expect(test.stderr.contains("\(words.last ?? ""): cannot read '/nonexistent/file'"))
        #expect(await test.run(["login", Self.url] + words + ["/tmp"]) == .usage)
        #expect(test.fake.requests.isEmpty)
    }
}
