import ArgusTransport
import NIOCore
import NIOHTTP1

/// A connection of a listener: hands over its one request if that is for the path, else answers 404.
final class ListenerConnection: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    /// The time from which it may lose its place to another while its request is incomplete.
    let readDeadline: NIODeadline
    /// True until its request is complete or refused.
    private(set) var isReading = true
    private let channel: any Channel
    private let path: String
    private let longestBody: Int
    private let arrived: AsyncStream<ListenerArrival>.Continuation
    private let deadline: Scheduled<Void>
    private var head: HTTPRequestHead?
    private var body: [UInt8] = []

    init(
        _ channel: any Channel, path: String, _ limits: PushListener.Limits,
        _ arrived: AsyncStream<ListenerArrival>.Continuation
    ) {
        (self.channel, self.path, longestBody) = (channel, path, limits.body)
        self.arrived = arrived
        readDeadline = .now() + TimeAmount(limits.readTimeout)
        deadline = channel.eventLoop.scheduleTask(in: TimeAmount(limits.time)) {
            channel.close(promise: nil)
        }
    }

    func close() { channel.close(promise: nil) }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard isReading else { return }
        switch unwrapInboundIn(data) {
        case .head(let head):
            let length = head.headers.first(name: "content-length").map { Int($0) ?? .max } ?? 0
            guard isPath(head.uri), length <= longestBody else { return refuse() }
            self.head = head
            if head.headers.first(name: "expect")?.lowercased() == "100-continue" {
                let head = HTTPResponseHead(version: .http1_1, status: .continue)
                context.writeAndFlush(wrapOutboundOut(.head(head)), promise: nil)
            }
        case .body(let bytes):
            guard body.count + bytes.readableBytes <= longestBody else { return refuse() }
            body += bytes.readableBytesView
        case .end:
            guard let head else { return }
            endReading()
            let request = ListenerRequest(
                method: head.method.rawValue,
                headers: ArgusTransport.HTTPHeaders(head.headers.map { ($0.name, $0.value) }),
                body: body)
            arrived.yield(ListenerArrival(request: request, channel: channel))
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard error is HTTPParserError else { return close() }
        // What follows a whole request is nobody's.
        if isReading { refuse() }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        // A sender may close its half after a whole request, which is still answered.
        if isReading, event as? ChannelEvent == .inputClosed { close() }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) { endReading() }

    private func refuse() {
        endReading()
        _ = channel.finish(with: 404)
    }

    private func endReading() {
        isReading = false
        deadline.cancel()
    }

    /// Compares every byte, since the time that a comparison takes must not disclose the path.
    private func isPath(_ target: String) -> Bool {
        guard target.utf8.count == path.utf8.count else { return false }
        return zip(target.utf8, path.utf8).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}

extension Channel {
    /// Sends a status as the whole answer, and closes the connection.
    func finish(with status: Int) -> EventLoopFuture<Void> {
        let head = HTTPResponseHead(
            version: .http1_1, status: HTTPResponseStatus(statusCode: status),
            headers: ["Content-Length": "0", "Connection": "close"])
        write(HTTPServerResponsePart.head(head), promise: nil)
        return writeAndFlush(HTTPServerResponsePart.end(nil)).flatMap { self.close() }
    }
}
