import ArgusCore
import ArgusTestSupport
import Testing

@testable import ArgusTransport

@Suite("looking at a certificate", .hangLimit)
struct CertificateLookTests {
    private let wrongPin = String(repeating: "A", count: 43) + "="

    @Test("the certificate of any server is shown, and nothing is sent to it")
    func look() async throws {
        try await TLSServer.openssl(["-msg"]) { server in
            let transport = CurlTransport()
            var origin = server.origin
            origin.host = "other.localhost"
            let seen = try await transport.certificate(
                of: origin, holding: nil, deadlines: Deadlines())
            #expect(seen.pin == server.pin)
            #expect(seen.subject == "CN=localhost")
            await transport.shutdown()
            let output = try server.folder.text("output")
            #expect(output.contains("ServerHello"))
            #expect(!output.contains("HTTP/1"))
            #expect(!output.contains("GET "))
        }
    }

    @Test("with a proof, a server that does not hold it is refused")
    func proof() async throws {
        try await TLSServer.nginx { server in
            let transport = CurlTransport()
            let held = try await transport.certificate(
                of: server.origin, holding: ServerProof(.pin(server.pin)), deadlines: Deadlines())
            #expect(held.pin == server.pin)
            for identity in [
                .pin(wrongPin), ServerProof.Identity.publicCertificate(authorities: nil),
            ] {
                let error = await failure { () async throws(TransportError) in
                    try await transport.certificate(
                        of: server.origin, holding: ServerProof(identity), deadlines: Deadlines())
                }
                #expect(error?.kind == .identityRefused)
            }
            await transport.shutdown()
            let log = try server.folder.text("access.log")
            #expect(log.isEmpty)
        }
    }

    @Test("a look makes no later request less careful on the same transport")
    func careAfterLook() async throws {
        try await TLSServer.nginx { server in
            let transport = CurlTransport()
            _ = try await transport.certificate(
                of: server.origin, holding: nil, deadlines: Deadlines())
            for identity in [
                .pin(wrongPin), ServerProof.Identity.publicCertificate(authorities: nil),
            ] {
                let request = HTTPRequest(
                    .get, server.origin, "/secret", proof: ServerProof(identity))
                let error = await failure { () async throws(TransportError) in
                    try await transport.send(request)
                }
                #expect(error?.kind == .identityRefused)
                #expect(error?.nothingSent == true)
            }
            await transport.shutdown()
            let log = try server.folder.text("access.log")
            #expect(log.isEmpty)
        }
    }

    @Test("plain http has no certificate to look at, and is not connected to")
    func plain() async throws {
        try await LoopbackServer.serving({ _ in [.answer("200 OK")] }) { server in
            let transport = CurlTransport()
            let error = await failure { () async throws(TransportError) in
                try await transport.certificate(
                    of: server.origin, holding: nil, deadlines: Deadlines())
            }
            #expect(error?.kind == .identityRefused)
            #expect(server.receivedBytes.isEmpty)
            await transport.shutdown()
        }
    }
}
