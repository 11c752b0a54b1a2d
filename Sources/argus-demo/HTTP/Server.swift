import NIOConcurrencyHelpers
import NIOCore
import NIOHTTP1
import NIOPosix

/// The listening server; loopback only.
final class Server: Sendable {
    let service: Service
    let port: Int
    private let group: MultiThreadedEventLoopGroup
    private let channel: any Channel

    var url: String { "http://127.0.0.1:\(port)" }

    /// Starts listening; port 0 chooses a free port.
    init(_ options: Options, port: Int) throws(SystemFailure) {
        let service = try Service(options, now: .now)
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 2)
        let bootstrap = ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: 256)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelInitializer { channel in
                guard !service.isRestarting.withLockedValue({ $0 }) else {
                    return channel.eventLoop.makeFailedFuture(ChannelError.eof)
                }
                service.connections.add(channel)
                channel.closeFuture.whenComplete { _ in service.connections.remove(channel) }
                return channel.eventLoop.makeCompletedFuture {
                    try Server.addHandlers(to: channel, service)
                }
            }
        do {
            channel = try bootstrap.bind(host: "127.0.0.1", port: port).wait()
        } catch {
            try? group.syncShutdownGracefully()
            let code = (error as? IOError)?.errnoCode ?? 0
            throw SystemFailure("cannot listen on 127.0.0.1:\(port)", code: code)
        }
        self.service = service
        self.group = group
        self.port = channel.localAddress?.port ?? port
        let options = service.options
        if options.rate > 0, options.settings.cameras > 0 {
            every(.nanoseconds(Int64(60_000_000_000 / options.rate))) { service.recordEvent() }
        }
        if options.churn > 0, options.settings.cameras > 0 {
            every(.nanoseconds(1_000_000_000 / Int64(options.churn))) { service.churn() }
        }
        every(.milliseconds(250)) { service.catchUp() }
        for fault in options.streamFaults {
            every(.milliseconds(fault.pauseMilliseconds)) { [weak self] in
                self?.strike(fault.kind)
            }
        }
    }

    private static func addHandlers(to channel: any Channel, _ service: Service) throws {
        let pipeline = channel.pipeline.syncOperations
        let idle = TimeAmount.milliseconds(service.options.idleMilliseconds)
        try pipeline.addHandler(IdleStateHandler(allTimeout: idle))
        try pipeline.configureHTTPServerPipeline(
            withServerUpgrade: ([WebSocketSession.upgrader(service)], { _ in }),
            withErrorHandling: false, withOutboundHeaderValidation: false)
        let offset = service.options.settings.clockOffset
        try pipeline.addHandler(
            Connection(clockOffset: offset) { service.reply(to: $0) })
    }

    func stop() {
        try? channel.close().wait()
        try? group.syncShutdownGracefully()
    }

    private func every(_ pause: TimeAmount, _ work: @escaping @Sendable () -> Void) {
        channel.eventLoop.scheduleRepeatedTask(initialDelay: pause, delay: pause) { _ in work() }
    }

    func strike(_ fault: StreamFault.Kind) {
        switch fault {
        case .drop: service.hub.clients.close()
        case .silence: for client in service.hub.clients.all { service.hub.silenced.add(client) }
        case .garbage: service.hub.sendGarbage()
        case .restart:
            let service = service
            service.isRestarting.withLockedValue { $0 = true }
            service.connections.close()
            channel.eventLoop.scheduleTask(in: .milliseconds(500)) {
                service.isRestarting.withLockedValue { $0 = false }
            }
        }
    }
}
