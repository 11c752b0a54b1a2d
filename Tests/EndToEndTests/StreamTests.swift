import ArgusCore
import ArgusTestSupport
import ArgusTransport
import Testing

@testable import argus_demo

/// The stream of announcements, between the two programs.
@Suite(.waitsForPrograms)
struct StreamTests {
    private let transport = CurlTransport()

    private func withClient<Value>(
        _ api: String = "current", _ body: (Server, APIClient) async throws -> Value
    ) async throws -> Value {
        var options = try Options(["--events", "0", "--rate", "0", "--api", api])
        // The client runs in this process, whose threads other tests may keep for minutes.
        options.idleMilliseconds = 3_600_000
        let server = try Server(options, port: 0)
        defer { server.stop() }
        let address = try ServerAddress(parsing: "http://127.0.0.1:\(server.port)")
        let client = APIClient(
            transport: transport, address: address, proof: ServerProof(.plain),
            authorization: .bearer(Redacted("token")), userAgent: "argus")
        return try await body(server, client)
    }

    @Test("a new event is announced, and the stream closes in agreement")
    func announces() async throws {
        try await withClient { server, client in
            let stream = try await client.stream()
            // The demo accepts a client before it announces anything to it.
            while server.service.hub.clients.all.isEmpty { await Task.yield() }
            for _ in 0..<100 {
                server.service.recordEvent()
                let text = try #require(try await stream.next())
                let id = server.service.withState { $0.events.rows.last?.id.text }
                let message = try JSONReader.read(text)
                #expect(message["type"] == JSON("NEW_EVENT"))
                #expect(message["data"]?["event_id"] == JSON(id))
            }
            await stream.close()
            #expect(stream.closure?.code == 1000)
            #expect(try await stream.next() == nil)
        }
        await transport.shutdown()
    }

    @Test("a server that stops ends the stream")
    func stops() async throws {
        let stream = try await withClient { _, client in try await client.stream() }
        let error = await failure { () async throws(TransportError) in try await stream.next() }
        // While other tests have the threads, the client's own limit may be over first.
        #expect(error?.kind == .connectionLost || error?.kind == .timedOut(.idle))
        await transport.shutdown()
    }

    @Test("servers without a stream refuse it", arguments: ["mobile", "documented"])
    func refuses(api: String) async throws {
        try await withClient(api) { _, client in
            let error = await failure { () async throws(TransportError) in
                try await client.stream()
            }
            #expect(error?.kind == .upgradeRefused(403))
        }
        await transport.shutdown()
    }
}
