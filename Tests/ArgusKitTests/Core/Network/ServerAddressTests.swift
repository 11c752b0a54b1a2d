import Testing

@testable import ArgusCore
@testable import ArgusTransport

@Suite("server addresses")
struct ServerAddressTests {
    @Test(
        "what people type becomes an address that reads back the same",
        arguments: [
            ("https://home.example", "https://home.example"),
            ("HTTPS://Home.Example:443/", "https://home.example"),
            ("http://127.0.0.1:8000", "http://127.0.0.1:8000"),
            ("http://home.example:80", "http://home.example"),
            ("https://home.example:80", "https://home.example:80"),
            ("home.local:8000", "https://home.local:8000"),
            ("192.168.1.5", "https://192.168.1.5"),
            ("localhost:8000", "https://localhost:8000"),
            ("http://[::1]:8000/", "http://[::1]:8000"),
            ("[FE80::1%25eth0]:8000", "https://[fe80::1%25eth0]:8000"),
            ("[fe80::1%eth0]", "https://[fe80::1%25eth0]"),
            ("https://x.example/argus///", "https://x.example/argus"),
            ("https://x.example/a%20b", "https://x.example/a%20b"),
            ("https://x.example/größe", "https://x.example/gr%C3%B6%C3%9Fe"),
            ("https://Bücher.example", "https://bücher.example"),
            ("home.example.", "https://home.example."),
            ("x", "https://x"),
            ("my_box:1", "https://my_box:1"),
        ])
    func accepted(text: String, url: String) throws {
        let address = try ServerAddress(parsing: text)
        #expect(address.description == url)
        #expect(try ServerAddress(parsing: address.description) == address)
    }

    @Test(
        "what is no server address is refused with its reason",
        arguments: [
            ("", ServerAddressError.empty),
            (String(repeating: "a", count: 2049), .tooLong),
            ("https://home .example", .forbiddenCharacter),
            ("https://home\u{202E}.example", .forbiddenCharacter),
            ("https://home\\.example", .forbiddenCharacter),
            ("https://home.example\n", .forbiddenCharacter),
            ("https://home\0.example", .forbiddenCharacter),
            ("ftp://home.example", .otherScheme),
            ("file:///etc/passwd", .otherScheme),
            ("mailto:me", .otherScheme),
            ("https:home", .otherScheme),
            ("/api", .otherScheme),
            ("https://admin:hunter2@home.example", .hasUser),
            ("admin:hunter2@home.example", .hasUser),
            ("https://home.example?token=x", .hasQuery),
            ("https://home.example/#x", .hasFragment),
            ("http://[fe80::1]:8000", .linkLocalWithoutInterface),
            ("[FEBF::1]", .linkLocalWithoutInterface),
            ("https://", .badHost),
            ("https://:8000", .badHost),
            ("https://a..b", .badHost),
            ("https://.a", .badHost),
            ("https://-a.example", .badHost),
            ("https://a,b", .badHost),
            ("https://127.1", .badHost),
            ("https://0x7f000001", .badHost),
            ("https://2130706433", .badHost),
            ("https://256.1.1.1", .badHost),
            ("https://１２７.0.0.1", .badHost),
            ("https://[::1", .badHost),
            ("https://[::1]8000", .badHost),
            ("https://[127.0.0.1]", .badHost),
            ("https://[::1%25]", .badHost),
            ("fe80::1", .badHost),
            ("https://" + String(repeating: "a", count: 64) + ".example", .badHost),
            ("home:0", .badPort),
            ("home:65536", .badPort),
            ("home:", .badPort),
            ("home:+80", .badPort),
            ("home:８０", .badPort),
            ("https://home/a/../b", .badPath),
            ("https://home/%2e%2e", .badPath),
            ("https://home/a//b", .badPath),
            ("https://home/%zz", .badPath),
            ("https://home/%0a", .badPath),
            ("https://home/%ff", .badPath),
        ])
    func refused(text: String, reason: ServerAddressError) {
        #expect(throws: reason) { try ServerAddress(parsing: text) }
        #expect(!reason.description.contains("hunter2"))
    }

    @Test("targets are the base path, encoded segments and an encoded query")
    func targets() throws {
        let plain = try ServerAddress(parsing: "https://home")
        let prefixed = try ServerAddress(parsing: "https://home/argus")
        #expect(plain.target([]) == "/")
        #expect(prefixed.target(["events", "a/b c", ".."]) == "/argus/events/a%2Fb%20c/%2E%2E")
        #expect(
            plain.target(["events"], query: [("since", "2026-01-01T00:00:00+02:00"), ("q", "ä&=")])
                == "/events?since=2026-01-01T00%3A00%3A00%2B02%3A00&q=%C3%A4%26%3D")
    }

    @Test("percent-encoding decodes to what it encoded, and refuses what is malformed")
    func percentEncoding() {
        let text = "Größe 100 % + ünïcode / ~._-"
        #expect(PercentEncoding.decode(PercentEncoding.encode(text)) == text)
        for malformed in ["%", "%a", "%ag", "a%2", "%ff", "%C3"] {
            #expect(PercentEncoding.decode(malformed) == nil)
        }
    }

    @Test("further tries wait 1 s, 2 s, 4 s, with a quarter of it at random, up to a limit")
    func backoff() {
        let waits = (1...3).map { RetryPolicy.backoff(before: $0, random: 0.5) }
        #expect(waits == [1, 2, 4].map { .seconds($0) })
        #expect(RetryPolicy.backoff(before: 1, random: 0) == .milliseconds(750))
        #expect(RetryPolicy.backoff(before: 1, random: 1) == .milliseconds(1250))
        #expect(RetryPolicy.backoff(before: 100, random: 0.5) == .seconds(60))
    }
}
