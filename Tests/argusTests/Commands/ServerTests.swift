import ArgusTestSupport
import Testing

@testable import argus
@testable import ArgusAccount
@testable import ArgusCore
@testable import ArgusKit
@testable import ArgusTransport

@Suite("argus server")
struct ServerTests {
    private let test: TestSystem

    init() throws {
        test = try TestSystem()
    }

    @Test("the servers are listed with their accounts and the default")
    func list() async throws {
        #expect(await test.run("server", "list", "--json") == .done)
        #expect(test.stdout == "[]\n")
        try await test.know()
        try await test.know("cottage", at: "https://cottage.example", signedInWith: nil)
        #expect(
            await test.run(
                "server", "--format", "csv", "--fields", "name,url,username,sign_in,default")
                == .done)
        #expect(
            test.stdout.dropFirst("[]\n".count) == """
                name,url,username,sign_in,default
                home,https://home.example,ann,password,true
                cottage,https://cottage.example,,,false

                """)
    }

    @Test("a server says how it is; no credential goes with the question")
    func show() async throws {
        try await test.know { $0.knowledge.generations = ["events.list": "current"] }
        test.fake.stub(.get, "/health", body: try Samples.text("health"))
        test.fake.stub(.get, "/api/v1/auth/setup-status", body: try Samples.text("setup-status"))
        test.fake.stub(.get, "/", body: try Samples.text("root"))
        #expect(await test.run("server", "show", "--json") == .done)
        let printed = try test.printed()
        #expect(printed["reachable"]?.bool == true)
        #expect(printed["status"]?.string == "healthy")
        #expect(printed["version"]?.string == "1.0.0")
        #expect(printed["setup_complete"]?.bool == true)
        #expect(printed["api"]?["events.list"]?.string == "current")
        let endpoints = try #require(printed["ways"]?.elements.map { $0 })
        #expect(endpoints.map { $0["via"]?.string } == ["local"])
        #expect(endpoints.map { $0["url"]?.string } == ["https://home.example"])
        #expect(endpoints.map { $0["proof"]?.string } == ["public"])
        #expect(test.fake.requests.allSatisfy { $0.credentialText == nil })
    }

    @Test("a server that does not answer is shown with the reason")
    func unreachable() async throws {
        try await test.know()
        test.fake.stub(.get, "/health", error: TransportError(.notConnected, "connection refused"))
        #expect(await test.run("server", "show", "home", "--json", "--retries", "0") == .done)
        #expect(try test.printed()["reachable"]?.bool == false)
        #expect(
            try test.printed()["problem"]?.string == "cannot reach 'home': connection refused")
    }

    @Test("members that a server lacks are null, with the reason; the rest is shown")
    func partlyShown() async throws {
        try await test.know()
        test.fake.stub(.get, "/health", status: 503, body: #"{"detail":"warming up"}"#)
        test.fake.stub(.get, "/api/v1/auth/setup-status", body: try Samples.text("setup-status"))
        test.fake.stub(.get, "/", body: try Samples.text("root"))
        #expect(await test.run("server", "show", "--json", "--retries", "0") == .done)
        let printed = try test.printed()
        #expect(printed["reachable"]?.bool == true)
        #expect(printed["status"]?.kind == .null)
        #expect(printed["setup_complete"]?.bool == true)
        #expect(printed["version"]?.string == "1.0.0")
        #expect(
            printed["problem"]?.string
                == "'home' failed to ask for its health (HTTP 503): warming up")
    }

    @Test("a server that breaks off is asked nothing more")
    func breaksOff() async throws {
        try await test.know()
        test.fake.stub(.get, "/health", body: try Samples.text("health"))
        test.fake.stub(
            .get, "/api/v1/auth/setup-status",
            error: TransportError(.notConnected, "connection refused"))
        #expect(await test.run("server", "show", "--json", "--retries", "0") == .done)
        let printed = try test.printed()
        #expect(printed["reachable"]?.bool == true)
        #expect(printed["status"]?.string == "healthy")
        #expect(printed["problem"]?.string == "cannot reach 'home': connection refused")
    }

    @Test("a URL that several accounts share is ambiguous, and they are listed")
    func sharedURL() async throws {
        try await test.know("ann", at: "https://home.example")
        try await test.know("bob", at: "https://HOME.example:443/")
        let token = try test.folder.plant("token-9", "token")
        for words in [
            ["cameras", "-s", "https://home.example"],
            ["server", "use", "https://home.example"],
            ["cameras", "-s", "https://home.example", "--token-file", token],
        ] {
            #expect(await test.run(words + ["--json"]) == .usage)
            let error = try test.errorObject()
            #expect(
                error["message"]?.string
                    == "'https://home.example' is the address of several servers: ann, bob")
            #expect(error["hint"]?.string == "give the name of one of them")
        }
        #expect(test.fake.requests.isEmpty)
    }

    @Test("another server becomes the default")
    func use() async throws {
        try await test.know()
        let cottage = try await test.know("cottage", at: "https://cottage.example")
        #expect(await test.run("server", "use", "cottage") == .done)
        #expect(try test.known().defaultServer?.id == cottage.id)
        #expect(test.stderr == "'cottage' is now the default server\n")
        #expect(await test.run("server", "use", "boat") == .notFound)
    }

    @Test("a new name is taken over, unless it is taken or none")
    func rename() async throws {
        let server = try await test.know()
        try await test.know("cottage", at: "https://cottage.example")
        #expect(await test.run("server", "rename", "home", "house", "--json") == .done)
        #expect(try test.printed()["name"]?.string == "house")
        #expect(try test.printed()["default"]?.bool == true)
        #expect(try test.known()[server.id]?.name == "house")
        for name in ["COTTAGE", "", "a b", "https://x.example"] {
            #expect(await test.run("server", "rename", "house", name) == .usage)
        }
        #expect(try test.known()[server.id]?.name == "house")
    }

    @Test("a client certificate is for the address with https only, which alone is trusted anew")
    func trust() async throws {
        let file = try test.folder.plant("x", "certificate")
        let record = try await test.know(at: "http://localhost:8000", proof: .plain) {
            $0.endpoints.append(Endpoint(.relay, "https://relay.example", proof: .pin("old")))
        }
        let seen = try #require(PeerCertificate(pem: Samples.certificate))
        let words = ["server", "trust", "home", "--cert", file]
        #expect(await test.run(words + ["--fingerprint", seen.fingerprint.hex]) == .done)
        #expect(try test.known()[record.id]?.endpoints.map(\.proof) == [.plain, .pin(seen.pin)])
        try await test.know("plain", at: "http://localhost:8001", proof: .plain)
        #expect(await test.run("server", "trust", "plain") == .usage)
        #expect(test.stderr.contains("'plain' uses plain http, which has no certificate"))
    }

    @Test(
        "a remembered file that is gone is named, with what to do; it is no fault of the command line"
    )
    func fileGone() async throws {
        try await test.know { $0.endpoints[0].authorities = "/nonexistent/ca.pem" }
        let refusal = TransportError(.unusableFile, "error setting certificate file: /nonexistent")
        test.fake.stub(.get, "/api/v1/cameras", error: refusal)
        #expect(await test.run("cameras", "--json") == .failed)
        let error = try test.errorObject()
        #expect(
            error["message"]?.string == "the file of --cacert for 'home' is gone: cannot read "
                + "'/nonexistent/ca.pem': no such file or directory")
        #expect(
            error["hint"]?.string?.hasSuffix(
                "argus server set home --local https://home.example --cacert FILE") == true)
    }

    @Test("a server that is removed leaves nothing behind")
    func remove() async throws {
        let server = try await test.know()
        test.fake.stub(.get, "/api/v1/cameras", body: #"[{"id":"c1","name":"x","is_online":true}]"#)
        #expect(await test.run("cameras", "-q") == .done)
        try test.folder.plant("", "state/\(server.id.text).push.lock")
        #expect(await test.run("server", "remove", "home") == .done)
        #expect(try test.known().servers.isEmpty)
        #expect(try await test.credential(of: server) == nil)
        #expect(CompletionCache(test.paths.cache, server: server.id)?.cameras == [])
        let left = FolderNames.all(in: test.folder.file("state"))
        #expect(left.contains("servers.json"))
        #expect(!left.contains { $0.contains(server.id.text) }, "\(left)")
        #expect(await test.run("server", "remove", "home") == .notFound)
    }

    @Test("TAB offers servers by name")
    func completion() async throws {
        #expect(await test.run("__complete", "server", "use", "") == .done)
        try await test.know()
        try await test.know("cottage", at: "https://cottage.example")
        #expect(await test.run("__complete", "server", "use", "h") == .done)
        #expect(await test.run("__complete", "nonsense", "") == .done)
        let none = "\tno server is known yet; see 'argus login --help'\n"
        #expect(test.stdout == "values\n\(none)values\nhome\thttps://home.example\n")
    }

    @Test("a fault of the list of servers is reported once by a command")
    func damagedList() async throws {
        let key = try test.folder.plant("key-1\n", "key")
        try await test.know()
        try test.folder.plant("{", "state/servers.json")
        test.fake.stub(
            .get, "/api/v1/auth/setup-status", body: try Samples.text("setup-status"))
        test.fake.stub(.get, "/api/v1/events?limit=1", body: "[]")
        #expect(await test.run("login", "https://home.example", "--api-key-file", key) == .done)
        let lines = test.stderr.split(separator: "\n")
        #expect(lines.count { $0.contains("is damaged and counts as empty") } == 1, "\(lines)")
        #expect(lines.count { $0.contains("the damaged list of servers is now") } == 1)
    }
}
