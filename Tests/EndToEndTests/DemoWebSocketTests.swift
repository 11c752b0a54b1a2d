import NIOConcurrencyHelpers
import Testing

@testable import argus_demo

/// The WebSocket of today's server.
@Suite(.waitsForPrograms)
struct DemoWebSocketTests {
    private let upgrade =
        "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"

    private func withServer(_ more: String..., body: (Server) throws -> Void) throws {
        let options = try Options(["--events", "0", "--rate", "0"] + more)
        let server = try Server(options, port: 0)
        defer { server.stop() }
        try body(server)
    }

    private func connect(_ server: Server) throws -> DemoWire {
        let wire = try #require(DemoWire(port: server.port))
        wire.get("/ws", headers: upgrade)
        let answer = try #require(wire.answer())
        #expect(answer.head.hasPrefix("HTTP/1.1 101 Switching Protocols\r\n"))
        // The example of RFC 6455, section 1.3.
        #expect(answer.head.contains("Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n"))
        return wire
    }

    /// Sends a masked frame, as clients must (RFC 6455, section 5.2).
    private func send(_ opcode: UInt8, _ payload: String, to wire: DemoWire) {
        let mask: [UInt8] = [1, 2, 3, 4]
        let bytes = payload.utf8.enumerated().map { $0.element ^ mask[$0.offset % 4] }
        wire.send([0x80 | opcode, 0x80 | UInt8(bytes.count)] + mask + bytes)
    }

    /// A frame's opcode and payload.
    private func frame(_ wire: DemoWire) -> (opcode: UInt8, text: String)? {
        let head = wire.read(2).bytes
        guard head.count == 2 else { return nil }
        var count = Int(head[1])
        if count == 126 {
            let length = wire.read(2).bytes
            guard length.count == 2 else { return nil }
            count = Int(length[0]) << 8 | Int(length[1])
        }
        return (head[0] & 0x0F, String(decoding: wire.read(count).bytes, as: UTF8.self))
    }

    @Test("a text ping is answered by a text pong, a protocol ping by its own")
    func answersPings() throws {
        try withServer { server in
            let wire = try connect(server)
            send(1, "hello", to: wire)
            send(1, "ping", to: wire)
            let text = try #require(frame(wire))
            #expect(text == (1, "pong"))
            send(9, "abc", to: wire)
            let pong = try #require(frame(wire))
            #expect(pong == (10, "abc"))
        }
    }

