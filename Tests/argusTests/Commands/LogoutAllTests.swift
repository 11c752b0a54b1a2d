import ArgusAccount
import ArgusCore
import ArgusTestSupport
import ArgusTransport
import Testing

@testable import argus

@Suite("argus logout, of all servers and with broken secrets")
struct LogoutAllTests {
    private let test: TestSystem
    private static let logout = "/api/v1/auth/logout"

    init() throws {
        test = try TestSystem()
    }

    /// Damages what is kept of a sign-in.
    private func damage(_ record: ServerRecord) throws {
        try test.folder.plant(
            "damaged", "state/credentials/\(record.id.text).sign-in.sealed")
    }

    @Test("--all signs out of every server, and one that is gone stops no other")
    func all() async throws {
        try await test.know()
        try await test.know("attic", at: "https://attic.example")
        try await test.know(
            "keyed", at: "https://keyed.example", signedInWith: .apiKey(Redacted("key-1")))
        try await test.know("empty", at: "https://empty.example", signedInWith: nil)
        test.fake.stub(
            .post, Self.logout,
            error: TransportError(.notConnected, "connection refused", nothingSent: true))
        test.fake.stub(.post, Self.logout, body: try Samples.text("logout-response"))
        #expect(await test.run("logout", "--all", "--retries", "0") == .done)
        let lines = test.stderr.split(separator: "\n")
        for name in ["home", "attic", "keyed"] {
            #expect(lines.count { $0 == "signed out of '\(name)'" } == 1, "\(lines)")
        }
        #expect(!test.stderr.contains("empty"))
        #expect(lines.count { $0.contains("was not ended: ") } == 1)
        let known = try test.known().servers
        #expect(known.count == 4)
        for record in known {
            #expect(record.account == nil)
            #expect(try await test.credential(of: record) == nil)
        }
        #expect(await test.run("logout", "--all") == .done)
        #expect(test.stderr.hasSuffix("not signed in to any server\n"))
    }

    @Test("--all prints an array in the order of the list, an empty one without a sign-in")
    func machines() async throws {
        for name in ["b", "a"] {
            try await test.know(
                name, at: "https://\(name).example", signedInWith: .apiKey(Redacted("key-1")))
        }
        #expect(await test.run("logout", "--all", "--format", "ndjson", "-q") == .done)
        let names = try test.stdout.split(separator: "\n").map {
            try JSONView.parse(Array($0.utf8))["server"]?.string
        }
        #expect(names == (try test.known().servers.map(\.name)))
        let other = try TestSystem()
        #expect(await other.run("logout", "--all", "--json") == .done)
        #expect(other.stdout == "[]\n")
        #expect(await other.run("logout", "--all", "-s", "home") == .usage)
    }

    @Test(
        "unreadable secrets are erased, and the missing sign-out on the server is reported")
    func damaged() async throws {
        let record = try await test.know()
        try damage(record)
        #expect(await test.run("logout") == .done)
        #expect(
            test.stderr.contains("warning: the session of 'home' was not ended on the server: "))
        #expect(test.stderr.hasSuffix("signed out of 'home'\n"))
        #expect(try await test.credential(of: record) == nil)
        #expect(try test.known()[record.id]?.account == nil)
    }

    @Test("secrets that a store does not release are reported, not used any more, and tried again")
    func stuck() async throws {
        try await test.know(
            "free", at: "https://free.example", signedInWith: .apiKey(Redacted("k")))
        let record = try await test.know(signedInWith: .apiKey(Redacted("key-1"))) {
            $0.credentialStore = .helper("none")
        }
        #expect(await test.run("logout", "--all", "--json") == .partial)
        let items = Array(try #require(try test.errorObject()["items"]).elements)
        #expect(items.map { $0["id"]?.string } == ["home"])
        let reported =
            "signed out of 'home', but its secrets are still in the credential helper 'none'"
        #expect(items.first?["message"]?.string?.hasPrefix(reported + ": ") == true)
        #expect(Array(try test.printed().elements).count == 1)
        #expect(try test.known()[record.id]?.account == nil)
        #expect(await test.run("events", "list", "-s", "home") == .notSignedIn)
        for words in [["logout", "-s", "home"], ["logout", "--all"]] {
            #expect(await test.run(words + ["--json"]) == .failed, "what is left is tried again")
            let error = try test.errorObject()
            #expect(error["message"]?.string?.hasPrefix(reported + ": ") == true)
            #expect(error["reason"]?.string == "credential_store_failed")
        }
    }

    @Test("damaged secrets that a sign-out had to leave are erased by the next one")
    func leftBehind() async throws {
        let record = try await test.know { $0.account = nil }
        try damage(record)
        #expect(await test.run("logout", "--all") == .done)
        #expect(test.stderr == "signed out of 'home'\n")
        #expect(try await test.credential(of: record) == nil)
        #expect(await test.run("logout") == .notSignedIn)
    }

    @Test(
        "an unreadable passphrase does not prevent signing out, or removing a server",
        arguments: ["", "\u{0}"])
    func unreadablePassphrase(text: String) async throws {
        let file = try test.folder.plant(text, "unreadable")
        for path in [file, test.folder.file("nonexistent")] {
            // What it has not sealed is opened without it, and the server is told.
            var record = try await test.know()
            test.fake.stub(.post, Self.logout, body: try Samples.text("logout-response"))
            #expect(await test.run("logout", "--passphrase-file", path) == .done)
            #expect(!test.stderr.contains("was not ended on the server"))
            #expect(try test.known()[record.id]?.account == nil)
            #expect(try await test.credential(of: record) == nil)
            #expect(await test.run("server", "remove", "home") == .done)

            record = try await test.know()
            #expect(await test.run("server", "remove", "home", "--passphrase-file", path) == .done)
            #expect(
                test.stderr.contains("warning: the passphrase cannot be read: ")
                    && test.stderr.contains("; it was not needed\n"), "\(test.stderr)")
            #expect(try test.known().servers.isEmpty)
            #expect(try await test.credential(of: record) == nil)
        }
    }

    @Test("secrets of an unreadable passphrase are erased unread, with a message")
    func sealedByUnreadablePassphrase() async throws {
        for words in [["logout"], ["logout", "--all"], ["server", "remove", "home"]] {
            let passphrase = try test.folder.plant("a long passphrase", "passphrase")
            let record = try await test.know()
            try await test.seal(TestSystem.session, of: record, by: "a long passphrase")
            #expect(await test.run("logout") == .notSignedIn, "one that is not given can be")
            #expect(test.stderr.contains("--passphrase-file"))
            try test.folder.plant("", "passphrase")
            #expect(await test.run(words + ["--passphrase-file", passphrase]) == .done)
            if words[0] == "logout" {
                #expect(
                    test.stderr.contains(
                        "warning: the session of 'home' was not ended on the server: the passphrase cannot be read: "
                    ), "\(test.stderr)")
                #expect(try test.known()[record.id]?.account == nil)
            }
            #expect(try await test.credential(of: record) == nil)
            _ = await test.run("server", "remove", "home")
        }
    }

    @Test("a server is removed although its secrets stay, and their store is reported")
    func removed() async throws {
        let record = try await test.know { $0.credentialStore = .helper("none") }
        #expect(await test.run("server", "remove", "home", "--json") == .failed)
        let error = try test.errorObject()
        #expect(error["message"]?.string?.hasPrefix("'home' is forgotten, but its secrets") == true)
        #expect(error["hint"]?.string?.contains(record.id.text) == true)
        #expect(error["reason"]?.string == "credential_store_failed")
        #expect(try test.known().servers.isEmpty)
    }
}
