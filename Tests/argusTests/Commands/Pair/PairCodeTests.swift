import ArgusAccount
import ArgusCore
import ArgusTestSupport
import ArgusTransport
import CommandLineKit
import Testing

@testable import argus

@Suite("argus pair --code and --link")
struct PairCodeTests {
    private let test: TestSystem
    private static let url = "https://home.example"
    private static let exchange = "/api/v1/mobile/auth/exchange"

    init() throws {
        test = try TestSystem()
    }

    private func stubExchange() throws {
        test.fake.stub(.post, Self.exchange, body: try Samples.text("mobile-exchange"))
        // The sample's token names nobody, so that the server is asked whose it is.
        test.fake.stub(.get, "/api/v1/auth/me", body: try Samples.text("auth-me"))
    }

    private func fingerprint() throws -> String {
        try #require(PeerCertificate(pem: Samples.certificate)).fingerprint.hex
    }

    @Test(
        "the dashboard's code is exchanged, wherever it stands and however it is written",
        arguments: [
            ["--code=376529", url], ["--code", "376-529", url], [url, "--code", "376 529"],
            ["--code", url, " 376529"],
        ])
    func code(words: [String]) async throws {
        try stubExchange()
        #expect(await test.run(["pair", "--json"] + words) == .done)
        #expect(try test.printed()["state"]?.string == "paired")
        #expect(try test.printed()["username"]?.string == "admin")
        #expect(try test.printed()["expires_at"]?.isNull == true)
        #expect(try test.known().defaultServer?.account?.kind == .pairing)
        let body = try #require(test.fake.requests.first?.body)
        #expect(String(decoding: body.bytes, as: UTF8.self).contains(#""code":"376529""#))
    }

    @Test("pairings that no longer open are lost, and do not prevent a new one")
    func damagedPairings() async throws {
        try await test.know("other", at: "https://other.example")
        try test.folder.plant("damaged", "state/credentials/no0server0yet.pairings.sealed")
        #expect(await test.run("pair", "resume") == .notFound)
        try stubExchange()
        #expect(await test.run("pair", Self.url, "--code=376529") == .done)
        #expect(test.stderr.contains("warning: pairings that may have waited are lost: '"))
        #expect(try test.known().servers.count == 2)
    }

