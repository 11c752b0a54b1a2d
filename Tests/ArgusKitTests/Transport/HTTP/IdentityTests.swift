import ArgusTestSupport
import Glibc
import Synchronization
import Testing

@testable import ArgusCore
@testable import ArgusTransport

@Suite("proofs of identity", .hangLimit)
struct IdentityTests {
    private let wrongPin = String(repeating: "A", count: 43) + "="

    /// One GET with a proof, on a transport of its own.
    private func get(
        _ origin: Origin, _ identity: ServerProof.Identity,
        certificate: ClientCertificate? = nil, firstByte: Duration = .seconds(20)
    ) async -> Result<HTTPResponse, TransportError> {
        let transport = CurlTransport()
        var request = HTTPRequest(
            .get, origin, "/secret",
            headers: [HTTPHeader("Authorization", secret: Redacted("Bearer abc"))],
            proof: ServerProof(identity, clientCertificate: certificate))
        request.deadlines.firstByte = firstByte
        let result: Result<HTTPResponse, TransportError>
        do throws(TransportError) {
            result = .success(try await transport.send(request))
        } catch {
            result = .failure(error)
        }
        await transport.shutdown()
        return result
    }

    @Test("a self-signed certificate is no public proof, and nothing is sent")
    func selfSigned() async throws {
        try await TLSServer.nginx { server in
            let result = await get(server.origin, .publicCertificate(authorities: nil))
            #expect(
                result.error
                    == TransportError(
                        .identityRefused, "self-signed certificate", nothingSent: true))
            let log = try server.folder.text("access.log")
            #expect(log.isEmpty)
        }
    }

    @Test("a certificate that a given authority signed is a proof, for its own names only")
    func authority() async throws {
        try await TLSServer.nginx { server in
            let file = server.folder.file("cert.pem")
            let right = await get(server.origin, .publicCertificate(authorities: file))
            #expect(right.response?.body == Array("hello".utf8))

            var other = server.origin
            other.host = "other.localhost"
            let wrong = await get(other, .publicCertificate(authorities: file))
            #expect(wrong.error?.kind == .identityRefused)
            #expect(wrong.error?.nothingSent == true)

            let missing = await get(
                server.origin,
                .publicCertificate(authorities: server.folder.file("missing.pem")))
            #expect(missing.error?.kind == .unusableFile)
            let words = missing.error?.detail ?? ""
            #expect(words.hasPrefix("the file of certificate authorities cannot be used: "))
        }
    }

    @Test("a certificate that only its dates refuse questions the clock, and nothing is sent")
    func wrongDates() async throws {
        for (from, until, fault) in [
            ("20200101000000Z", "20200201000000Z", "its certificate has expired"),
            ("20990101000000Z", "20990201000000Z", "its certificate is not valid yet"),
        ] {
            try await TLSServer.nginx(validity: (from, until)) { server in
                let file = server.folder.file("cert.pem")
                let error = await get(server.origin, .publicCertificate(authorities: file)).error
                #expect(error?.kind == .identityRefused && error?.isByDates == true)
                #expect(error?.nothingSent == true)
                let words = error?.detail ?? ""
                #expect(words.hasPrefix("by this machine's clock, 20"), "\(words)")
                #expect(words.contains(" UTC, \(fault); either the clock is wrong, or "))
                // Without the authority it is no question of dates, and for a pin none of either.
                let unknown = await get(server.origin, .publicCertificate(authorities: nil)).error
                #expect(unknown?.kind == .identityRefused && unknown?.isByDates == false)
                let log = try server.folder.text("access.log")
                #expect(log.isEmpty)
                let pinned = await get(server.origin, .pin(server.pin))
                #expect(pinned.response?.body == Array("hello".utf8))
            }
        }
    }

    @Test("the right pin is a proof whatever the certificate says; HTTP/2 is spoken")
    func rightPin() async throws {
        try await TLSServer.nginx { server in
            let versions = Mutex<[String]>([])
            let transport = CurlTransport(
                observation: TransferObservation { event in
                    if case .answered(_, let answer) = event {
                        versions.withLock { $0.append(answer.version) }
                    }
                })
            var origin = server.origin
            origin.host = "other.localhost"
            let request = HTTPRequest(.get, origin, "/", proof: ServerProof(.pin(server.pin)))
            let response = try await transport.send(request)
            #expect(response.status == 200 && response.body == Array("hello".utf8))
            #expect(versions.withLock { $0 } == ["HTTP/2"])
            await transport.shutdown()
        }
    }

    @Test("with a wrong pin no byte of the request is sent")
    func wrongPin() async throws {
        try await TLSServer.openssl { server in
            let result = await get(server.origin, .pin(wrongPin))
            #expect(result.error?.kind == .identityRefused)
            #expect(result.error?.nothingSent == true)
            // The right pin afterwards shows that the server writes what it gets.
            _ = await get(server.origin, .pin(server.pin), firstByte: .seconds(1))
            let output = try server.folder.text("output")
            #expect(output.components(of: "GET /secret") == 1)
            #expect(output.components(of: "Bearer abc") == 1)
        }
    }

    @Test("a pinned connection is not reused for a request with another proof")
    func noReuseAcrossProofs() async throws {
        try await TLSServer.nginx { server in
            let transport = CurlTransport()
            let right = HTTPRequest(
                .get, server.origin, "/", proof: ServerProof(.pin(server.pin)))
            let first = try await transport.send(right)
            #expect(first.status == 200)
            for identity in [
                .pin(wrongPin), ServerProof.Identity.publicCertificate(authorities: nil),
            ] {
                let other = HTTPRequest(.get, server.origin, "/x", proof: ServerProof(identity))
                let error = await failure { () async throws(TransportError) in
                    try await transport.send(other)
                }
                #expect(error?.kind == .identityRefused)
            }
            await transport.shutdown()
        }
    }

    @Test("proof and scheme that do not belong together are refused before a connection")
    func mismatches() async throws {
        try await LoopbackServer.serving({ _ in [.answer("200 OK")] }) { server in
            var secure = server.origin
            secure.scheme = .https
            let file = ClientCertificate(certificatePath: "x", keyPath: nil)
            let attempts: [(Origin, ServerProof)] = [
                (secure, ServerProof(.plain)),
                (server.origin, ServerProof(.publicCertificate(authorities: nil))),
                (server.origin, ServerProof(.pin(wrongPin))),
                (server.origin, ServerProof(.plain, clientCertificate: file)),
                (secure, ServerProof(.pin(""))), (secure, ServerProof(.pin("/etc/passwd"))),
                (secure, ServerProof(.pin(wrongPin + ";sha256//" + wrongPin))),
                (secure, ServerProof(.pin(String(wrongPin.dropLast())))),
            ]
            let transport = CurlTransport()
            for (origin, proof) in attempts {
                let error = await failure { () async throws(TransportError) in
                    try await transport.send(HTTPRequest(.get, origin, "/", proof: proof))
                }
                #expect(error?.kind == .identityRefused)
                #expect(error?.nothingSent == true)
            }
            #expect(server.receivedBytes.isEmpty)
            await transport.shutdown()
        }
    }

    @Test("TLS 1.1 is refused, and a server without TLS too")
    func oldTLS() async throws {
        try await TLSServer.openssl(["-tls1_1", "-cipher", "ALL:@SECLEVEL=0"]) { server in
            let result = await get(server.origin, .pin(server.pin))
            #expect(result.error?.kind == .handshakeFailed)
            #expect(result.error?.nothingSent == true)
            #expect(
                result.error?.detail.hasPrefix("the TLS handshake failed: ") == true
                    && result.error?.detail.contains("SSL routines") == false,
                "\(result.error?.detail ?? "")")
        }
        try await LoopbackServer.serving({ _ in [.answer("200 OK")] }) { server in
            var secure = server.origin
            secure.scheme = .https
            let result = await get(secure, .pin(wrongPin))
            #expect(result.error?.nothingSent == true)
            #expect(server.requests.isEmpty)
        }
    }

    @Test(
        "a server that accepts and never shakes hands passes the connect deadline",
        arguments: [0, 50])
    func silentHandshake(millisecondsOfPause: Int32) async throws {
        try await LoopbackServer.serving({ _ in [.staySilent] }) { server in
            // The pause makes libcurl's time limit start, and end, after the transfer's.
            let observation = TransferObservation { event in
                if case .started = event { poll(nil, 0, millisecondsOfPause) }
            }
            let transport = CurlTransport(observation: observation)
            var secure = server.origin
            secure.scheme = .https
            var request = HTTPRequest(.get, secure, "/", proof: ServerProof(.pin(wrongPin)))
            // Long enough for the connection itself on a machine that is busy.
            request.deadlines.connect = .seconds(3)
            let error = await failure { [request] () async throws(TransportError) in
                try await transport.send(request)
            }
            #expect(
                error
                    == TransportError(
                        .timedOut(.handshake), "no TLS handshake within 3 s",
                        nothingSent: true))
            await transport.shutdown()
        }
    }

    @Test("a client certificate reaches a server that proved its pin, and no other")
    func clientCertificate() async throws {
        let extra = """
            ssl_protocols TLSv1.2; ssl_verify_client optional_no_ca;
            location /who { return 200 "$ssl_client_s_dn"; }
            """
        try await TLSServer.nginx(extra) { server in
            _ = try TLSServer.makeCertificate("client", "/CN=argus-test", server.folder)
            let certificate = ClientCertificate(
                certificatePath: server.folder.file("client.pem"),
                keyPath: server.folder.file("client.key"))
            let transport = CurlTransport()
            let request = HTTPRequest(
                .get, server.origin, "/who",
                proof: ServerProof(.pin(server.pin), clientCertificate: certificate))
            let response = try await transport.send(request)
            #expect(String(decoding: response.body, as: UTF8.self) == "CN=argus-test")
            await transport.shutdown()
        }
        try await TLSServer.openssl(["-tls1_2", "-verify", "1", "-msg"]) { server in
            _ = try TLSServer.makeCertificate("client", "/CN=argus-test", server.folder)
            let certificate = ClientCertificate(
                certificatePath: server.folder.file("client.pem"),
                keyPath: server.folder.file("client.key"))
            let refused = await get(server.origin, .pin(wrongPin), certificate: certificate)
            #expect(refused.error?.kind == .identityRefused)
            let before = try server.folder.text("output")
            #expect(!before.contains("CN = argus-test"))
            // Shown to the right server, it is in the output.
            _ = await get(
                server.origin, .pin(server.pin), certificate: certificate, firstByte: .seconds(1))
            let after = try server.folder.text("output")
            #expect(after.contains("CN = argus-test"))
        }
    }

    @Test("a client key with a passphrase fails without a prompt")
    func lockedKey() async throws {
        try await TLSServer.nginx { server in
            _ = try TLSServer.makeCertificate("client", "/CN=argus-test", server.folder)
            let status = try ChildProcess([
                "openssl", "ec", "-aes256", "-passout", "pass:word", "-in",
                server.folder.file("client.key"), "-out", server.folder.file("locked.key"),
            ]).wait()
            try #require(status == 0)
            let certificate = ClientCertificate(
                certificatePath: server.folder.file("client.pem"),
                keyPath: server.folder.file("locked.key"))
            let result = await get(server.origin, .pin(server.pin), certificate: certificate)
            #expect(result.error?.kind == .unusableFile)
            #expect(result.error?.nothingSent == true)
            let words = result.error?.detail ?? ""
            #expect(words.hasPrefix("the client certificate or its key cannot be used: "))
        }
    }

    @Test("concurrent requests over TLS share one HTTP/2 connection")
    func multiplexing() async throws {
        try await TLSServer.nginx { server in
            let connections = Mutex(0)
            let transport = CurlTransport(
                observation: TransferObservation { event in
                    if case .finished(_, let end) = event, !end.timings.reusedConnection {
                        connections.withLock { $0 += 1 }
                    }
                })
            let request = HTTPRequest(
                .get, server.origin, "/", proof: ServerProof(.pin(server.pin)))
            try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<20 { group.addTask { try await transport.send(request).status } }
                for try await status in group { #expect(status == 200) }
            }
            #expect(connections.withLock { $0 } == 1)
            await transport.shutdown()
        }
    }
}

extension Result<HTTPResponse, TransportError> {
    fileprivate var response: HTTPResponse? { try? get() }

    fileprivate var error: TransportError? {
        if case .failure(let error) = self { error } else { nil }
    }
}

extension String {
    /// How often a text occurs.
    fileprivate func components(of text: String) -> Int { ranges(of: text).count }
}
