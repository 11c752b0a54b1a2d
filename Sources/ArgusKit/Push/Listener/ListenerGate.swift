import Glibc
import NIOCore
import NIOHTTP1

/// Admits connections to a listener while it has room; all its methods run on the listener's event loop.
final class ListenerGate: ChannelDuplexHandler {
    typealias InboundIn = any Channel
    typealias InboundOut = any Channel
    typealias OutboundIn = Never

    private let path: String
    private let limits: PushListener.Limits
    private let arrived: AsyncStream<ListenerArrival>.Continuation
    /// The open connections, the oldest first.
    private var connections: [ListenerConnection] = []
    /// True while the next connection waits in the kernel.
    private var isHeld = false

    init(
        path: String, _ limits: PushListener.Limits,
        _ arrived: AsyncStream<ListenerArrival>.Continuation
    ) {
        (self.path, self.limits, self.arrived) = (path, limits, arrived)
    }

    private var isOverfull: Bool { connections.count > limits.connections }

    func read(context: ChannelHandlerContext) {
        isHeld = isOverfull
        if !isHeld { context.read() }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let channel = unwrapInboundIn(data)
        let connection = ListenerConnection(channel, path: path, limits, arrived)
        do {
            var bounds = NIOHTTPDecoderLimitConfiguration()
            bounds.maxHeaderFieldSize = limits.head
            bounds.maxHeaderListSize = limits.head
            let pipeline = channel.pipeline.syncOperations
            try pipeline.configureHTTPServerPipeline(
                withPipeliningAssistance: false, withErrorHandling: false,
                withEncoderConfiguration: .init(), withDecoderLimitConfiguration: bounds)
            try pipeline.addHandler(connection)
        } catch {
            return channel.close(promise: nil)
        }
        connections.append(connection)
        channel.closeFuture.assumeIsolated().whenComplete { _ in
            self.connections.removeAll { $0 === connection }
            if self.isHeld { self.read(context: context) }
        }
        context.fireChannelRead(data)
        makeRoom(context.eventLoop)
    }

    /// Ends the oldest connection that has sent no whole request in time, if one waits for its place.
    private func makeRoom(_ loop: any EventLoop) {
        guard isOverfull, let oldest = connections.first(where: \.isReading) else { return }
        guard oldest.readDeadline > .now() else { return oldest.close() }
        loop.assumeIsolated().scheduleTask(deadline: oldest.readDeadline) { self.makeRoom(loop) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // An idle sender holds the descriptor that one with a notification needs.
        if let code = (error as? IOError)?.errnoCode, [EMFILE, ENFILE].contains(code),
            let oldest = connections.first(where: \.isReading)
        {
            return oldest.close()
        }
        // The next handler pauses.
        context.fireErrorCaught(error)
    }

    /// The listener is closed: only requests that have come whole are still answered.
    func channelInactive(context: ChannelHandlerContext) {
        isHeld = false
        for connection in connections where connection.isReading { connection.close() }
        arrived.finish()
        context.fireChannelInactive()
    }
}
