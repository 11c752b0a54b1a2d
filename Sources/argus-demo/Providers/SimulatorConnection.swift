import Glibc
import NIOCore
import NIOHTTP1
import NIOHTTP2
import NIOSSL

/// Gathers the requests of one HTTP/1.1 connection or of one HTTP/2 stream, and answers them.
final class SimulatorConnection: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private static let maximumBody = 1 << 20

    private let simulator: PushSimulator
    private let line: SimulatorLine
    private let stream: Int?
    private var head: HTTPRequestHead?
    private var body: [UInt8] = []

    init(_ simulator: PushSimulator, _ line: SimulatorLine, stream: Int?) {
        (self.simulator, self.line, self.stream) = (simulator, line, stream)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            self.head = head
            body = []
        case .body(let bytes):
            body += bytes.readableBytesView
            if body.count > SimulatorConnection.maximumBody { context.close(promise: nil) }
        case .end:
            guard let head else { return }
            self.head = nil
            answer(head, context)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    private func answer(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
        let headers = head.headers.map { (name: $0.name.lowercased(), value: $0.value) }
        let reply = simulator.reply(
            method: head.method.rawValue, target: head.uri, headers: headers, body: body, line,
            stream: stream)
        guard reply.delayMilliseconds > 0 else {
            return deliver(reply, isKeptAlive: head.isKeepAlive, context)
        }
        context.eventLoop.assumeIsolated().scheduleTask(
            in: .milliseconds(reply.delayMilliseconds)
        ) {
            self.deliver(reply, isKeptAlive: head.isKeepAlive, context)
        }
    }

    private func deliver(
        _ reply: SimulatorReply, isKeptAlive: Bool, _ context: ChannelHandlerContext
    ) {
        guard context.channel.isActive else { return }
        switch reply.delivery {
        case .whole:
            openConnection(context)
            write(reply.answer, isEndless: false, context)
            let promise = context.eventLoop.makePromise(of: Void.self)
            if stream == nil, !isKeptAlive {
                promise.futureResult.assumeIsolated().whenComplete { _ in
                    context.close(promise: nil)
                }
            }
            context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: promise)
        case .endless:
            write(reply.answer, isEndless: true, context)
            repeatForever(reply.answer.body.isEmpty ? [0x20] : reply.answer.body, context)
        case .silent: break
        case .reset: reset(context)
        case .goAway: goAway(context)
        }
    }

    private func write(
        _ answer: SimulatorAnswer, isEndless: Bool, _ context: ChannelHandlerContext
    ) {
        var headers = HTTPHeaders(answer.headers.map { ($0.name, $0.value) })
        if !isEndless { headers.add(name: "content-length", value: String(answer.body.count)) }
        let head = HTTPResponseHead(
            version: stream == nil ? .http1_1 : .http2,
            status: HTTPResponseStatus(statusCode: answer.status), headers: headers)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        guard !isEndless, !answer.body.isEmpty else { return }
        let body = ByteBuffer(bytes: answer.body)
        context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil)
    }

    /// Sends a body again and again until the client closes.
    private func repeatForever(_ body: [UInt8], _ context: ChannelHandlerContext) {
        var bytes = ByteBuffer(bytes: body)
        while bytes.readableBytes < 1 << 16 { bytes.writeBytes(body) }
        func send() {
            let promise = context.eventLoop.makePromise(of: Void.self)
            promise.futureResult.assumeIsolated().whenSuccess { _ in send() }
            context.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(bytes))), promise: promise)
        }
        send()
    }
}

extension SimulatorConnection {
    /// The connection's own channel, of which a stream's is a child.
    private func connection(of context: ChannelHandlerContext) -> any Channel {
        stream == nil ? context.channel : context.channel.parent ?? context.channel
    }

    /// Allows many streams at once after the first good provider token.
    private func openConnection(_ context: ChannelHandlerContext) {
        let isNew = line.withState { state in
            defer { state.isOpened = state.isOpened || !state.tokens.isEmpty }
            return !state.isOpened && !state.tokens.isEmpty
        }
        guard isNew, stream != nil else { return }
        let setting = HTTP2Setting(parameter: .maxConcurrentStreams, value: 1000)
        send(.settings(.settings([setting])), on: connection(of: context))
    }

    private func send(
        _ payload: HTTP2Frame.FramePayload, stream: HTTP2StreamID = .rootStream,
        on connection: any Channel
    ) {
        let frame = HTTP2Frame(streamID: stream, payload: payload)
        connection.pipeline.syncOperations.writeAndFlush(NIOAny(frame), promise: nil)
    }

    /// Ends the connection with a frame that names the last request that was processed.
    private func goAway(_ context: ChannelHandlerContext) {
        let connection = connection(of: context)
        guard let stream else { return connection.close(promise: nil) }
        let last = line.withState { $0.lastStream }
        if stream < last { send(.rstStream(.refusedStream), stream: .init(stream), on: connection) }
        let data = ByteBuffer(string: #"{"reason":"Shutdown"}"#)
        send(
            .goAway(lastStreamID: .init(last), errorCode: .noError, opaqueData: data),
            on: connection)
    }

    /// Closes the connection with a reset, past TLS, which would say goodbye.
    private func reset(_ context: ChannelHandlerContext) {
        let connection = connection(of: context)
        let lingering = linger(l_onoff: 1, l_linger: 0)
        guard let socket = connection as? any SocketOptionProvider else { return }
        socket.setSoLinger(lingering).assumeIsolated().whenComplete { _ in
            let sync = connection.pipeline.syncOperations
            let tls = try? sync.context(handlerType: NIOSSLServerHandler.self)
            if let tls { tls.close(promise: nil) } else { connection.close(promise: nil) }
        }
    }
}
