import ArgusTestSupport
import Synchronization
import Testing

@testable import ArgusCore
@testable import ArgusTransport

@Suite("requests over libcurl", .hangLimit)
struct CurlTransportTests {
    private let plain = ServerProof(.plain)

    @Test("a GET carries its header fields and brings status, fields and body")
    func ordinaryGet() async throws {
        let script: LoopbackServer.Script = { _ in
            [.answer("418 Teapot", headers: ["X-One: 1 ", "x-two:2", "X-One: 3"], "hé")]
        }
        try await LoopbackServer.serving(script) { server in
            let transport = CurlTransport()
            let request = HTTPRequest(
                .get, server.origin, "/a/../b%20c?x=%2B",
                headers: [
                    HTTPHeader("Authorization", secret: Redacted("Bearer abc")),
                    HTTPHeader("X-Empty", ""),
                ], proof: plain)
            let response = try await transport.send(request)
            #expect(response.status == 418)
            #expect(response.headers["x-one"] == "1")
            #expect(response.headers["X-Two"] == "2")
            #expect(
                response.headers.fields.map(\.name) == [
                    "X-One", "x-two", "X-One", "Content-Length",
                ])
            #expect(response.body == Array("hé".utf8))
            #expect(response.duration > .zero)

            let received = try #require(server.requests.first)
            #expect(received.line == "GET /a/../b%20c?x=%2B HTTP/1.1")
            #expect(received.header("Authorization") == "Bearer abc")
            #expect(received.header("X-Empty") == "")
            #expect(received.header("Host") == "127.0.0.1:\(server.port)")
            #expect(received.header("Content-Type") == nil)
            #expect(received.header("Cookie") == nil)
            #expect(received.header("Accept-Encoding")?.contains("gzip") == true)
            await transport.shutdown()
        }
    }

    @Test(
        "each method sends its line, its length and its body, and no Expect",
        arguments: [
            (HTTPRequest.Method.post, "post" as String?), (.post, nil), (.put, "put"), (.put, nil),
            (.patch, "patch"), (.delete, "delete"), (.delete, nil),
        ])
    func methods(method: HTTPRequest.Method, body: String?) async throws {
        try await LoopbackServer.serving({ _ in [.answer("204 No Content")] }) { server in
            let transport = CurlTransport()
            // Past 1 MB libcurl would ask for a 100 (Continue) first.
            let bytes = body.map { Array(String(repeating: $0, count: 400_000).utf8) }
            let request = HTTPRequest(
                method, server.origin, "/x",
                body: bytes.map { .init(bytes: $0, contentType: "application/json") }, proof: plain)
            let response = try await transport.send(request)
            #expect(response.status == 204)
            let received = try #require(server.requests.first)
            #expect(received.line == "\(method.rawValue) /x HTTP/1.1")
            #expect(received.body == bytes ?? [])
            #expect(received.header("Expect") == nil)
            #expect(received.header("Content-Type") == (body == nil ? nil : "application/json"))
            let length = bytes.map { String($0.count) } ?? (method == .delete ? nil : "0")
            #expect(received.header("Content-Length") == length)
            await transport.shutdown()
        }
    }

    @Test("a HEAD has no body whatever length is announced")
    func head() async throws {
        let script: LoopbackServer.Script = { _ in
            [.text("HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n")]
        }
        try await LoopbackServer.serving(script) { server in
            let transport = CurlTransport()
            let response = try await transport.send(
                HTTPRequest(.head, server.origin, "/", proof: plain))
            #expect(response.status == 200 && response.body.isEmpty)
            await transport.shutdown()
        }
    }

    @Test("50 concurrent requests each get their own answer")
    func concurrent() async throws {
        let script: LoopbackServer.Script = { [.answer("200 OK", $0.line)] }
        try await LoopbackServer.serving(script) { server in
            let transport = CurlTransport()
            let requests = (0..<50).map {
                HTTPRequest(.get, server.origin, "/\($0)", proof: ServerProof(.plain))
            }
            try await withThrowingTaskGroup(of: (Int, HTTPResponse).self) { group in
                for (index, request) in requests.enumerated() {
                    group.addTask { (index, try await transport.send(request)) }
                }
                var count = 0
                for try await (index, response) in group {
                    #expect(response.body == Array("GET /\(index) HTTP/1.1".utf8))
                    count += 1
                }
                #expect(count == 50)
            }
            await transport.shutdown()
        }
    }

    @Test("requests one after the other share a connection, but a POST has its own")
    func connectionReuse() async throws {
        try await LoopbackServer.serving({ _ in [.answer("200 OK", "x")] }) { server in
            let transport = CurlTransport()
            for method in [HTTPRequest.Method.get, .get, .post, .get] {
                var request = HTTPRequest(method, server.origin, "/", proof: plain)
                request.deadlines.pooled = .seconds(600)
                _ = try await transport.send(request)
            }
            let connections = server.requests.map(\.connection)
            #expect(connections[0] == 0 && connections[1] == 0)
            #expect(connections[2] == 1)
            #expect(Set(connections).count == 2)
            await transport.shutdown()
        }
    }

    @Test("a streamed body arrives in order, and only that of a 2xx answer")
    func streaming() async throws {
        let body = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let script: LoopbackServer.Script = { request in
            [.answer(request.line.contains("/bad") ? "404 Not Found" : "200 OK", bytes: body)]
        }
        try await LoopbackServer.serving(script) { server in
            let transport = CurlTransport()
            let received = Mutex<[UInt8]>([])
            let receive: @Sendable (UnsafeRawBufferPointer) -> Bool = { bytes in
                received.withLock { $0 += bytes }
                return true
            }
            let good = try await transport.send(
                HTTPRequest(.get, server.origin, "/good", proof: plain), receive: receive)
            #expect(good.status == 200 && good.body.isEmpty)
            #expect(received.withLock { $0 } == body)
            let bad = try await transport.send(
                HTTPRequest(.get, server.origin, "/bad", proof: plain), receive: receive)
            #expect(bad.status == 404 && bad.body == body)
            #expect(received.withLock { $0.count } == body.count)
            await transport.shutdown()
        }
    }

    @Test("a receiver that returns false ends the transfer")
    func receiverStops() async throws {
        let piece = [UInt8](repeating: 65, count: 10_000)
        let script: LoopbackServer.Script = { _ in
            [.text("HTTP/1.1 200 OK\r\n\r\n"), .sendForever(piece)]
        }
        try await LoopbackServer.serving(script) { server in
            let transport = CurlTransport()
            let error = await failure { () async throws(TransportError) in
                try await transport.send(
                    HTTPRequest(.get, server.origin, "/", proof: plain), receive: { _ in false })
            }
            #expect(error?.kind == .receiverStopped)
            await transport.shutdown()
        }
    }

    @Test("a gzip body is unpacked, and its limit counts unpacked bytes")
    func gzip() async throws {
        // printf hello | gzip -n
        let packed: [UInt8] = [
            0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 0xCB, 0x48, 0xCD, 0xC9, 0xC9, 7, 0, 0x86, 0xA6,
            0x10, 0x36, 5, 0, 0, 0,
        ]
        let script: LoopbackServer.Script = { request in
            let broken = [UInt8](repeating: 0x55, count: 40)
            return [
                .answer(
                    headers: ["Content-Encoding: gzip"],
                    bytes: request.line.contains("/broken") ? broken : packed)
            ]
        }
        try await LoopbackServer.serving(script) { server in
            let transport = CurlTransport()
            var request = HTTPRequest(.get, server.origin, "/", proof: plain)
            let unpacked = try await transport.send(request)
            #expect(unpacked.body == Array("hello".utf8))

            var tight = request
            tight.limits.body = 4
            let tooLarge = await failure { [tight] () async throws(TransportError) in
                try await transport.send(tight)
            }
            #expect(tooLarge?.kind == .tooLarge)

            request.target = "/broken"
            let broken = await failure { [request] () async throws(TransportError) in
                try await transport.send(request)
            }
            #expect(broken?.kind == .truncatedBody)
            await transport.shutdown()
        }
    }

    @Test("localhost is this machine by IPv4 and IPv6, without a look-up")
    func localhost() async throws {
        try await LoopbackServer.serving({ _ in [.answer("200 OK", "x")] }) { server in
            let transport = CurlTransport()
            for host in ["localhost", "argus.localhost"] {
                let origin = Origin(scheme: .http, host: host, port: server.port)
                let response = try await transport.send(
                    HTTPRequest(.get, origin, "/", proof: plain))
                #expect(response.status == 200)
            }
            #expect(server.requests.last?.header("Host") == "argus.localhost:\(server.port)")
            await transport.shutdown()
        }
    }

    @Test("a transport that is let go ends its thread")
    func letGo() async throws {
        try await LoopbackServer.serving({ _ in [.answer("200 OK", "x")] }) { server in
            weak var observer: Signal?
            do {
                let witness = Signal()
                observer = witness
                let transport = CurlTransport(
                    observation: TransferObservation { [witness] _ in witness.raise() })
                _ = try await transport.send(HTTPRequest(.get, server.origin, "/", proof: plain))
            }
            // The thread holds the last reference to the observer.
            let start = ContinuousClock.now
            while observer != nil, ContinuousClock.now - start < .seconds(20) { await Task.yield() }
            #expect(observer == nil)
        }
    }

    @Test("a libcurl that is missing is reported with the package to install")
    func missingLibrary() {
        #expect {
            try CurlLibrary(opening: "libargus-does-not-exist.so.4")
        } throws: { error in
            let error = error as? TransportError
            return error?.kind == .libraryMissing && error?.nothingSent == true
                && error?.detail.contains("install the package 'libcurl4'") == true
        }
        #expect {
            try CurlLibrary(opening: "libc.so.6")
        } throws: { error in
            (error as? TransportError)?.detail.contains("libc.so.6 lacks curl_easy_setopt") == true
        }
    }
}
