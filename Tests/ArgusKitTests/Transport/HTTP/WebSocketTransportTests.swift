import ArgusTestSupport
import Synchronization
import Testing

@testable import ArgusCore
@testable import ArgusTransport

@Suite("a WebSocket over libcurl", .hangLimit)
struct WebSocketTransportTests {
    private func request(
        _ origin: Origin, _ identity: ServerProof.Identity = .plain
    ) -> HTTPRequest {
        var request = HTTPRequest(.get, origin, "/ws", proof: ServerProof(identity))
        request.purpose = .webSocket
        return request
    }

    private func open(_ transport: CurlTransport, _ request: HTTPRequest) async throws -> WebSocket
    {
        WebSocket(try #require(try await transport.send(request).webSocket))
    }

    /// The answer that accepts a handshake, and frames after it.
    private static func accept(
        _ request: LoopbackServer.Request, _ frames: [UInt8] = []
    ) -> LoopbackServer.Step {
        let key = request.header("Sec-WebSocket-Key") ?? ""
        let head = [
            "HTTP/1.1 101 Switching Protocols", "Upgrade: websocket", "Connection: Upgrade",
            "Sec-WebSocket-Accept: \(WebSocketHandshake.acceptance(of: key))", "", "",
        ]
        return .send(Array(head.joined(separator: "\r\n").utf8) + frames)
    }

    private static func text(_ text: String) -> [UInt8] {
        [0x81, UInt8(text.utf8.count)] + text.utf8
    }

    @Test("texts arrive until the server closes, and requests go on beside it")
    func ordinary() async throws {
        let script: LoopbackServer.Script = { request in
            guard request.line.contains("/ws") else { return [.answer("200 OK", "x")] }
            let frames = Self.text("one") + Self.text("two") + [0x88, 0x02, 0x03, 0xE8]
            return [
                Self.accept(request, Array(frames.prefix(7))), .send(Array(frames.dropFirst(7))),
            ]
        }
        try await LoopbackServer.serving(script) { server in
            let transport = CurlTransport()
            let webSocket = try await open(transport, request(server.origin))
            for text in ["one", "two"] {
                // Other connections come and go.
                let other = HTTPRequest(.post, server.origin, "/x", proof: ServerProof(.plain))
                #expect(try await transport.send(other).status == 200)
                #expect(try await webSocket.next() == Array(text.utf8))
            }
            #expect(try await webSocket.next() == nil)
            #expect(webSocket.closure == .normal)
            await transport.shutdown()
        }
    }

    @Test("a whole mebibyte arrives")
    func large() async throws {
        let text = [UInt8](repeating: 0x61, count: 1 << 20)
        let script: LoopbackServer.Script = { request in
            [
                Self.accept(request), .send([0x81, 0x7F, 0, 0, 0, 0, 0, 0x10, 0, 0]), .send(text),
                .close,
            ]
        }
        try await LoopbackServer.serving(script) { server in
            let transport = CurlTransport()
            let webSocket = try await open(transport, request(server.origin))
            #expect(try await webSocket.next() == text)
            let error = await failure { () async throws(TransportError) in
                try await webSocket.next()
            }
            #expect(error?.kind == .connectionLost)
            await transport.shutdown()
        }
    }

    @Test("an answer that refuses the handshake is reported, and a silent server is not waited for")
    func refused() async throws {
        let script: LoopbackServer.Script = { request in
            switch request.line {
            case "GET /status HTTP/1.1": [.answer("403 Forbidden", "no"), .close]
            case "GET /closes HTTP/1.1": [.close]
            case "GET /other HTTP/1.1": [.text("SSH-2.0-server\r\n")]
            default: [.staySilent]
            }
        }
        try await LoopbackServer.serving(script) { server in
            let transport = CurlTransport()
            for (target, kind) in [
                ("/status", TransportError.Kind.upgradeRefused(403)),
                ("/closes", .connectionLost), ("/other", .malformedAnswer),
                ("/silent", .timedOut(.firstByte)),
            ] {
                var request = request(server.origin)
                request.target = target
                if target == "/silent" { request.deadlines.firstByte = .milliseconds(50) }
                let error = await failure { [request] () async throws(TransportError) in
                    try await transport.send(request)
                }
                #expect(error?.kind == kind)
            }
            await transport.shutdown()
        }
    }

    @Test("cancelling a wait closes the connection after a close frame")
    func cancelled() async throws {
        let arrived = Signal()
        let script: LoopbackServer.Script = { request in
            [Self.accept(request, Self.text("a"))]
        }
        let server = try await LoopbackServer.serving(script) { server in
            let transport = CurlTransport()
            let request = request(server.origin)
            let task = Task {
                let webSocket = try await open(transport, request)
                _ = try await webSocket.next()
                arrived.raise()
                return await failure { () async throws(TransportError) in
                    try await webSocket.next()
                }
            }
            await arrived.wait()
            task.cancel()
            let error = try await task.value
            #expect(error?.kind == .cancelled)
            await transport.shutdown()
            return server
        }
        let last = Array(try #require(server.receivedBytes.first).suffix(8))
        #expect(last.prefix(2) == [0x88, 0x82])
        #expect([last[2] ^ last[6], last[3] ^ last[7]] == [0x03, 0xE9])
    }

    @Test("a shutdown ends open WebSockets and refuses others, and a released one ends by itself")
    func shutDown() async throws {
        try await LoopbackServer.serving({ [Self.accept($0)] }) { server in
            let transport = CurlTransport()
            let request = request(server.origin)
            _ = try await open(transport, request)
            let webSocket = try await open(transport, request)
            await transport.shutdown()
            for _ in 0..<2 {
                let error = await failure { () async throws(TransportError) in
                    try await webSocket.next()
                }
                #expect(error?.kind == .cancelled)
            }
            let later = await failure { () async throws(TransportError) in
                try await transport.send(request)
            }
            #expect(later?.kind == .cancelled)
            #expect(later?.nothingSent == true)
        }
    }

    @Test("each moment of a cancellation ends the opening, and none stays waiting")
    func cancelledAtAnyMoment() async throws {
        try await LoopbackServer.serving({ [Self.accept($0, Self.text("a"))] }) { server in
            let transport = CurlTransport()
            var slow = request(server.origin)
            slow.deadlines = .unreachable
            let request = slow
            for round in 0..<60 {
                let task = Task {
                    await failure { () async throws(TransportError) in
                        guard let connection = try await transport.send(request).webSocket else {
                            return
                        }
                        // On a busy machine the yields take longer than a server may be silent.
                        let webSocket = WebSocket(connection, now: { .now + .seconds(86400) })
                        while try await webSocket.next() != nil {}
                    }
                }
                for _ in 0..<round * 3 { await Task.yield() }
                task.cancel()
                #expect(await task.value?.kind == .cancelled)
            }
            await transport.shutdown()
        }
    }

    @Test(
        "no byte of a handshake reaches a server with another key, and the right one is spoken to")
    func proof() async throws {
        let extra = """
            location /ws { proxy_pass http://127.0.0.1:BACKEND; proxy_http_version 1.1;
              proxy_set_header Upgrade $http_upgrade; proxy_set_header Connection upgrade; }
            """
        let script: LoopbackServer.Script = { [Self.accept($0, Self.text("secure"))] }
        try await LoopbackServer.serving(script) { backend in
            let location = extra.replacing("BACKEND", with: String(backend.port))
            try await TLSServer.nginx(location) { server in
                let transport = CurlTransport()
                let wrong = String(repeating: "A", count: 43) + "="
                for identity in [
                    .pin(wrong), ServerProof.Identity.publicCertificate(authorities: nil),
                ] {
                    let request = request(server.origin, identity)
                    let error = await failure { () async throws(TransportError) in
                        try await transport.send(request)
                    }
                    #expect(error?.kind == .identityRefused)
                    #expect(error?.nothingSent == true)
                }
                #expect(backend.receivedBytes.isEmpty)
                let log = try server.folder.text("access.log")
                #expect(log.isEmpty)

                let request = request(server.origin, .pin(server.pin))
                let webSocket = try await open(transport, request)
                #expect(try await webSocket.next() == Array("secure".utf8))
                await webSocket.close()
                await transport.shutdown()
            }
        }
    }

    @Test("an http proxy is asked for a tunnel, also to plain http")
    func proxied() async throws {
        let script: LoopbackServer.Script = { request in
            request.line.hasPrefix("CONNECT")
                ? [.text("HTTP/1.1 200 OK\r\n\r\n")] : [Self.accept(request, Self.text("a"))]
        }
        try await LoopbackServer.serving(script) { proxy in
            let transport = CurlTransport(
                proxies: ProxySettings(environment: [
                    "http_proxy": "http://127.0.0.1:\(proxy.port)"
                ]))
            let origin = Origin(scheme: .http, host: "argus.example", port: 8000)
            let webSocket = try await open(transport, request(origin))
            #expect(try await webSocket.next() == [0x61])
            #expect(
                proxy.requests.map(\.line) == [
                    "CONNECT argus.example:8000 HTTP/1.1", "GET /ws HTTP/1.1",
                ])
            await webSocket.close()
            await transport.shutdown()
        }
    }

    @Test("the trace shows the handshake once, with its status and without secrets")
    func trace() async throws {
        let script: LoopbackServer.Script = { request in
            request.line.contains("/ws")
                ? [Self.accept(request)] : [.answer("404 Not Found"), .close]
        }
        try await LoopbackServer.serving(script) { server in
            let lines = Mutex<[String]>([])
            let trace = HTTPTrace(.summary) { line in lines.withLock { $0.append(line) } }
            let transport = CurlTransport(observation: .init(observer: trace.record))
            _ = try await open(transport, request(server.origin))
            var absent = request(server.origin)
            absent.target = "/no"
            absent.headers = [HTTPHeader("CF-Access", secret: Redacted("relay-secret"))]
            _ = await failure { [absent] () async throws(TransportError) in
                try await transport.send(absent)
            }
            await transport.shutdown()
            let shown = lines.withLock { $0 }
            #expect(shown.count == 2)
            #expect(shown.first?.hasPrefix("GET \(server.origin)/ws: 101, 0 bytes, ") == true)
            #expect(shown.last?.hasPrefix("GET \(server.origin)/no: 404, 0 bytes, ") == true)
            #expect(!shown.joined().contains("relay-secret"))
        }
    }
}
