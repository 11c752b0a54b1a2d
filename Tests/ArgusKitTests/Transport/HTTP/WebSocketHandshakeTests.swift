import Testing

@testable import ArgusCore
@testable import ArgusTransport

@Suite("the handshake of a WebSocket")
struct WebSocketHandshakeTests {
    /// The example of RFC 6455, section 1.3.
    private let nonce = Array("the sample nonce".utf8)
    private let good = [
        "HTTP/1.1 101 Switching Protocols", "Upgrade: websocket", "Connection: Upgrade",
        "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=",
    ]

    private func take(_ lines: [String], _ rest: String = "", limit: Int = 4096) throws -> [UInt8]?
    {
        var handshake = WebSocketHandshake(nonce: nonce)
        return try handshake.take(
            Array((lines.joined(separator: "\r\n") + "\r\n\r\n" + rest).utf8), limit: limit)
    }

    @Test("the request names host, key and version, and adds the fields of the request")
    func request() throws {
        let request = HTTPRequest(
            .get, Origin(scheme: .http, host: "fe80::1%eth0", port: 8000), "/ws?a=b",
            headers: [
                HTTPHeader("User-Agent", "argus"),
                HTTPHeader("CF-Access", secret: Redacted("relay-secret")),
            ], proof: ServerProof(.plain))
        let text = String(
            decoding: WebSocketHandshake(nonce: nonce).request(request), as: UTF8.self)
        #expect(
            text.split(separator: "\r\n") == [
                "GET /ws?a=b HTTP/1.1", "Host: [fe80::1]:8000", "Connection: Upgrade",
                "Upgrade: websocket", "Sec-WebSocket-Version: 13",
                "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "User-Agent: argus",
                "CF-Access: relay-secret",
            ])
        #expect(text.hasSuffix("\r\n\r\n"))
        var named = request
        named.origin = Origin(scheme: .https, host: "home.example", port: 443)
        let other = WebSocketHandshake(nonce: nonce).request(named)
        #expect(String(decoding: other, as: UTF8.self).contains("\r\nHost: home.example\r\n"))
    }

    @Test("a good answer ends with its blank line, also behind an interim one and in single bytes")
    func accepted() throws {
        #expect(try take(good, "\u{81}") == Array("\u{81}".utf8))
        #expect(try take(good) == [])
        let loose = [
            "HTTP/1.1 103 Early Hints", "Link: </x>", "", "HTTP/1.1 101", "upgrade: WebSocket",
            "connection: keep-alive, upgrade",
            "sec-websocket-accept:s3pPLMBiTxaQ9kYGzzhZRbK+xOo=",
        ]
        #expect(try take(loose, "x") == [0x78])
        var handshake = WebSocketHandshake(nonce: nonce)
        let bytes = Array((loose.joined(separator: "\r\n") + "\r\n\r\n").utf8)
        for byte in bytes.dropLast() {
            #expect(try handshake.take([byte], limit: 4096) == nil)
        }
        #expect(try handshake.take([0x0A], limit: 4096) == [])
    }

    @Test("an answer that does not switch is refused")
    func malformed() throws {
        for index in good.indices {
            var lines = good
            lines.remove(at: index)
            #expect(throws: TransportError.self) { try take(lines) }
        }
        for (index, line) in [
            (0, "HTTP/2 101"), (0, "HTTP/1.0 101 Switching Protocols"), (0, "nonsense"), (0, ""),
            (0, "HTTP/1.1 tea"), (0, "HTTP/1.1 99"), (1, "Upgrade: h2c"), (2, "Connection: close"),
            (2, "Connection: Upgraded"),
            (3, "Sec-WebSocket-Accept: S3pPLMBiTxaQ9kYGzzhZRbK+xOo="),
        ] {
            var lines = good
            lines[index] = line
            let error = #expect(throws: TransportError.self) { try take(lines) }
            #expect(error?.kind == .malformedAnswer, "\(line)")
        }
        for line in [
            "Sec-WebSocket-Extensions: permessage-deflate", "Sec-WebSocket-Protocol: chat",
        ] {
            let error = #expect(throws: TransportError.self) { try take(good + [line]) }
            #expect(error?.kind == .malformedAnswer, "\(line)")
        }
    }

    @Test(
        "another status is reported, and redirects are not followed",
        arguments: [200, 301, 302, 307, 401, 403, 404, 426, 429, 500, 502, 503])
    func statuses(status: Int) {
        let error = #expect(throws: TransportError.self) {
            try take(["HTTP/1.1 \(status) Whatever", "Location: http://other.example/ws"], "body")
        }
        #expect(error?.kind == .upgradeRefused(status))
        #expect(error?.detail == "the server refuses a WebSocket: status \(status)")
    }

    @Test("a head that is too long is refused before its end")
    func tooLong() {
        var one = WebSocketHandshake(nonce: nonce)
        var error = #expect(throws: TransportError.self) {
            try one.take([UInt8](repeating: 0x61, count: 4097), limit: 4096)
        }
        #expect(error?.kind == .tooLarge)
        error = #expect(throws: TransportError.self) {
            try take(good + [String](repeating: "X: y", count: 1000))
        }
        #expect(error?.kind == .tooLarge)
    }
}
