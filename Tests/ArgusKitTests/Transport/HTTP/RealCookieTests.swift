import ArgusTestSupport
import ArgusTransport
import Testing

/// The cookies that today's server sets at a sign-in, and would believe before a header.
@Suite("cookies of today's server", .hangLimit)
struct RealCookieTests {
    @Test("a cookie that a server sets never comes back to it")
    func noJar() async throws {
        let cookie = "Set-Cookie: access_token=stale; HttpOnly; Max-Age=86400; Path=/"
        let script: LoopbackServer.Script = { _ in
            [.answer("200 OK", headers: [cookie], "{}")]
        }
        try await LoopbackServer.serving(script) { server in
            let transport = CurlTransport()
            for _ in 0..<2 {
                let request = HTTPRequest(
                    .get, server.origin, "/api/v1/events", proof: ServerProof(.plain))
                let response = try await transport.send(request)
                #expect(response.headers["set-cookie"] != nil)
            }
            #expect(server.requests.count == 2)
            #expect(server.requests.allSatisfy { $0.header("Cookie") == nil })
            await transport.shutdown()
        }
    }
}
