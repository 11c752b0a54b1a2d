import ArgusCore
import ArgusTestSupport
import ArgusTransport
import Synchronization
import Testing

@Suite("traces", .hangLimit)
struct TraceTests {
    private let secrets = [
        "s3cret-bearer", "s3cret-key", "s3cret-query", "s3cret-cookie", "s3cret-body",
        "s3cret-device", "s3cret-location", "s3cret-answer",
    ]

    /// The lines that a trace writes for one request.
    private func lines(
        _ detail: HTTPTrace.Detail, _ steps: [LoopbackServer.Step]
    ) async throws -> (lines: [String], port: UInt16) {
        try await LoopbackServer.serving({ _ in steps }) { server in
            let lines = Mutex<[String]>([])
            let trace = HTTPTrace(detail) { line in lines.withLock { $0.append(line) } }
            let transport = CurlTransport(
                observation: TransferObservation(observer: trace.record))
            let request = HTTPRequest(
                .post, server.origin, "/a?limit=2&token=s3cret-query&Signature=s3cret-query",
                headers: [
                    HTTPHeader("Authorization", secret: Redacted("Bearer s3cret-bearer")),
                    HTTPHeader("X-Relay", secret: Redacted("s3cret-device")),
                    HTTPHeader("X-API-Key", "s3cret-key"), HTTPHeader("Accept", "text/plain"),
                ],
                body: .init(
                    bytes: Array(#"{"password":"s3cret-body"}"#.utf8),
                    contentType: "application/json"),
                proof: ServerProof(.plain))
            _ = await failure { () async throws(TransportError) in
                try await transport.send(request)
            }
            await transport.shutdown()
            return (lines.withLock { $0 }, server.port)
        }
    }

    private let answer = LoopbackServer.Step.answer(
        "201 Created",
        headers: [
            "Set-Cookie: access_token=s3cret-cookie", "X-Refresh-Token: s3cret-answer",
            "Location: /b?code=s3cret-location&x=1", "Content-Type: application/json",
        ], #"{"access_token":"s3cret-answer"}"#)

    @Test("everything is written but secrets: fields, query values, cookies and bodies")
    func full() async throws {
        let (lines, port) = try await lines(.full, [answer])
        let timings = try #require(lines.last)
        #expect(
            lines.dropLast() == [
                "#1 > POST http://127.0.0.1:\(port)/a?limit=2&token=<redacted>&Signature=<redacted>",
                "#1 > Authorization: <redacted>", "#1 > X-Relay: <redacted>",
                "#1 > X-API-Key: <redacted>", "#1 > Accept: text/plain",
                "#1 > body: 26 bytes of application/json", "#1 < HTTP/1.1 201",
                "#1 < Set-Cookie: <redacted>", "#1 < X-Refresh-Token: <redacted>",
                "#1 < Location: /b?code=<redacted>&x=1", "#1 < Content-Type: application/json",
                "#1 < Content-Length: 32", "#1 < body: 32 bytes of application/json",
            ])
        #expect(timings.hasPrefix("#1 * 32 bytes received, "))
        #expect(timings.hasSuffix(" from 127.0.0.1:\(port)"))
        for secret in secrets { #expect(!lines.joined().contains(secret)) }
    }

    @Test("a summary is one line for each request, whatever became of it")
    func summary() async throws {
        let (good, port) = try await lines(.summary, [answer])
        let url = "http://127.0.0.1:\(port)/a?limit=2&token=<redacted>&Signature=<redacted>"
        #expect(good.count == 1)
        #expect(good.first?.hasPrefix("POST \(url): 201, 32 bytes, ") == true)
        let (bad, _) = try await lines(.summary, [.reset])
        #expect(bad.count == 1)
        #expect(bad.first?.contains(": connection reset by peer, ") == true)
    }

    @Test("bodies are described by the function that is given")
    func bodies() async throws {
        try await LoopbackServer.serving({ _ in [.answer("200 OK", "abc")] }) { server in
            let bodies = Mutex<[String?]>([])
            let observation = TransferObservation(
                describeBody: { type, bytes in "\(type ?? "?") \(bytes)" },
                observer: { event in
                    switch event {
                    case .started(_, let start): bodies.withLock { $0.append(start.body) }
                    case .finished(_, let end): bodies.withLock { $0.append(end.body) }
                    default: break
                    }
                })
            let transport = CurlTransport(observation: observation)
            let request = HTTPRequest(.get, server.origin, "/", proof: ServerProof(.plain))
            _ = try await transport.send(request)
            _ = try await transport.send(request, receive: { _ in true })
            #expect(
                bodies.withLock { $0 } == [nil, "? [97, 98, 99]", nil, "3 bytes of unknown type"])
            await transport.shutdown()
        }
    }

    @Test("timings show the phases, the address and whether a connection is reused")
    func timings() async throws {
        try await LoopbackServer.serving({ _ in [.answer("200 OK", "abc")] }) { server in
            let timings = Mutex<[TransferEvent.Timings]>([])
            let transport = CurlTransport(
                observation: TransferObservation { event in
                    if case .finished(_, let end) = event {
                        timings.withLock { $0.append(end.timings) }
                    }
                })
            var request = HTTPRequest(.get, server.origin, "/", proof: ServerProof(.plain))
            request.deadlines.pooled = .seconds(600)
            _ = try await transport.send(request)
            _ = try await transport.send(request)
            let seen = timings.withLock { $0 }
            #expect(seen.map(\.reusedConnection) == [false, true])
            #expect(seen.allSatisfy { $0.remoteAddress == "127.0.0.1:\(server.port)" })
            #expect(seen.allSatisfy { $0.firstByte > .zero && $0.firstByte <= $0.total })
            #expect(seen[0].connected > .zero && seen[0].secured == .zero)
            await transport.shutdown()
        }
    }

    @Test(
        "requests that cannot be written as HTTP are refused, and no value is repeated",
        arguments: [
            ("/a b", "X", "s3cret"), ("a", "X", "s3cret"), ("", "X", "s3cret"),
            ("/ä", "X", "s3cret"), ("/a#b", "X", "s3cret"), ("/a\r\nX: y", "X", "s3cret"),
            ("/a", "", "s3cret"), ("/a", "X Y", "s3cret"), ("/a", "X:", "s3cret"),
            ("/a", "X", "s3cret\r\nY: z"), ("/a", "X", "s3cret\0"), ("/a", "X", "s3cret\u{7F}"),
        ])
    func injection(target: String, name: String, value: String) async throws {
        try await LoopbackServer.serving({ _ in [.answer("200 OK")] }) { server in
            let transport = CurlTransport()
            let request = HTTPRequest(
                .get, server.origin, target,
                headers: [HTTPHeader(name, secret: Redacted(value))], proof: ServerProof(.plain))
            let error = await failure { () async throws(TransportError) in
                try await transport.send(request)
            }
            #expect(error?.kind == .invalidRequest)
            #expect(error?.nothingSent == true)
            #expect(error?.detail.contains("s3cret") == false)
            #expect(server.receivedBytes.isEmpty)
            await transport.shutdown()
        }
    }

    @Test(
        "a host that would name another server is refused",
        arguments: ["a@b", "a/b", "a?b", "a#b", "a b", "", "A", "a:1", "a\0b", "[::1]", "127.1"])
    func malformedHost(host: String) async throws {
        let transport = CurlTransport()
        let origin = Origin(scheme: .http, host: host, port: 80)
        let error = await failure { () async throws(TransportError) in
            try await transport.send(HTTPRequest(.get, origin, "/", proof: ServerProof(.plain)))
        }
        #expect(error?.kind == .invalidRequest)
        await transport.shutdown()
    }
}
