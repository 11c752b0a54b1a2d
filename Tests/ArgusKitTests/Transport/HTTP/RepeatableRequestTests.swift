import ArgusTestSupport
import Testing

@testable import ArgusCore
@testable import ArgusTransport

@Suite("requests to push services", .hangLimit)
struct RepeatableRequestTests {
    @Test("only a POST that may be repeated shares a connection with others")
    func connections() async throws {
        for (mayBeRepeated, connections) in [(false, [0, 1, 2]), (true, [0, 0, 0])] {
            try await LoopbackServer.serving({ _ in [.answer("200 OK", "x")] }) { server in
                let transport = CurlTransport()
                var request = HTTPRequest(.post, server.origin, "/p", proof: ServerProof(.plain))
                request.body = HTTPRequest.Body(bytes: [1], contentType: "text/plain")
                request.mayBeRepeated = mayBeRepeated
                // A loaded machine takes longer than the usual life of an idle connection.
                request.deadlines.pooled = .seconds(3600)
                for _ in 0..<3 { _ = try await transport.send(request) }
                #expect(server.requests.map(\.connection) == connections)
                await transport.shutdown()
            }
        }
    }

    @Test("nothing is sent to a local address behind a public name, unless that is allowed")
    func localAddresses() async throws {
        try await LoopbackServer.serving({ _ in [.answer("200 OK", "x")] }) { server in
            let transport = CurlTransport()
            let origin = Origin(scheme: .http, host: "push.example", port: server.port)
            var request = HTTPRequest(.post, origin, "/p", proof: ServerProof(.plain))
            request.proof.socketAddress = SocketAddress(address: "127.0.0.1", port: server.port)
            request.refusesLocalAddresses = true
            let error = await failure { [request] () async throws(TransportError) in
                try await transport.send(request)
            }
            #expect(error?.kind == .identityRefused && error?.nothingSent == true)
            #expect(error?.detail.contains("127.0.0.1") == true)
            #expect(server.receivedBytes.isEmpty, "a connection was made")
            request.proof.socketAddress = SocketAddress(
                address: "64:ff9b::7f00:1", port: server.port)
            let translated = await failure { [request] () async throws(TransportError) in
                try await transport.send(request)
            }
            #expect(translated?.kind == .identityRefused)
            #expect(translated?.detail.contains("64:ff9b::7f00:1") == true)
            request.proof.socketAddress = SocketAddress(address: "127.0.0.1", port: server.port)
            request.refusesLocalAddresses = false
            let answer = try await transport.send(request)
            #expect(answer.status == 200)
            await transport.shutdown()
        }
    }
}
