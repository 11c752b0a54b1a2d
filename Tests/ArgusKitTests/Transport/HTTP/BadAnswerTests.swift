import ArgusCore
import ArgusTestSupport
import ArgusTransport
import Synchronization
import Testing

@Suite("servers that misbehave", .hangLimit)
struct BadAnswerTests {
    /// The error of one GET that the steps answer.
    ///
    /// Only tests of deadlines shorten them: on a busy machine an answer takes its time.
    private func error(
        _ steps: [LoopbackServer.Step], method: HTTPRequest.Method = .get,
        adjust: (inout HTTPRequest) -> Void = { _ in }
    ) async throws -> TransportError? {
        try await LoopbackServer.serving({ _ in steps }) { server in
            let transport = CurlTransport()
            var request = HTTPRequest(method, server.origin, "/", proof: ServerProof(.plain))
            adjust(&request)
            let error = await failure { [request] () async throws(TransportError) in
                try await transport.send(request)
            }
            await transport.shutdown()
            return error
        }
    }

    @Test("a refused connection is reported in the C library's words, and nothing was sent")
    func refused() async throws {
        let port = try await LoopbackServer.serving({ _ in [] }) { $0.port }
        for host in ["127.0.0.1", "localhost"] {
            let transport = CurlTransport()
            let origin = Origin(scheme: .http, host: host, port: port)
            let error = await failure { () async throws(TransportError) in
                try await transport.send(
                    HTTPRequest(.get, origin, "/", proof: ServerProof(.plain)))
            }
            #expect(
                error == TransportError(.notConnected, "connection refused", nothingSent: true))
            await transport.shutdown()
        }
    }

    @Test("a name without an address is reported as such")
    func unresolved() async throws {
        let transport = CurlTransport()
        let origin = Origin(scheme: .http, host: "no-such-host.invalid", port: 80)
        let error = await failure { () async throws(TransportError) in
            try await transport.send(HTTPRequest(.get, origin, "/", proof: ServerProof(.plain)))
        }
        #expect(error?.kind == .unresolvedHost)
        #expect(error?.nothingSent == true)
        await transport.shutdown()
    }

    @Test("bytes after the end of a compressed body are an encoding that is broken")
    func compressedTail() async throws {
        // printf hello | gzip -n
        let hello: [UInt8] = [
            0x1F, 0x8B, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x03, 0xCB, 0x48, 0xCD, 0xC9,
            0xC9,
            0x07, 0x00, 0x86, 0xA6, 0x10, 0x36, 0x05, 0x00, 0x00, 0x00,
        ]
        for tail in [hello, Array("trailing".utf8), [0]] {
            let answer = LoopbackServer.Step.answer(
                headers: ["Content-Encoding: gzip"], bytes: hello + tail)
            let error = try await error([answer])
            #expect(error?.kind == .truncatedBody)
            #expect(error?.detail == "the answer ended early or its encoding is broken")
        }
    }

    @Test("a server that accepts and never answers passes the first byte's deadline")
    func silent() async throws {
        let error = try await error([.staySilent]) { $0.deadlines.firstByte = .milliseconds(200) }
        #expect(error == TransportError(.timedOut(.firstByte), "no answer within 200 ms"))
    }

    @Test("a server that stops in the middle of a body passes the idle deadline")
    func stalls() async throws {
        let error = try await error([
            .text("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc"), .staySilent,
        ]) { $0.deadlines.idle = .milliseconds(200) }
        #expect(error == TransportError(.timedOut(.idle), "no byte for 200 ms"))
    }

    @Test("a body that drips passes the total deadline, and none without one")
    func drips() async throws {
        let steps: [LoopbackServer.Step] = [
            .text("HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\n"),
            .drip(Array(repeating: 65, count: 20), every: .milliseconds(20)),
        ]
        let total = try await error(steps) { $0.deadlines.total = .milliseconds(150) }
        #expect(total == TransportError(.timedOut(.total), "no complete answer within 150 ms"))
        #expect(try await error(steps) { $0.deadlines.total = nil } == nil)
    }

    @Test("status lines that drip without an end pass the first byte's deadline")
    func dripsStatusLine() async throws {
        let error = try await error([
            .drip(Array(repeating: 72, count: 1000), every: .milliseconds(10))
        ]) { $0.deadlines.firstByte = .milliseconds(200) }
        #expect(error?.kind == .timedOut(.firstByte) || error?.kind == .malformedAnswer)
    }

    @Test(
        "a body that ends early is truncated, by length and by chunk",
        arguments: [
            "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n64\r\nabc",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n",
        ])
    func truncated(answer: String) async throws {
        let error = try await error([.text(answer), .close])
        #expect(error?.kind == .truncatedBody)
        #expect(error?.nothingSent == false)
    }

    @Test(
        "an answer that is not HTTP is reported as such",
        arguments: [
            "SSH-2.0-OpenSSH_9.2\r\n", "\u{1}\u{2}\u{3}garbage\r\n\r\n", "HTTP/9.9 200 OK\r\n\r\n",
            "HTTP/1.1 2x0 OK\r\n\r\n", "HTTP/1.1\r\n\r\n", "<html></html>",
            "HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        ])
    func garbage(answer: String) async throws {
        let error = try await error([.text(answer), .close])
        #expect(error?.kind == .malformedAnswer, "\(String(describing: error))")
    }

    @Test("a connection that ends or is reset without an answer is lost", arguments: [true, false])
    func lost(resets: Bool) async throws {
        let error = try await error([resets ? .reset : .close])
        #expect(error?.kind == .connectionLost)
        #expect(error?.nothingSent == false)
        #expect(
            error?.detail
                == (resets
                    ? "connection reset by peer"
                    : "the server closed the connection without an answer"))
    }

    @Test("a body past its limit is refused, announced or endless")
    func endlessBody() async throws {
        let announced = try await error([
            .text("HTTP/1.1 200 OK\r\nContent-Length: 1001\r\n\r\nx"), .staySilent,
        ]) { $0.limits.body = 1000 }
        #expect(announced?.kind == .tooLarge)
        let endless = try await error([
            .text("HTTP/1.1 200 OK\r\n\r\n"), .sendForever(Array(repeating: 65, count: 300)),
        ]) { $0.limits.body = 1000 }
        #expect(endless?.kind == .tooLarge)
        let exact = try await error([.answer(bytes: Array(repeating: 65, count: 1000))]) {
            $0.limits.body = 1000
        }
        #expect(exact == nil)
    }

    @Test("an answer has at most 32 MiB after decompression, unless it is handed on")
    func expanded() async throws {
        let bomb = LoopbackServer.Step.answer(
            headers: ["Content-Encoding: gzip, gzip"], bytes: Bombs.zeros)
        let error = try await error([bomb])
        #expect(error?.kind == .tooLarge)
        #expect(error?.detail == "the answer is larger than 32 MiB")
        let small = LoopbackServer.Step.answer(
            headers: ["Content-Encoding: gzip, gzip"], bytes: Bombs.text)
        #expect(try await self.error([small]) == nil)
        try await LoopbackServer.serving({ _ in [bomb] }) { server in
            let transport = CurlTransport()
            var request = HTTPRequest(.get, server.origin, "/", proof: ServerProof(.plain))
            request.limits.body = .max / 2
            let count = Mutex(0)
            _ = try await transport.send(request) { bytes in
                count.withLock { $0 += bytes.count }
                return true
            }
            #expect(count.withLock { $0 } > 60 << 20)
            await transport.shutdown()
        }
    }

    @Test("a path that no server reads is refused before it is sent")
    func longPath() async throws {
        let error = try await error([.staySilent]) {
            $0.target = "/" + String(repeating: "a", count: 80 << 20)
        }
        #expect(error?.kind == .invalidRequest)
        #expect(error?.nothingSent == true)
    }

    @Test("an endless refusal is refused, however large the body may be that is handed on")
    func endlessRefusal() async throws {
        let steps: [LoopbackServer.Step] = [
            .text("HTTP/1.1 500 Internal Server Error\r\n\r\n"),
            .sendForever(Array(repeating: 65, count: 1 << 20)),
        ]
        try await LoopbackServer.serving({ _ in steps }) { server in
            let transport = CurlTransport()
            var request = HTTPRequest(.get, server.origin, "/", proof: ServerProof(.plain))
            request.limits.body = .max / 2
            let asked = request
            let error = await #expect(throws: TransportError.self) {
                try await transport.send(asked) { _ in true }
            }
            #expect(error?.kind == .tooLarge)
            await transport.shutdown()
        }
    }

    @Test(
        "endless header fields are refused, in many lines, in one line and in interim answers",
        arguments: [
            ("X: ", "y\r\nX-Field: ", 100), ("X: ", "xxxxxxxxxx", 5000),
            ("\r\n", "HTTP/1.1 103 Early Hints\r\n\r\n", 1),
        ])
    func endlessHeaders(start: String, piece: String, count: Int) async throws {
        let error = try await error([
            .text("HTTP/1.1 103 Early Hints\r\n\(start)"),
            .sendForever(Array(String(repeating: piece, count: count).utf8)),
        ])
        #expect(error?.kind == .tooLarge, "\(String(describing: error))")
    }

    @Test("interim answers and trailers leave the final answer's fields alone")
    func interim() async throws {
        let steps: [LoopbackServer.Step] = [
            .text(
                "HTTP/1.1 103 Early Hints\r\nX-A: early\r\n\r\nHTTP/1.1 200 OK\r\nX-A: final\r\n"
                    + "X-Folded: one\r\n  two\r\nTransfer-Encoding: chunked\r\n\r\n"
                    + "2\r\nok\r\n0\r\nX-A: trailer\r\n\r\n")
        ]
        try await LoopbackServer.serving({ _ in steps }) { server in
            let transport = CurlTransport()
            let response = try await transport.send(
                HTTPRequest(.get, server.origin, "/", proof: ServerProof(.plain)))
            #expect(response.headers.fields.map(\.value) == ["final", "one two", "chunked"])
            #expect(response.body == Array("ok".utf8))
            await transport.shutdown()
        }
    }

    @Test("after a 500 the connection is not used again")
    func serverError() async throws {
        // What ArgusAI does: an error without Connection: close, then a reset for the next request.
        let script: LoopbackServer.Script = { request in
            switch (request.connection, request.number) {
            case (0, 0): [.answer("500 Internal Server Error", "Internal Server Error")]
            case (0, _): [.reset]
            default: [.answer("200 OK", "x")]
            }
        }
        try await LoopbackServer.serving(script) { server in
            let transport = CurlTransport()
            let request = HTTPRequest(.put, server.origin, "/", proof: ServerProof(.plain))
            let first = try await transport.send(request)
            let second = try await transport.send(request)
            #expect(first.status == 500 && second.status == 200)
            #expect(server.requests.map(\.connection) == [0, 1])
            await transport.shutdown()
        }
    }

    @Test("an idempotent request survives any number of dead pooled connections")
    func deadPool() async throws {
        let everyone = ThreadBarrier(8)
        let script: LoopbackServer.Script = { request in
            // Eight requests at once make eight connections; each dies of its second request.
            if request.number > 0 { return [.reset] }
            if request.connection < 8 { everyone.arrive() }
            return [.answer("200 OK", "x")]
        }
        try await LoopbackServer.serving(script) { server in
            let transport = CurlTransport()
            let request = HTTPRequest(
                .get, server.origin, "/", proof: ServerProof(.plain), deadlines: .unreachable)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<8 { group.addTask { _ = try await transport.send(request) } }
                try await group.waitForAll()
            }
            let response = try await transport.send(request)
            #expect(response.status == 200)
            #expect(server.requests.last?.connection == 8)
            #expect(server.requests.count > 9)
            await transport.shutdown()
        }
    }
}
