import ArgusAccount
import ArgusCore
import ArgusTestSupport
import ArgusTransport
import Testing

@testable import argus

@Suite("two accounts at one address")
struct SharedAddressTests {
    private let test: TestSystem
    private static let url = "https://home.example"

    init() throws {
        test = try TestSystem()
    }

    /// Makes a server known that shows a certificate of the account's own.
    @discardableResult
    private func know(_ name: String) async throws -> ServerRecord {
        try await test.know(name, at: Self.url, proof: .pin("old")) { record in
            record.account?.username = name
            record.endpoints[0].certificate = "/\(name).pem"
            record.endpoints[0].key = "/\(name).key"
            record.endpoints[0].others = ["note": .text(name)]
        }
    }

    /// Whether a record has its own certificate, its key and what a newer argus wrote.
    private func hasItsOwn(_ record: ServerRecord) throws -> Bool {
        let endpoint = try #require(try test.known()[record.id]?.endpoints.first)
        let own = record.endpoints[0]
        return (endpoint.certificate, endpoint.key) == (own.certificate, own.key)
            && endpoint.others == own.others
    }

    @Test("what is trusted anew holds for both, and each keeps its own certificate")
    func trust() async throws {
        let records = [try await know("alice"), try await know("bob")]
        let seen = try #require(PeerCertificate(pem: Samples.certificate))
        #expect(
            await test.run("server", "trust", "alice", "--fingerprint", seen.fingerprint.hex)
                == .done)
        for record in records {
            let endpoint = try test.known()[record.id]?.endpoints.first
            #expect(endpoint?.proof == .pin(seen.pin))
            #expect(endpoint?.fingerprint == seen.fingerprint)
            #expect(try hasItsOwn(record), "\(record.name)")
        }
    }

    @Test("a sign-in by URL leaves each its own certificate", arguments: [true, false])
    func login(namesUser: Bool) async throws {
        try await know("alice")
        let bob = try await know("admin")
        let password = try test.folder.plant("correct horse\n", "password")
        let token = try test.folder.plant("token-9\n", "token")
        test.fake.stub(.get, "/api/v1/auth/setup-status", body: try Samples.text("setup-status"))
        let words: [String]
        if namesUser {
            test.fake.stub(.post, "/api/v1/auth/login", body: try Samples.text("login-response"))
            words = ["-u", "admin", "--password-file", password]
        } else {
            // Whose the token is only the server knows.
            test.fake.stub(.get, "/api/v1/auth/me", body: try Samples.text("auth-me"))
            words = ["--token-file", token]
        }
        #expect(await test.run(["login", Self.url] + words) == .done, "\(test.stderr)")
        #expect(try test.known().servers.count == 2)
        #expect(try hasItsOwn(bob))
    }

    @Test("an address that --via excludes is reported as such")
    func leftOut() async throws {
        try await test.know("home", at: "https://192.168.1.5:8443") {
            $0.endpoints.append(
                Endpoint(.relay, "https://relay.example", proof: .publicCertificate))
        }
        #expect(
            await test.run("server", "trust", "https://relay.example", "--via", "local") == .usage)
        #expect(
            test.stderr.contains(
                "'https://relay.example' of 'home' is a relay, no local address"))
        #expect(!test.stderr.contains("plain http"))
    }
}
