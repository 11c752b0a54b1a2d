import Crypto
import FoundationEssentials
import NIOCore
import NIOHTTP1
import NIOWebSocket

/// Turns a connection into a WebSocket (RFC 6455, section 4.2).
enum WebSocketUpgrade {
    static func isAskedFor(_ head: HTTPRequestHead) -> Bool {
        head.headers.first(name: "upgrade")?.lowercased() == "websocket"
    }

    /// Accepts `/ws` without credentials, as today's server does; refuses anything else.
    static func answer(
        _ head: HTTPRequestHead, _ connection: Connection, _ service: Service,
        _ context: ChannelHandlerContext
    ) {
        guard service.options.settings.api == .current,
            head.uri.split(separator: "?").first == "/ws",
            let key = head.headers.first(name: "sec-websocket-key")
        else {
            let refusal = Answer(
                status: 403, type: "text/plain", headers: [("connection", "close")])
            context.writeAndFlush(
                NIOAny(Wire.head(refusal, length: 0, now: .now)), promise: nil)
            context.close(promise: nil)
            return
        }
        let digest = Insecure.SHA1.hash(data: Array((key + magic).utf8))
        let acceptance = ByteBuffer(
            string: "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n"
                + "Connection: Upgrade\r\nSec-WebSocket-Accept: "
                + "\(Data(digest).base64EncodedString())\r\ndate: \(Moment.now.httpDate)\r\n"
                + "server: uvicorn\r\n\r\n")
        context.writeAndFlush(NIOAny(acceptance), promise: nil)
        do {
            let pipeline = context.pipeline.syncOperations
            let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
            try pipeline.addHandlers(
                [
                    WebSocketFrameEncoder(),
                    ByteToMessageHandler(WebSocketFrameDecoder(maxFrameSize: 1 << 20)),
                    WebSocketSession(service.hub),
                ], position: .after(connection))
            pipeline.removeHandler(connection, promise: nil)
            pipeline.removeHandler(decoder, promise: nil)
        } catch {
            context.close(promise: nil)
        }
    }

    private static let magic = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
}

/// One WebSocket client: heartbeats, pings, and the end.
final class WebSocketSession: ChannelInboundHandler {
    typealias InboundIn = WebSocketFrame
    typealias OutboundOut = WebSocketFrame

    private let hub: Hub
    private var heartbeat: Scheduled<Void>?

    init(_ hub: Hub) {
        self.hub = hub
    }

    func handlerAdded(context: ChannelHandlerContext) {
        hub.add(context.channel)
        beat(context)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        heartbeat?.cancel()
        hub.remove(context.channel)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = unwrapInboundIn(data)
        guard !hub.silenced.contains(context.channel) else { return }
        switch frame.opcode {
        case .text where String(buffer: frame.unmaskedData) == "ping":
            send(.text, ByteBuffer(string: "pong"), context)
        case .ping: send(.pong, frame.unmaskedData, context)
        case .connectionClose:
            send(.connectionClose, frame.unmaskedData, context)
            context.close(promise: nil)
        // A binary frame crashes the real handler, which sends no close frame.
        case .binary: context.close(promise: nil)
        default: break
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    /// Sends the server's heartbeat: a text message, not a protocol ping.
    private func beat(_ context: ChannelHandlerContext) {
        heartbeat = context.eventLoop.assumeIsolated().scheduleTask(in: .seconds(30)) {
            if !self.hub.silenced.contains(context.channel) {
                self.send(.text, ByteBuffer(string: "ping"), context)
            }
            self.beat(context)
        }
    }

    private func send(
        _ opcode: WebSocketOpcode, _ data: ByteBuffer, _ context: ChannelHandlerContext
    ) {
        context.writeAndFlush(
            wrapOutboundOut(WebSocketFrame(fin: true, opcode: opcode, data: data)), promise: nil)
    }
}
