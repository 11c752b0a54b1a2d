import Glibc
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOWebSocket

/// Answers the requests of a connection in turn.
final class Connection: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private static let maximumBody = 16 << 20

    /// The seconds by which the date of answers is ahead.
    private let clockOffset: Int64
    private let respond: (Request) -> Reply
    private var head: HTTPRequestHead?
    private var body: [UInt8] = []
    /// True from the head of a request to the end of its answer.
    private var isBusy = false

    init(clockOffset: Int64, _ respond: @escaping (Request) -> Reply) {
        (self.clockOffset, self.respond) = (clockOffset, respond)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            isBusy = true
            self.head = head
            body = []
            if head.headers.first(name: "expect")?.lowercased() == "100-continue" {
                let head = HTTPResponseHead(version: .http1_1, status: .continue)
                context.writeAndFlush(wrapOutboundOut(.head(head)), promise: nil)
            }
        case .body(let bytes):
            body += bytes.readableBytesView
            if body.count > Connection.maximumBody { context.close(promise: nil) }
        case .end:
            if let head { answer(head, context) }
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case is IdleStateHandler.IdleStateEvent where !isBusy: context.close(promise: nil)
        // The connection is a WebSocket from now on.
        case is HTTPServerUpgradeEvents:
            context.pipeline.syncOperations.removeHandler(context: context, promise: nil)
        default: break
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        switch error {
        // The refused handshake is answered like any request.
        case is NIOWebSocketUpgradeError: break
        case is HTTPParserError:
            let answer = Answer(
                status: 400, type: "text/plain; charset=utf-8",
                body: .bytes(ByteBuffer(string: "Invalid HTTP request received.")))
            deliver(Reply(answer: answer), isKeptAlive: false, context)
        default: context.close(promise: nil)
        }
    }

    private func answer(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
        let request = Request(
            method: Method(rawValue: head.method.rawValue), target: head.uri,
            headers: head.headers.map { ($0.name, $0.value) }, body: body,
            peer: context.channel.remoteAddress?.ipAddress ?? "127.0.0.1", now: .now)
        let isKeptAlive = head.isKeepAlive
        var reply = respond(request)
        guard case .made(let make) = reply.answer.body else {
            return schedule(reply, isKeptAlive, context)
        }
        let made = NIOThreadPool.singleton.runIfActive(eventLoop: context.eventLoop, make)
        made.assumeIsolated().whenSuccess { body in
            reply.answer.body = .bytes(body)
            self.schedule(reply, isKeptAlive, context)
        }
    }

    private func schedule(_ reply: Reply, _ isKeptAlive: Bool, _ context: ChannelHandlerContext) {
        context.eventLoop.assumeIsolated().scheduleTask(
            in: .milliseconds(reply.delayMilliseconds)
        ) {
            self.deliver(reply, isKeptAlive: isKeptAlive, context)
        }
    }

    private func deliver(_ reply: Reply, isKeptAlive: Bool, _ context: ChannelHandlerContext) {
        guard context.channel.isActive else { return }
        let body = reply.answer.bytes
        let length = reply.answer.isChunked || reply.delivery == .endless ? nil : body.readableBytes
        func writeHead() {
            write(.head(responseHead(reply.answer, length: length, isKeptAlive)), context)
        }
        func finish() {
            self.finish(closes: !isKeptAlive || reply.answer.dropsConnection, context)
        }
        switch reply.delivery {
        case .silent: break
        case .reset: reset(context)
        case .garbage:
            let garbage = (0..<512).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ 129) }
            let pipeline = context.pipeline.syncOperations
            let encoder = try? pipeline.context(handlerType: HTTPResponseEncoder.self)
            encoder?.writeAndFlush(NIOAny(ByteBuffer(bytes: garbage)), promise: nil)
            context.close(promise: nil)
        case .whole:
            writeHead()
            if head?.method != .HEAD { write(.body(.byteBuffer(body)), context) }
            finish()
        case .truncated(let count):
            writeHead()
            write(.body(.byteBuffer(body.getSlice(at: 0, length: count) ?? body)), context)
            context.flush()
            context.close(promise: nil)
        case .dripped(let rate):
            writeHead()
            drip(body, rate, context, finish)
        case .endless:
            writeHead()
            var much = body
            if much.readableBytes == 0 { much.writeStaticString(" ") }
            while much.readableBytes < 1 << 16 { much.writeImmutableBuffer(much) }
            repeatForever(much, context)
        }
    }

    /// Ends an answer, and the connection with it if it `closes`.
    private func finish(closes: Bool, _ context: ChannelHandlerContext) {
        isBusy = false
        let promise = context.eventLoop.makePromise(of: Void.self)
        if closes {
            promise.futureResult.assumeIsolated().whenComplete { _ in context.close(promise: nil) }
        }
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: promise)
    }

    private func write(_ part: HTTPServerResponsePart, _ context: ChannelHandlerContext) {
        context.write(wrapOutboundOut(part), promise: nil)
    }

    /// The header fields in the order of the real server.
    private func responseHead(_ answer: Answer, length: Int?, _ isKeptAlive: Bool)
        -> HTTPResponseHead
    {
        var headers = HTTPHeaders()
        let date = (Moment.now + clockOffset).httpDate
        headers.add(contentsOf: [("date", date), ("server", "uvicorn")])
        if let length { headers.add(name: "content-length", value: String(length)) }
        headers.add(contentsOf: answer.headers.map { ($0.name, $0.value) })
        if !isKeptAlive { headers.add(name: "connection", value: "close") }
        return HTTPResponseHead(
            version: .http1_1, status: HTTPResponseStatus(statusCode: answer.status),
            headers: headers)
    }
}

// Deliveries with a fault.
extension Connection {
    /// Closes with a reset, so that the peer's next read fails.
    private func reset(_ context: ChannelHandlerContext) {
        guard let socket = context.channel as? any SocketOptionProvider else { return }
        socket.setSoLinger(linger(l_onoff: 1, l_linger: 0)).assumeIsolated().whenComplete { _ in
            context.close(promise: nil)
        }
    }

    /// Sends a tenth of the rate every tenth of a second, or single bytes at lower rates.
    private func drip(
        _ body: ByteBuffer, _ rate: Int, _ context: ChannelHandlerContext,
        _ finish: @escaping () -> Void
    ) {
        var rest = body
        guard context.channel.isActive else { return }
        let count = min(max(rate / 10, 1), rest.readableBytes)
        guard count > 0, let part = rest.readSlice(length: count) else { return finish() }
        context.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(part))), promise: nil)
        let remaining = rest
        context.eventLoop.assumeIsolated().scheduleTask(
            in: .nanoseconds(1_000_000_000 * Int64(count) / Int64(rate))
        ) {
            self.drip(remaining, rate, context, finish)
        }
    }

    /// Sends a part of a body again and again until the client closes.
    private func repeatForever(_ part: ByteBuffer, _ context: ChannelHandlerContext) {
        let promise = context.eventLoop.makePromise(of: Void.self)
        promise.futureResult.assumeIsolated().whenSuccess { _ in
            self.repeatForever(part, context)
        }
        context.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(part))), promise: promise)
    }
}
