import ArgusCore

/// A connection on which server and client have agreed to speak WebSocket.
package struct WebSocketConnection: Sendable {
    package var channel: any ByteChannel
    /// The bytes that arrived with the answer to the handshake.
    package var received: [UInt8]

    package init(_ channel: any ByteChannel, received: [UInt8] = []) {
        self.channel = channel
        self.received = received
    }
}

/// A client's end of a WebSocket that receives texts (RFC 6455).
///
/// One task uses it. Nothing is read between the calls of `next`, so that a server waits for a slow
/// client, and memory holds one message. Releasing it, or cancelling a call, closes the connection.
package final class WebSocket {
    /// The longest time without a byte; today's server sends a text each 30 s.
    package static let longestSilence = Duration.seconds(75)
    /// The longest wait for a server's part of a closing handshake.
    package static let longestClosing = Duration.seconds(2)

    private let channel: any ByteChannel
    private let now: () -> ContinuousClock.Instant
    private let makeMask: () -> UInt32
    private var decoder = WebSocketDecoder()
    /// The time of the last byte.
    private var lastByteAt: ContinuousClock.Instant
    private var isOver = false
    private var failure: TransportError?
    /// The reason that the server gave for its end; nil while it has not ended.
    package private(set) var closure: WebSocketClosure?

    /// Begins with the silence after a handshake.
    package init(
        _ connection: WebSocketConnection,
        now: @escaping () -> ContinuousClock.Instant = { .now },
        mask: @escaping () -> UInt32 = { .random(in: 0 ... .max) }
    ) {
        channel = connection.channel
        self.now = now
        makeMask = mask
        lastByteAt = now()
        decoder.append(connection.received)
        channel.setFarewell(frame(.close, WebSocketClosure.goingAway.payload))
    }

    /// Receives the next text, valid UTF-8 of at most 1 MiB; nil once the server has closed.
    ///
    /// Answers pings, and the text `ping` by `pong`; ignores binary messages.
    /// - Throws: `.malformedAnswer` or `.tooLarge` for a server that breaks the protocol,
    ///   `.timedOut(.idle)` after 75 s of silence, `.connectionLost`, `.cancelled`; again at each
    ///   later call.
    package func next() async throws(TransportError) -> [UInt8]? {
        if let failure { throw failure }
        do throws(TransportError) {
            while !isOver {
                switch try event() {
                case .text(let text) where text.elementsEqual("ping".utf8):
                    try await write(.text, Array("pong".utf8))
                case .text(let text): return text
                case .ping(let payload): try await write(.pong, payload)
                case .binary, .pong: break
                case .close(let closure): end(by: closure)
                case nil: try await read(until: lastByteAt + Self.longestSilence)
                }
            }
            return nil
        } catch {
            throw fail(error)
        }
    }

    /// Closes the connection, after a closing handshake if the server takes part in it at once.
    package func close() async {
        guard !isOver else { return }
        isOver = true
        let deadline = now() + Self.longestClosing
        channel.setFarewell([])
        do throws(TransportError) {
            try await channel.write(frame(.close, WebSocketClosure.normal.payload), until: deadline)
            while closure == nil {
                switch try event() {
                case .close(let closure): self.closure = closure
                case nil: try await read(until: deadline)
                default: break
                }
            }
        } catch {
            // A server that does not answer has the close frame all the same.
        }
        channel.close()
    }

    /// Decodes an event; a server that breaks the protocol receives the reason, unless a close frame
    /// has left.
    private func event() throws(TransportError) -> WebSocketDecoder.Incoming? {
        do throws(WebSocketViolation) {
            return try decoder.next()
        } catch {
            let last = WebSocketClosure(code: error.code).payload
            if !isOver { channel.setFarewell(frame(.close, last)) }
            throw TransportError(
                error.code == 1009 ? .tooLarge : .malformedAnswer,
                "the server breaks the WebSocket protocol: \(error.detail)")
        }
    }

    private func read(until deadline: ContinuousClock.Instant) async throws(TransportError) {
        let bytes = try await channel.read(until: deadline)
        guard !bytes.isEmpty else {
            throw TransportError(.connectionLost, "the server closed the connection")
        }
        lastByteAt = now()
        decoder.append(bytes)
    }

    private func write(_ opcode: WebSocketOpcode, _ payload: [UInt8]) async throws(TransportError) {
        try await channel.write(frame(opcode, payload), until: now() + Self.longestSilence)
    }

    private func frame(_ opcode: WebSocketOpcode, _ payload: [UInt8]) -> [UInt8] {
        WebSocketFrame.encode(opcode, payload, mask: makeMask())
    }

    /// Answers the server's close frame by one with the same code (RFC 6455, section 5.5.1).
    private func end(by closure: WebSocketClosure) {
        self.closure = closure
        isOver = true
        channel.setFarewell(frame(.close, WebSocketClosure(code: closure.code).payload))
        channel.close()
    }

    private func fail(_ error: TransportError) -> TransportError {
        var error = error
        if error.kind == .timedOut(.idle) {
            error.detail = "no byte for \(Self.longestSilence.words)"
        }
        (failure, isOver) = (error, true)
        channel.close()
        return error
    }
}
