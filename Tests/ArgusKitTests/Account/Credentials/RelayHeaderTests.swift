import ArgusAccount
import ArgusCore
import ArgusTransport
import Testing

@Suite("header fields for relays")
struct RelayHeaderTests {
    private let one = Origin(scheme: .https, host: "one.example", port: 443)
    private let two = Origin(scheme: .https, host: "two.example", port: 8443)

    private func text(of headers: [HTTPHeader]) -> [String] {
        headers.map { header in
            guard case .secret(let value) = header.value else { return "\(header.name) is open" }
            return "\(header.name): \(value.reveal())"
        }
    }

    @Test(
        "what argus sends itself, and what is no header field, is refused",
        arguments: [
            "Authorization: x", "x-api-key: y", "Host: a", "no colon", "bad name: x", "X-A:",
            "X-A: caf\u{E9}", "[http://one.example]", "[https://one.example", "[]", "[one]X-A: b",
            "[https://one.example?x]", "Cookie: a=b", "X-Device-Id: 0", "x-device-platform: ios",
            "X-Device-Model: x", "X-App-Version: 1", "User-Agent: x", "X-Refresh-Token: r",
        ])
    func refused(text: String) {
        #expect(RelayHeaders(parsing: text) == nil)
    }

    @Test("of what an earlier version kept, only the fields that argus sends itself are left out")
    func keptEarlier() throws {
        let kept = try #require(
            RelayHeaders(stored: "[https://one.example]\nCookie: a=b\nX-A: 1\nuser-agent: x\n"))
        #expect(text(of: kept[one]) == ["X-A: 1"])
        #expect(kept.leftOut == ["Cookie", "user-agent"])
        #expect(RelayHeaders(stored: "no colon") == nil)
    }

    @Test("several fields are several lines, for the only relay where none is named")
    func several() {
        let headers = RelayHeaders(parsing: "CF-Access-Client-Id: a.access\nX-Two:b\n")
        #expect(headers?.isAmbiguous == true)
        #expect(
            text(of: headers?.meaning([one])[one] ?? [])
                == ["CF-Access-Client-Id: a.access", "X-Two: b"])
        #expect(headers?.meaning([one, two])[one].isEmpty == true)
        #expect(headers?.meaning([one, two])[two].isEmpty == true)
        #expect(headers?.meaning([one, two]).isEmpty == true)
    }

    @Test("a line in brackets names the relay of the fields below it, by its origin")
    func named() throws {
        let written =
            "[https://ONE.example/home]\nX-A: 1\n[https://two.example:8443]\nX-A: 2\nX-B: 3\n"
        let headers = try #require(RelayHeaders(parsing: written))
        #expect(!headers.isAmbiguous)
        #expect(headers.relays == [one, two])
        #expect(text(of: headers[one]) == ["X-A: 1"])
        #expect(text(of: headers[two]) == ["X-A: 2", "X-B: 3"])
        let again = try #require(RelayHeaders(parsing: headers.text.reveal()))
        #expect(text(of: again[one]) == ["X-A: 1"])
        #expect(text(of: again[two]) == ["X-A: 2", "X-B: 3"])
    }

    @Test("new fields take the place of those of the relays they name, and of no other")
    func replaced() throws {
        var headers = try #require(
            RelayHeaders(
                parsing: "[https://one.example]\nX-A: 1\n[https://two.example:8443]\nX-A: 2"))
        headers.replace(with: try #require(RelayHeaders(parsing: "[https://one.example]")))
        #expect(headers[one].isEmpty)
        #expect(text(of: headers[two]) == ["X-A: 2"])
        headers.removeAll(except: [one])
        #expect(headers.isEmpty)
        // Nothing on stdin takes the fields of the only relay away.
        #expect(RelayHeaders(parsing: "")?.meaning([one]).relays == [one])
    }
}
