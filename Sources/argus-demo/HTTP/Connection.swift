import NIOCore
import NIOHTTP1
import NIOPosix

/// One client's connection: gathers requests, answers them in turn, closes it when idle.
final class Connection: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = ByteBuffer

    private static let maximumBody = 16 << 20

    private let service: Service
    private var head: HTTPRequestHead?
    private var body: [UInt8] = []
    /// Requests that arrived while another was being answered.
    private var waiting: [(request: Request, isKeptAlive: Bool)] = []
    private var isBusy = false
    private var idleTimer: Scheduled<Void>?

    init(_ service: Service) {
        self.service = service
    }

    func channelActive(context: ChannelHandlerContext) {
        waitForRequest(context)
    }

    func channelInactive(context: ChannelHandlerContext) {
        idleTimer?.cancel()
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        idleTimer?.cancel()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            idleTimer?.cancel()
            self.head = head
            body = []
            if head.headers.first(name: "expect")?.lowercased() == "100-continue" {
                send(ByteBuffer(string: "HTTP/1.1 100 Continue\r\n\r\n"), context)
            }
        case .body(let bytes):
            body += bytes.readableBytesView
            if body.count > Connection.maximumBody { context.close(promise: nil) }
        case .end:
            guard let head else { return }
            self.head = nil
            if WebSocketUpgrade.isAskedFor(head) {
                WebSocketUpgrade.answer(head, self, service, context)
                return
            }
            let peer = context.remoteAddress?.ipAddress ?? "127.0.0.1"
            let request = Request(
                method: Method(rawValue: head.method.rawValue), target: head.uri,
                headers: head.headers.map { ($0.name, $0.value) }, body: body,
                peer: peer, now: .now)
            waiting.append((request, head.isKeepAlive))
            answerNext(context)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard error is HTTPParserError else {
            context.close(promise: nil)
            return
        }
        let answer = Answer(
            status: 400, type: "text/plain; charset=utf-8", headers: [("connection", "close")],
            body: .bytes(ByteBuffer(string: "Invalid HTTP request received.")))
        write(answer, isHead: false, context)
        close(context)
    }

    private func answerNext(_ context: ChannelHandlerContext) {
        guard !isBusy, !waiting.isEmpty else { return }
        isBusy = true
        let (request, isKeptAlive) = waiting.removeFirst()
        let reply = service.reply(to: request)
        guard let work = reply.answer.later else {
            return schedule(reply, request, isKeptAlive, context)
        }
        let done = NIOThreadPool.singleton.runIfActive(eventLoop: context.eventLoop) {
            ByteBuffer(bytes: work().bytes())
        }
        done.assumeIsolated().whenComplete { result in
            var reply = reply
            reply.answer.later = nil
            reply.answer.body = .bytes((try? result.get()) ?? ByteBuffer())
            self.schedule(reply, request, isKeptAlive, context)
        }
    }

    private func schedule(
        _ reply: Service.Reply, _ request: Request, _ isKeptAlive: Bool,
        _ context: ChannelHandlerContext
    ) {
        context.eventLoop.assumeIsolated().scheduleTask(
            in: .milliseconds(reply.delayMilliseconds)
        ) {
            self.deliver(reply, request, isKeptAlive, context)
        }
    }

    private func deliver(
        _ reply: Service.Reply, _ request: Request, _ isKeptAlive: Bool,
        _ context: ChannelHandlerContext
    ) {
        guard reply.delivery == .whole else {
            FaultyDelivery(answer: reply.answer, context: context).send(reply.delivery) {
                self.finishAnswer(after: reply.answer, isKeptAlive, context)
            }
            return
        }
        var answer = reply.answer
        if !isKeptAlive { answer.headers.append(("connection", "close")) }
        write(answer, isHead: request.method == .HEAD, context)
        finishAnswer(after: answer, isKeptAlive, context)
    }

    /// Closes, or takes the next request, once an answer is complete.
    private func finishAnswer(
        after answer: Answer, _ isKeptAlive: Bool, _ context: ChannelHandlerContext
    ) {
        isBusy = false
        if !isKeptAlive || answer.dropsConnection {
            close(context)
        } else if waiting.isEmpty {
            waitForRequest(context)
        } else {
            answerNext(context)
        }
    }

    private func write(_ answer: Answer, isHead: Bool, _ context: ChannelHandlerContext) {
        let body = answer.bytes
        send(
            Wire.head(answer, length: answer.isChunked ? nil : body.readableBytes, now: .now),
            context)
        if isHead || answer.status == 204 {
            context.flush()
        } else if answer.isChunked {
            var rest = body
            while let part = rest.readSlice(length: min(16 << 10, max(rest.readableBytes, 1))) {
                context.write(wrapOutboundOut(Wire.chunk(part)), promise: nil)
            }
            send(Wire.chunk(ByteBuffer()), context)
        } else {
            send(body, context)
        }
    }

    private func send(_ bytes: ByteBuffer, _ context: ChannelHandlerContext) {
        context.writeAndFlush(wrapOutboundOut(bytes), promise: nil)
    }

    private func close(_ context: ChannelHandlerContext) {
        let promise = context.eventLoop.makePromise(of: Void.self)
        promise.futureResult.assumeIsolated().whenComplete { _ in context.close(promise: nil) }
        context.writeAndFlush(wrapOutboundOut(ByteBuffer()), promise: promise)
    }

    private func waitForRequest(_ context: ChannelHandlerContext) {
        idleTimer?.cancel()
        idleTimer = context.eventLoop.assumeIsolated().scheduleTask(
            in: .milliseconds(service.options.idleMilliseconds)
        ) {
            context.close(promise: nil)
        }
    }
}

extension Answer {
    /// The body, made now unless it exists.
    var bytes: ByteBuffer {
        if let later { return ByteBuffer(bytes: later().bytes()) }
        switch body {
        case .bytes(let bytes): return bytes
        case .made(let make): return make()
        }
    }

    /// The body as an array.
    var content: [UInt8] { Array(bytes.readableBytesView) }
}
