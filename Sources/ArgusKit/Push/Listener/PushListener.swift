import ArgusCore
import ArgusTransport
import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization

/// An HTTP server of one secret path, which answers every other request with 404.
///
/// Each connection serves one request. A sender that is slow or sends garbage holds its place for a
/// few seconds, or until another sender needs it.
final class PushListener: Sendable {
    /// The bounds of a listener.
    struct Limits: Sendable {
        /// The most bytes of a request line and its fields.
        var head = 16 << 10
        /// The most bytes of a body; Web Push allows no more (RFC 8030, section 7.2).
        var body = 4096
        /// The most connections at once; one more waits for a place, and others in the kernel.
        var connections = 16
        /// The time after which a sender without a whole request gives its place to one that waits.
        var readTimeout = Duration.milliseconds(50)
        /// The time for a whole request.
        var time = Duration.seconds(10)
    }

    /// The origin of the URLs under which it is reached.
    let origin: Origin
    private let group: MultiThreadedEventLoopGroup
    private let channel: any Channel
    private let arrivals: AsyncStream<ListenerArrival>
    private let isClosing = Atomic(false)

    /// The connections that wait in the kernel.
    private static let backlog: Int32 = 128

    var port: UInt16 { origin.port }

    /// Listens on a numeric address of this machine; port 0 is any free one.
    /// - Throws: `ListenerError`.
    init(
        on address: String, port: UInt16, path: String, _ limits: Limits = Limits()
    ) async throws(ListenerError) {
        let (arrivals, arrived) = AsyncStream.makeStream(of: ListenerArrival.self)
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        // Programs that argus starts inherit no connection: `Subprocess` closes all but standard streams.
        let bootstrap = ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: Self.backlog)
            // A fixed port can be used again at once.
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            // The gate decides about each connection before the next one is accepted.
            .serverChannelOption(.maxMessagesPerRead, value: 1)
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(
                        ListenerGate(path: path, limits, arrived))
                }
            }
        do {
            channel = try await bootstrap.bind(
                to: SocketAddress(ipAddress: address, port: Int(port))
            ).get()
        } catch {
            group.shutdownGracefully { _ in }
            let place = Origin(scheme: .http, host: address, port: port)
            let cause = (error as? IOError).map { Errno(rawValue: $0.errnoCode) }
            throw ListenerError(
                place: "\(place.hostInURL):\(port)",
                reason: cause.map { "\($0)" } ?? "it is not an address")
        }
        let number = channel.localAddress?.port.map(UInt16.init(clamping:))
        origin = Origin(scheme: .http, host: address, port: number ?? port)
        (self.group, self.arrivals) = (group, arrivals)
    }

    deinit { group.shutdownGracefully { _ in } }

    /// Answers requests for the path with the status that `handle` returns, one after the other, until
    /// `close`; the answers under way are then sent.
    ///
    /// - Returns: False if the system closed the listener, as a change of a firewall can.
    @discardableResult
    func run(_ handle: (ListenerRequest) async -> Int) async -> Bool {
        for await arrival in arrivals {
            await arrival.answer(await handle(arrival.request))
        }
        // The port is free once this has returned.
        try? await channel.closeFuture.get()
        return isClosing.load(ordering: .relaxed)
    }

    /// Ends `run` from any task, at once if it has not begun.
    func close() {
        isClosing.store(true, ordering: .relaxed)
        channel.close(promise: nil)
    }
}

/// A request that came for the path of a listener.
struct ListenerRequest: Sendable {
    var method: String
    var headers: ArgusTransport.HTTPHeaders
    /// At most `PushListener.Limits.body` bytes.
    var body: [UInt8]
}

/// A request whose sender waits for its answer.
struct ListenerArrival: Sendable {
    var request: ListenerRequest
    var channel: any Channel

    /// Sends a status, if the sender is still there.
    func answer(_ status: Int) async { try? await channel.finish(with: status).get() }
}

/// The reason why no listener could be opened.
package struct ListenerError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The address and the port, such as `192.168.1.5:8099`.
    package var place: String
    /// The system's words.
    package var reason: String

    package var description: String { "cannot listen on \(place): \(reason)" }
}
