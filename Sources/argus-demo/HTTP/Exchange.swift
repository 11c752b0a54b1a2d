import FoundationEssentials
import NIOCore
import NIOHTTP1
import NIOPosix

/// One request on a connection of its own, each step of which may take three seconds.
final class Exchange: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias OutboundOut = HTTPClientRequestPart

    /// Where a plain http address leads.
    struct Target: Sendable {
        /// The host without brackets.
        var host: String
        var port: Int
        /// Host and port as the address has them.
        var authority: String
        /// Path and query.
        var path: String

        /// - Returns: Nil for anything but an http address with a host.
        init?(_ address: String) {
            guard address.hasPrefix("http://"), let url = URL(string: address),
                let host = url.host(percentEncoded: false), !host.isEmpty
            else { return nil }
            let rest = address.dropFirst(7)
            let name = rest.prefix { $0 != "/" && $0 != "?" }
            let path = rest.dropFirst(name.count)
            self.host = host.filter { $0 != "[" && $0 != "]" }
            port = url.port ?? 80
            authority = String(name)
            self.path = path.isEmpty ? "/" : String(path)
        }

        /// True for an address of this machine in numbers.
        var isLoopback: Bool { host == "::1" || host.wholeMatch(of: /127(\.\d{1,3}){3}/) != nil }
    }

    private let answer: EventLoopPromise<HTTPResponseStatus>

    private init(_ answer: EventLoopPromise<HTTPResponseStatus>) { self.answer = answer }

    /// Posts a body and returns the status of the answer; blocks until it is there.
    static func post(
        _ body: [UInt8], to target: Target, headers: HTTPHeaders
    ) throws -> HTTPResponseStatus {
        var headers = headers
        headers.replaceOrAdd(name: "Host", value: target.authority)
        headers.replaceOrAdd(name: "Content-Length", value: String(body.count))
        let head = HTTPRequestHead(
            version: .http1_1, method: .POST, uri: target.path, headers: headers)
        let limit = TimeAmount.seconds(3)
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let answer = loop.makePromise(of: HTTPResponseStatus.self)
        let channel = ClientBootstrap(group: loop).connectTimeout(limit)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    try pipeline.addHandler(IdleStateHandler(readTimeout: limit))
                    try pipeline.addHTTPClientHandlers()
                    try pipeline.addHandler(Exchange(answer))
                }
            }.connect(host: target.host, port: target.port)
        channel.cascadeFailure(to: answer)
        channel.whenSuccess { channel in
            channel.write(HTTPClientRequestPart.head(head), promise: nil)
            let part = HTTPClientRequestPart.body(.byteBuffer(ByteBuffer(bytes: body)))
            channel.write(part, promise: nil)
            channel.writeAndFlush(HTTPClientRequestPart.end(nil), promise: nil)
        }
        return try answer.futureResult.wait()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .head(let head) = unwrapInboundIn(data) else { return }
        answer.succeed(head.status)
        context.close(promise: nil)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        context.close(promise: nil)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) { answer.fail(ChannelError.eof) }
}
