import ArgusTestSupport
import Testing

@testable import ArgusTransport

@Suite("WebSocket")
struct WebSocketTests {
    private let start = ContinuousClock.now
    private let mask: UInt32 = 0x0102_0304

    /// A WebSocket at which no time passes.
    private func webSocket(_ channel: ScriptedChannel, received: [UInt8] = []) -> WebSocket {
        WebSocket(
            WebSocketConnection(channel, received: received), now: { start }, mask: { mask })
    }

    /// A server's frame of at most 125 bytes.
    private func frame(_ opcode: WebSocketOpcode, _ payload: [UInt8]) -> [UInt8] {
        [0x80 | opcode.rawValue, UInt8(payload.count)] + payload
    }

    private func text(_ text: String) -> [UInt8] { frame(.text, Array(text.utf8)) }

    private func close(_ code: UInt16) -> [UInt8] {
        WebSocketFrame.encode(.close, WebSocketClosure(code: code).payload, mask: mask)
    }

    @Test("texts come in order, those that arrived with the handshake first")
    func texts() async throws {
        let channel = ScriptedChannel([.bytes(text("two") + text("three")), .bytes(text("four"))])
        let webSocket = webSocket(channel, received: text("one"))
        for expected in ["one", "two", "three", "four"] {
            let text = try await webSocket.next()
            #expect(text == Array(expected.utf8))
        }
        // Nothing is read before it is asked for.
        #expect(channel.deadlines.count == 2)
        #expect(channel.end == nil)
    }

    @Test("pings are answered, the text one as well, and not handed on")
    func pings() async throws {
        let noise = frame(.binary, [0xFF]) + frame(.pong, [])
        let channel = ScriptedChannel([
            .bytes(frame(.ping, [1, 2]) + noise + text("ping") + text("pong")), .bytes(text("x")),
        ])
        let webSocket = webSocket(channel)
        #expect(try await webSocket.next() == Array("pong".utf8))
        #expect(
            channel.written == [
                WebSocketFrame.encode(.pong, [1, 2], mask: mask),
                WebSocketFrame.encode(.text, Array("pong".utf8), mask: mask),
            ])
        #expect(try await webSocket.next() == Array("x".utf8))
    }

    @Test("each read waits until 75 s after the last byte, and silence is a failure for good")
    func silence() async throws {
        let channel = ScriptedChannel([.bytes(text("a"))])
        var now = start
        let webSocket = WebSocket(
            WebSocketConnection(channel), now: { now }, mask: { mask })
        now += .seconds(10)
        _ = try await webSocket.next()
        now += .seconds(20)
        for _ in 0..<2 {
            let error = await failure { () async throws(TransportError) in
                try await webSocket.next()
            }
            #expect(error?.kind == .timedOut(.idle))
            #expect(error?.detail == "no byte for 75 s")
        }
        #expect(channel.deadlines == [start + .seconds(75), start + .seconds(85)])
        #expect(channel.end == close(1001))
    }

    @Test("a server's close frame is answered by the same code, and is the end")
    func serverCloses() async throws {
        let bytes = frame(.close, [0x03, 0xF4] + Array("later".utf8))
        let channel = ScriptedChannel([.bytes(text("a") + bytes + text("b"))])
        let webSocket = webSocket(channel)
        #expect(try await webSocket.next() == [0x61])
        #expect(webSocket.closure == nil)
        for _ in 0..<2 { #expect(try await webSocket.next() == nil) }
        #expect(webSocket.closure == WebSocketClosure(code: 1012, reason: "later"))
        #expect(channel.end == close(1012))

        let bare = ScriptedChannel([.bytes(frame(.close, []))])
        #expect(try await self.webSocket(bare).next() == nil)
        #expect(bare.end == WebSocketFrame.encode(.close, [], mask: mask))
    }

    @Test("an end without a close frame is a lost connection")
    func lost() async throws {
        for step in [
            ScriptedChannel.Step.bytes([]),
            .failure(TransportError(.connectionLost, "connection reset by peer")),
        ] {
            let channel = ScriptedChannel([.bytes([0x81, 0x05, 0x61]), step])
            let webSocket = webSocket(channel)
            let error = await failure { () async throws(TransportError) in
                try await webSocket.next()
            }
            #expect(error?.kind == .connectionLost)
            #expect(channel.end != nil)
        }
    }

    @Test(
        "a server that breaks the protocol receives the code, and the texts before it count",
        arguments: [
            ([0xC1, 0x00], 1002, TransportError.Kind.malformedAnswer),
            ([0x81, 0x01, 0xFF], 1007, .malformedAnswer),
            ([0x81, 0x7F, 0, 0, 0, 0, 0, 0x10, 0, 1], 1009, .tooLarge),
        ] as [([UInt8], UInt16, TransportError.Kind)])
    func breach(bytes: [UInt8], code: UInt16, kind: TransportError.Kind) async throws {
        let channel = ScriptedChannel([.bytes(text("a") + bytes)])
        let webSocket = webSocket(channel)
        #expect(try await webSocket.next() == [0x61])
        let error = await failure { () async throws(TransportError) in try await webSocket.next() }
        #expect(error?.kind == kind)
        #expect(error?.detail.hasPrefix("the server breaks the WebSocket protocol: ") == true)
        #expect(channel.end == close(code))
    }

    @Test("closing sends one close frame and waits two seconds for the server's")
    func clientCloses() async throws {
        for steps in [
            [.bytes(text("a") + frame(.ping, [])), .bytes(frame(.close, [0x03, 0xE8]))],
            [.bytes([])], [], [.bytes([0xFF, 0x00])],
        ] as [[ScriptedChannel.Step]] {
            let channel = ScriptedChannel(steps)
            let webSocket = webSocket(channel)
            await webSocket.close()
            await webSocket.close()
            #expect(channel.written == [close(1000)])
            #expect(channel.deadlines.allSatisfy { $0 == start + .seconds(2) })
            #expect(channel.deadlines.count == max(1, steps.count))
            #expect(channel.end == [])
            #expect(try await webSocket.next() == nil)
        }
    }
}
