import ArgusAccount
import ArgusCore
import ArgusTestSupport
import ArgusTransport
import Testing

@testable import argus

@Suite("argus pair pending, confirm and reject")
struct PairAnswersTests {
    private let test: TestSystem
    private static let pending = "/api/v1/mobile/auth/pending"
    private static let confirm = "/api/v1/mobile/auth/confirm"

    init() throws {
        test = try TestSystem()
    }

    @Test("devices that wait are listed")
    func pending() async throws {
        try await test.know()
        test.fake.stub(.get, Self.pending, body: try Samples.text("mobile-pending"))
        #expect(await test.run("pair", "pending", "--format", "ndjson") == .done)
        #expect(
            test.stdout.hasPrefix(
                #"{"code":"376529","state":"waiting","device_name":"argus CLI","#
                    + #""device_model":"linux-x86_64","platform":"ios","#
                    + #""created_at":"2026-11-20T23:45:58.840473Z","#
                    + #""expires_at":"2026-11-20T23:50:58.840060Z"}"# + "\n"))
    }

    @Test("a confirmation is sent with the code alone, once the device is known")
    func confirm() async throws {
        try await test.know()
        test.fake.stub(.get, Self.pending, body: try Samples.text("mobile-pending"))
        test.fake.stub(.post, Self.confirm, body: try Samples.text("mobile-confirm"))
        #expect(await test.run("pair", "confirm", "376", "529", "--yes") == .done)
        #expect(test.stderr == "'argus CLI' can now use 'home'\n")
        #expect(
            test.fake.requests.last?.body?.bytes == Array(#"{"code":"376529"}"#.utf8))
        #expect(test.fake.requests.last?.credentialText == "Authorization: Bearer token-1")
    }

    @Test("without a terminal and without --yes nothing is asked of the server")
    func noTerminal() async throws {
        try await test.know()
        #expect(await test.run("pair", "confirm", "376529", "--no-input", "--json") == .usage)
        #expect(try test.errorObject()["reason"]?.string == "input_needed")
        #expect(test.fake.requests.isEmpty)
    }

    @Test("a code that no device waits with is status 3")
    func absent() async throws {
        try await test.know()
        test.fake.stub(.get, Self.pending, body: #"{"pairings":[],"total":0}"#)
        #expect(await test.run("pair", "confirm", "376529", "-y", "--json") == .notFound)
        #expect(try test.errorObject()["reason"]?.string == "no_such_code")
        let gone = try Samples.text("error-404-pairing-confirm")
        test.fake.stub(.delete, Self.pending + "/376529", status: 404, body: gone)
        #expect(await test.run("pair", "reject", "376529") == .notFound)
    }

    @Test("a server without a list is asked all the same; one without the route is status 14")
    func withoutList() async throws {
        try await test.know()
        let absent = #"{"detail":"Not Found"}"#
        test.fake.stub(.get, Self.pending, status: 404, body: absent)
        test.fake.stub(.post, Self.confirm, body: #"{"confirmed":true,"device_name":"attic"}"#)
        #expect(await test.run("pair", "confirm", "376529", "-y", "--json") == .done)
        #expect(try test.printed()["state"]?.string == "confirmed")
        #expect(try test.printed()["device_name"]?.string == "attic")
        test.fake.stub(.get, Self.pending, status: 404, body: absent)
        test.fake.stub(.post, Self.confirm, status: 405)
        #expect(await test.run("pair", "confirm", "376529", "-y") == .unsupported)
        test.fake.stub(.get, Self.pending, status: 404, body: absent)
        #expect(await test.run("pair", "pending") == .unsupported)
    }

    @Test("a rejected device is gone")
    func reject() async throws {
        try await test.know()
        test.fake.stub(.delete, Self.pending + "/376529", body: #"{"message":"rejected"}"#)
        #expect(await test.run("pair", "reject", "376 529", "--json") == .done)
        #expect(try test.printed()["state"]?.string == "rejected")
    }

    @Test("what is no code is a usage error that does not repeat it; nothing is sent")
    func noCode() async throws {
        try await test.know()
        for verb in ["confirm", "reject"] {
            #expect(await test.run("pair", verb, "48291") == .usage)
            #expect(await test.run("pair", verb) == .usage)
        }
        #expect(test.stderr.contains("CODE: the value is not a pairing code (6 digits"))
        #expect(!test.stderr.contains("48291"))
        #expect(test.fake.requests.isEmpty)
    }

    @Test("an API key cannot confirm a pairing: status 5")
    func key() async throws {
        try await test.know(signedInWith: .apiKey(Redacted("key-1")))
        test.fake.stub(
            .get, Self.pending, status: 401, body: try Samples.text("error-401-not-authenticated"))
        test.fake.stub(.get, "/api/v1/events?limit=1", body: "[]")
        #expect(await test.run("pair", "pending") == .forbidden)
    }
}
