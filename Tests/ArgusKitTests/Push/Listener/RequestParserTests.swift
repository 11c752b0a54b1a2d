import ArgusTransport
import Testing

@testable import ArgusPush

@Suite("RequestParser")
struct RequestParserTests {
    private static let path = "/0123456789abcdef"

    /// The last step after bytes that come in parts of `size`.
    private func parse(_ text: String, by size: Int = .max) -> RequestParser.Step {
        parse(Array(text.utf8), by: size)
    }

    private func parse(_ bytes: [UInt8], by size: Int = .max) -> RequestParser.Step {
        var parser = RequestParser(path: Self.path, longestBody: 4096)
        var rest = bytes[...]
        var step = RequestParser.Step.incomplete
        while !rest.isEmpty {
            let part = rest.prefix(size)
            rest = rest.dropFirst(part.count)
            step = parser.read(Array(part))
            if case .refused = step { return step }
        }
        return step
    }

    private func request(_ step: RequestParser.Step) -> ListenerRequest? {
        if case .complete(let request) = step { request } else { nil }
    }

    private func isRefused(_ step: RequestParser.Step) -> Bool {
        if case .refused = step { true } else { false }
    }

    private func isIncomplete(_ step: RequestParser.Step) -> Bool {
        if case .incomplete = step { true } else { false }
    }

    @Test("a request is read in parts of any size, with a length or in chunks")
    func parts() throws {
        let head = "POST \(Self.path) HTTP/1.1\r\nHost: x\r\nTTL:  60 \t\r\n"
        let whole = head + "Content-Length: 5\r\n\r\nhello"
        let chunked =
            head + "Transfer-Encoding: chunked\r\n\r\n2\r\nhe\r\n3;name=value\r\nllo\r\n"
            + "0\r\nTrailer: x\r\n\r\n"
        for text in [whole, chunked] {
            for size in [1, 2, 3, 7, 64, 10_000] {
                let read = try #require(request(parse(text, by: size)))
                #expect(read.method == "POST" && read.body == Array("hello".utf8))
                #expect(read.headers["ttl"] == "60")
            }
            let bytes = Array(text.utf8)
            for count in 1..<bytes.count {
                #expect(isIncomplete(parse(Array(bytes[..<count]))), "\(count)")
            }
        }
        #expect(request(parse("GET \(Self.path) HTTP/1.0\r\n\r\n"))?.body == [])
    }

    @Test("only the path itself is served")
    func otherPaths() {
        let wrong = [
            "/", "", "/0123456789abcde", "/0123456789abcdee", "/0123456789abcdeff",
            Self.path + "/", Self.path + "?x", "/%30123456789abcdef", "/0123456789ABCDEF",
            "http://x\(Self.path)", "*",
        ]
        for path in wrong {
            #expect(
                isRefused(parse("POST \(path) HTTP/1.1\r\nContent-Length: 1\r\n\r\n")), "\(path)")
        }
    }

    @Test("garbage is refused")
    func garbage() {
        let line = "POST \(Self.path) HTTP/1.1\r\n"
        let wrong = [
            "\r\n\r\n", "x\r\n\r\n", "POST \(Self.path)\r\n\r\n",
            "POST  \(Self.path) HTTP/1.1\r\n\r\n",
            "POST \(Self.path) HTTP/2.0\r\n\r\n", "PO(ST \(Self.path) HTTP/1.1\r\n\r\n",
            line + "no colon\r\n\r\n", line + ": empty\r\n\r\n", line + "a b: c\r\n\r\n",
            line + " folded: x\r\n\r\n", line + "a: b\nc: d\r\n\r\n", line + "a: \u{0}\r\n\r\n",
            line + "a: \u{1B}[2J\r\n\r\n", line + "Content-Length: -1\r\n\r\n",
            line + "Content-Length: +1\r\n\r\n",
            line + "Content-Length: 1 \r\nContent-Length: 1\r\n\r\n",
            line + "Content-Length: 99999999999999999999\r\n\r\n",
            line + "Content-Length: 4097\r\n\r\n", line + "Content-Length: 0x10\r\n\r\n",
            line + "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
            line + "Transfer-Encoding: gzip, chunked\r\n\r\n",
            line + "Transfer-Encoding: chunked\r\n\r\nx\r\n",
            line + "Transfer-Encoding: chunked\r\n\r\n-1\r\n",
            line + "Transfer-Encoding: chunked\r\n\r\n1001\r\n",
            line + "Transfer-Encoding: chunked\r\n\r\n1\r\nab\r\n",
            line + "Transfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFF\r\n",
        ]
        for text in wrong { #expect(isRefused(parse(text)), "\(text.debugDescription)") }
        #expect(isRefused(parse([0x16, 3, 1] + [UInt8](repeating: 0xFF, count: 20_000))))
    }

    @Test("a head has at most 16 KiB, and a chunked body as much besides its 4 KiB")
    func limits() {
        let line = "POST \(Self.path) HTTP/1.1\r\n"
        func padded(_ count: Int) -> String {
            line + "a: " + String(repeating: "x", count: count - line.utf8.count - 7) + "\r\n\r\n"
        }
        #expect(request(parse(padded(16 << 10), by: 1000)) != nil)
        #expect(isRefused(parse(padded((16 << 10) + 1), by: 1000)))
        #expect(isRefused(parse(line + String(repeating: "x", count: 17_000), by: 100)))
        let chunks = line + "Transfer-Encoding: chunked\r\n\r\n"
        let most = String(repeating: "1\r\nx\r\n", count: 3413) + "0\r\n\r\n"
        #expect(request(parse(chunks + most, by: 5000))?.body.count == 3413)
        let extensions = chunks + "1;" + String(repeating: "x", count: 21_000)
        #expect(isRefused(parse(extensions, by: 500)))
    }

    @Test("a sender that waits for a permission gets it once, and only for a body that fits")
    func permission() {
        var parser = RequestParser(path: Self.path, longestBody: 4096)
        let head = "POST \(Self.path) HTTP/1.1\r\nExpect: 100-Continue\r\n"
        guard case .awaitsPermission = parser.read(Array((head + "Content-Length: 2\r\n\r\n").utf8))
        else {
            Issue.record("no permission")
            return
        }
        #expect(isIncomplete(parser.read([1])))
        #expect(request(parser.read([2]))?.body == [1, 2])
        #expect(isRefused(parse(head + "Content-Length: 100000000\r\n\r\n")))
        #expect(request(parse(head + "Content-Length: 0\r\n\r\n")) != nil)
        #expect(request(parse(head + "Content-Length: 1\r\n\r\nx")) != nil)
    }
}
