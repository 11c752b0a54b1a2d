import ArgusTestSupport
import ArgusTransport
import Testing

@testable import argus

@Suite("the test push of argus doctor")
struct PushCheckTests {
    @Test("the server gets as long as for push listen --test, whatever other checks get")
    func timeout() async throws {
        let world = try TestSystem()
        try await world.know(at: "https://127.0.0.1:8443")
        var globals = GlobalOptions()
        globals.timeout = .seconds(10)
        var system = world.system
        // The limit of the test never passes: only the end of its task ends a pause.
        system.sleep = { _ in for await _ in AsyncStream<Never>.makeStream().stream {} }
        let context = Context(globals: globals, system: system)
        let (fake, subscribe) = (world.fake, "/api/v1/push/subscribe")
        fake.stub(.get, "/api/v1/push/vapid-public-key", body: #"{"public_key":"x"}"#)
        fake.stub(.post, subscribe, status: 201, body: #"{"id":"s1"}"#)
        fake.stub(.post, "/api/v1/push/test", status: 403, body: #"{"detail":"no"}"#)
        fake.stub(.delete, subscribe, status: 204)
        let finding = await PushChecks(server: try await context.server(), context: context).test()
        #expect(finding.state == .failure && finding.failure?.kind == .forbidden, "\(finding)")
        let request = fake.requests.last { $0.target == "/api/v1/push/test" }
        #expect((request?.deadlines.firstByte ?? .zero) >= ListenTest.usualLimit)
        fake.verify()
    }
}