    @Test("what is no code is a usage error that does not repeat it; nothing is sent")
    func noCode() async throws {
        for words in [
            ["--code=48291"], ["--code", "48291"], ["--code", "4829131"], ["--code="],
            ["--code", "48_913"],
        ] {
            #expect(await test.run(["pair", Self.url] + words) == .usage)
        }
        #expect(
            test.stderr.contains(
                "--code: the value is not a pairing code (6 digits, or 6 letters and digits)"))
        #expect(!test.stderr.contains("4829"))
        #expect(await test.run("pair", Self.url, "--code", "--no-input") == .usage)
        #expect(test.stderr.contains("use --code=CODE"))
        #expect(test.fake.requests.isEmpty)
    }

    @Test("a code that the server refuses is status 10")
    func refused() async throws {
        let body = try Samples.text("error-401-exchange-unconfirmed")
        test.fake.stub(.post, Self.exchange, status: 401, body: body)
        #expect(await test.run("pair", Self.url, "--code=482913", "--json") == .rejected)
        #expect(try test.errorObject()["reason"]?.string == "code_refused")
        #expect(!test.stderr.contains("482913"))
        #expect(try test.known().servers.isEmpty)
    }

    @Test("a code with letters is status 14 where no dashboard makes such")
    func letters() async throws {
        test.fake.stub(.post, "/api/v1/devices/pair", status: 405)
        #expect(await test.run("pair", Self.url, "--code=ABC123", "--json") == .unsupported)
        #expect(
            try test.errorObject()["message"]?.string?.contains("a code that a dashboard makes")
                == true)
    }

    @Test("a link's fingerprint becomes the pin before the code is sent")
    func link() async throws {
        try stubExchange()
        let link =
            "argusai://pair?code=376529&url=https%3A%2F%2Fhome.example&fp=sha256:"
            + (try fingerprint())
        #expect(await test.run("pair", "--link", link) == .done)
        let endpoint = try #require(try test.known().defaultServer?.endpoints.first)
        guard case .pin = endpoint.proof else {
            Issue.record("no pin is kept")
            return
        }
        #expect(endpoint.fingerprint?.hex == (try fingerprint()))
        #expect(test.fake.requests.allSatisfy { $0.proof.identity == .pin(endpoint.pin) })
    }

    @Test("a server with another certificate than the link's is status 9 and receives nothing")
    func wrongFingerprint() async throws {
        let link =
            "argusai://pair?code=376529&url=\(Self.url)&fp=sha256:"
            + String(repeating: "0", count: 64)
        #expect(await test.run("pair", "--link", link, "--json") == .identity)
        #expect(try test.errorObject()["reason"]?.string == "fingerprint_mismatch")
        #expect(test.fake.requests.isEmpty)
    }

    @Test("a fingerprint goes with a link that has none, and may not contradict the link's own")
    func linkAndFingerprint() async throws {
        let link = "argusai://pair?code=376529&url=\(Self.url)"
        let (good, bad) = (try fingerprint(), String(repeating: "0", count: 64))
        let other = ["pair", "--link", link + "&fp=sha256:\(good)", "--fingerprint", bad]
        #expect(await test.run(other) == .usage)
        #expect(await test.run("pair", "--link", link, "--fingerprint", bad) == .identity)
        #expect(test.fake.requests.isEmpty)
        for words in [
            [link, "--fingerprint", good], [link + "&fp=sha256:\(good)", "--fingerprint", good],
        ] {
            try stubExchange()
            #expect(await test.run(["pair", "--link"] + words) == .done)
        }
        #expect(try test.known().defaultServer?.endpoints.first?.fingerprint?.hex == good)
    }

    @Test("a malformed link is a usage error without the link in it")
    func malformed() async throws {
        #expect(await test.run("pair", "--link", "argusai://pair?code=482913") == .usage)
        #expect(test.stderr.contains("--link: the link has no 'url'"))
        #expect(!test.stderr.contains("482913"))
        #expect(test.fake.requests.isEmpty)
    }

    @Test("each option of pair is its own, and those that contradict each other are refused")
    func options() throws {
        func pair(_ words: String...) throws -> Pair.Options {
            try argusTests.options(of: Pair.self, words)
        }
        #expect(try pair() == Pair.Options())
        #expect(try pair("https://h.example").addresses == ["https://h.example"])
        #expect(try pair("--no-wait").waits == false)
        #expect(try pair("--platform", "android").platform == .android)
        #expect(try pair("--device-name", "attic").deviceName?.text == "attic")
        #expect(try pair("--name", "home").name == "home")
        #expect(try pair("--insecure-http").allowsInsecure)
        #expect(try pair("--code").code == .elsewhere)
        #expect(try pair("--code", "482913").codeWord == "482913")
        for (words, message) in [
            (["a", "b"], "too many arguments"),
            (["--code=482913", "https://h.example", "482913"], "too many arguments"),
            (["--code", "https://h.example", "https://i.example"], "too many arguments"),
            (["--link", "x", "https://h.example"], "give a URL or --link, not both"),
            (["--link", "x", "--code"], "give --code or --link, not both"),
            (["--no-wait", "--code"], "--no-wait works only for a code that argus shows"),
            (["--device-name", ""], "--device-name: '' does not have 1 to 100 characters"),
        ] {
            #expect(throws: UsageError.self) {
                try argusTests.options(of: Pair.self, words)
            }
            do throws(UsageError) {
                _ = try argusTests.options(of: Pair.self, words)
            } catch {
                #expect(error.message == message)
            }
        }
        for platform in ["linux", "web"] {
            #expect(refusal(of: Pair.self, "--platform", platform)?.contains("ios") == true)
        }
    }
}

extension Endpoint {
    /// The pin, or an empty text for another proof.
    fileprivate var pin: String {
        if case .pin(let digest) = proof { digest } else { "" }
    }
}
