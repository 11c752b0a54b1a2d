import NIOCore
import NIOHTTP1
import NIOHTTP2
import NIOPosix
import NIOSSL
import NIOTLS

extension SimulatorListener {
    /// Prepares the port: TLS and either HTTP, or plain HTTP/1.1.
    func bootstrap(
        _ simulator: PushSimulator, _ group: any EventLoopGroup
    ) throws -> ServerBootstrap {
        let tls = isSecure ? try context(simulator.certificate) : nil
        return ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: 256)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelInitializer { channel in
                let line = simulator.line(self, channel)
                return channel.eventLoop.makeCompletedFuture {
                    guard let tls else { return try addHTTP1(to: channel, simulator, line) }
                    let negotiation = ApplicationProtocolNegotiationHandler { result, channel in
                        channel.eventLoop.makeCompletedFuture {
                            try add(result, to: channel, simulator, line)
                        }
                    }
                    try channel.pipeline.syncOperations.addHandlers([
                        NIOSSLServerHandler(context: tls), negotiation,
                    ])
                }
            }
    }

    private func context(_ pair: SelfSignedCertificate) throws -> NIOSSLContext {
        let certificate = try NIOSSLCertificate(bytes: Array(pair.certificate.utf8), format: .pem)
        let key = try NIOSSLPrivateKey(bytes: Array(pair.key.utf8), format: .pem)
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: [.certificate(certificate)], privateKey: .privateKey(key))
        configuration.minimumTLSVersion = .tlsv12
        configuration.applicationProtocols = protocols
        return try NIOSSLContext(configuration: configuration)
    }

    private func add(
        _ result: ALPNResult, to channel: any Channel, _ simulator: PushSimulator,
        _ line: SimulatorLine
    ) throws {
        if case .negotiated("h2") = result {
            try addHTTP2(to: channel, simulator, line)
        } else if protocols.contains("http/1.1") {
            try addHTTP1(to: channel, simulator, line)
        } else {
            // Apple's service speaks nothing but HTTP/2.
            channel.close(promise: nil)
        }
    }

    private func addHTTP1(
        to channel: any Channel, _ simulator: PushSimulator, _ line: SimulatorLine
    ) throws {
        try channel.pipeline.syncOperations.configureHTTPServerPipeline(withErrorHandling: false)
        try channel.pipeline.syncOperations.addHandler(
            Connection { simulator.reply(to: $0, line, stream: nil) })
    }

    private func addHTTP2(
        to channel: any Channel, _ simulator: PushSimulator, _ line: SimulatorLine
    ) throws {
        var connection = NIOHTTP2Handler.ConnectionConfiguration()
        connection.initialSettings = [
            HTTP2Setting(parameter: .maxConcurrentStreams, value: firstStreams),
            HTTP2Setting(parameter: .maxHeaderListSize, value: 1 << 14),
        ]
        // libcurl 7.88 resets each stream when its answer is complete; the library takes 200 resets in 30
        // seconds for an attack.
        var streams = NIOHTTP2Handler.StreamConfiguration()
        streams.streamResetFrameRateLimit.maximumCount = 1_000_000
        _ = try channel.pipeline.syncOperations.configureHTTP2Pipeline(
            mode: .server, connectionConfiguration: connection, streamConfiguration: streams
        ) { stream in
            stream.eventLoop.makeCompletedFuture {
                let id = try stream.syncOptions?.getOption(HTTP2StreamChannelOptions.streamID)
                let number = id.map { Int($0) }
                try stream.pipeline.syncOperations.addHandlers([
                    HTTP2FramePayloadToHTTP1ServerCodec(),
                    Connection { simulator.reply(to: $0, line, stream: number) },
                ])
            }
        }
    }
}