    @Test("a new event is announced in the envelope, by a post and by itself")
    func announcesEvents() throws {
        try withServer { server in
            let wire = try connect(server)
            send(1, "ping", to: wire)
            #expect(frame(wire)?.text == "pong")
            server.service.recordEvent()
            let text = try #require(frame(wire)?.text)
            #expect(text.hasPrefix("{\"type\": \"NEW_EVENT\", \"data\": {\"event_id\": \""))
            let message = try JSONReader.read(Array(text.utf8))
            #expect(message["timestamp"]?.string?.hasSuffix("+00:00") == true)
            let id = server.service.withState { $0.events.rows.last?.id.text }
            #expect(message["data"]?["event_id"] == JSON(id))

            let description = String(repeating: "ab", count: 80)
            let event: JSON = [
                "camera_id": "nope", "timestamp": "2026-11-20", "confidence": 1,
                "description": .text(description), "objects_detected": ["person"],
            ]
            let posted = Request(
                method: .POST, target: "/api/v1/events",
                headers: [
                    ("content-type", "application/json"),
                    ("authorization", "Bearer \(token(server))"),
                ], body: event.bytes(), now: .now)
            #expect(server.service.answer(posted).status == 201)
            let second = try JSONReader.read(Array(try #require(frame(wire)?.text).utf8))
            #expect(second["data"]?["description"]?.string?.count == 100)
        }
    }

    @Test("a binary frame ends the connection without a close frame, a close frame with one")
    func endsConnections() throws {
        try withServer { server in
            let binary = try connect(server)
            send(2, "x", to: binary)
            #expect(binary.readAll().bytes.isEmpty)
            let polite = try connect(server)
            send(8, "", to: polite)
            #expect(frame(polite)?.opcode == 8)
            #expect(polite.read(1).end == .closed)
        }
    }

    @Test("other paths refuse the handshake, and a plain GET finds nothing")
    func refusesOtherPaths() throws {
        try withServer { server in
            for path in ["/ws/", "/api/v1/ws"] {
                let wire = try #require(DemoWire(port: server.port))
                wire.get(path, headers: upgrade)
                #expect(wire.answer()?.head.hasPrefix("HTTP/1.1 403 Forbidden\r\n") == true)
            }
            let plain = try #require(DemoWire(port: server.port))
            plain.get("/ws")
            #expect(plain.answer()?.head.hasPrefix("HTTP/1.1 404 Not Found\r\n") == true)
        }
    }

    /// Connects and waits until the server has taken the client.
    private func follow(_ server: Server) throws -> DemoWire {
        let wire = try connect(server)
        send(1, "ping", to: wire)
        #expect(frame(wire)?.text == "pong")
        return wire
    }

    @Test("an event that is not announced is stored all the same")
    func leavesOut() throws {
        try withServer("--unannounced", "100") { server in
            let wire = try follow(server)
            server.service.recordEvent()
            #expect(server.service.withState { $0.events.rows.count } == 1)
            send(1, "ping", to: wire)
            #expect(frame(wire)?.text == "pong")
        }
    }

    @Test("a dropped stream ends without a close frame, and another one can be opened")
    func drops() throws {
        try withServer { server in
            let wire = try follow(server)
            server.strike(.drop)
            #expect(wire.read(1).end == .closed)
            _ = try follow(server)
        }
    }

    @Test("a silenced stream stays open and gets nothing any more; the next one is as ever")
    func silences() throws {
        try withServer { server in
            let silent = try follow(server)
            server.strike(.silence)
            let other = try follow(server)
            send(1, "ping", to: silent)
            server.service.recordEvent()
            #expect(frame(other)?.text.contains("NEW_EVENT") == true)
            #expect(silent.isQuiet)
            server.strike(.drop)
            #expect(silent.read(1).end == .closed)
        }
    }

    @Test("garbage is a reserved bit or a text that is not UTF-8")
    func sendsGarbage() throws {
        try withServer { server in
            let wire = try follow(server)
            var heads: Set<[UInt8]> = []
            for _ in 0..<64 {
                server.strike(.garbage)
                let head = wire.read(2).bytes
                let payload = wire.read(Int(head[1])).bytes
                let isText = String(validating: payload, as: UTF8.self) != nil
                #expect(head[0] == 0xC1 || !isText)
                heads.insert(head)
            }
            let reservedBit: [UInt8] = [0xC1, 7]
            let badText: [UInt8] = [0x81, 2]
            #expect(heads == [reservedBit, badText])
        }
    }

    @Test("a restart ends every connection, and takes none for a while")
    func restarts() throws {
        try withServer { server in
            let stream = try follow(server)
            let idle = try #require(DemoWire(port: server.port))
            idle.get("/health")
            #expect(idle.answer() != nil)
            server.strike(.restart)
            #expect(stream.read(1).end == .closed)
            #expect(idle.read(1).end == .closed)
            func isAnswered() throws -> Bool {
                let wire = try #require(DemoWire(port: server.port))
                wire.get("/health")
                return wire.answer() != nil
            }
            while try !isAnswered() {}
            server.service.isRestarting.withLockedValue { $0 = true }
            #expect(try !isAnswered())
        }
    }

    private func token(_ server: Server) -> String {
        server.service.withState { state in
            state.accessToken(for: state.accounts.users[0], now: .now)
        }
    }
}
