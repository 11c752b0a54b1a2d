import Glibc
import NIOCore

/// Sends an answer with a fault.
struct FaultyDelivery {
    var answer: Answer
    var context: ChannelHandlerContext

    /// Sends the answer; `isGiven` runs after a complete answer to a client that may send another
    /// request.
    func send(_ delivery: Fault.Delivery, isGiven: @escaping () -> Void) {
        let body = answer.bytes
        let head = Wire.head(answer, length: body.readableBytes, now: .now)
        switch delivery {
        case .silent: break
        case .whole:
            write(head)
            write(body)
            isGiven()
        case .reset: reset()
        case .garbage:
            write(ByteBuffer(bytes: (0..<512).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ 129) }))
            context.close(promise: nil)
        case .truncated(let count):
            write(head)
            write(body.getSlice(at: 0, length: min(count, body.readableBytes)) ?? body)
            context.close(promise: nil)
        case .dripped(let rate):
            write(head)
            drip(body, rate, isGiven)
        case .endless:
            // An open-ended body announces no length.
            var endless = answer
            endless.headers.append(("connection", "close"))
            endless.isChunked = true
            write(Wire.head(endless, length: nil, now: .now))
            var much = body
            if much.readableBytes == 0 { much.writeStaticString(" ") }
            while much.readableBytes < 1 << 16 { much.writeImmutableBuffer(much) }
            repeatForever(Wire.chunk(much))
        }
    }

    private func write(_ bytes: ByteBuffer) {
        context.writeAndFlush(NIOAny(bytes), promise: nil)
    }

    /// Closes with a reset, so that the peer's next read fails.
    private func reset() {
        let lingering = linger(l_onoff: 1, l_linger: 0)
        guard let socket = context.channel as? any SocketOptionProvider else { return }
        let context = context
        socket.setSoLinger(lingering).assumeIsolated().whenComplete { _ in
            context.close(promise: nil)
        }
    }

    /// Sends a tenth of the rate every tenth of a second, or single bytes at lower rates.
    private func drip(_ body: ByteBuffer, _ rate: Int, _ isGiven: @escaping () -> Void) {
        var rest = body
        guard context.channel.isActive else { return }
        guard rest.readableBytes > 0 else { return isGiven() }
        let count = min(max(rate / 10, 1), rest.readableBytes)
        if let part = rest.readSlice(length: count) { write(part) }
        let remaining = rest
        context.eventLoop.assumeIsolated().scheduleTask(
            in: .nanoseconds(1_000_000_000 * Int64(count) / Int64(rate))
        ) {
            drip(remaining, rate, isGiven)
        }
    }

    /// Sends a chunk again and again until the client closes.
    private func repeatForever(_ chunk: ByteBuffer) {
        let promise = context.eventLoop.makePromise(of: Void.self)
        promise.futureResult.assumeIsolated().whenSuccess { _ in repeatForever(chunk) }
        context.writeAndFlush(NIOAny(chunk), promise: promise)
    }
}
