import NIOCore
import NIOHTTP1
import NIOWebSocket

/// One WebSocket client: heartbeats, pings, and the end.
final class WebSocketSession: ChannelInboundHandler {
    typealias InboundIn = WebSocketFrame
    typealias OutboundOut = WebSocketFrame

    private let hub: Hub
    private var heartbeat: Scheduled<Void>?

    init(_ hub: Hub) { self.hub = hub }

    /// Accepts `/ws` without credentials, as today's server does, and nothing else.
    static func upgrader(_ service: Service) -> NIOWebSocketServerUpgrader {
        NIOWebSocketServerUpgrader(
            maxFrameSize: 1 << 20, automaticErrorHandling: false,
            shouldUpgrade: { channel, head in
                let isKnown =
                    service.options.settings.api == .current
                    && head.uri.split(separator: "?").first == "/ws"
                let headers: HTTPHeaders = ["date": Moment.now.httpDate, "server": "uvicorn"]
                return channel.eventLoop.makeSucceededFuture(isKnown ? headers : nil)
            },
            upgradePipelineHandler: { channel, _ in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(WebSocketSession(service.hub))
                }
            })
    }

    func handlerAdded(context: ChannelHandlerContext) {
        hub.clients.add(context.channel)
        beat(context)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        heartbeat?.cancel()
        hub.clients.remove(context.channel)
        hub.silenced.remove(context.channel)
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
