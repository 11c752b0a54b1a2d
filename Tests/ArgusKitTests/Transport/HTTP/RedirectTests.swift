import ArgusTestSupport
import Testing

@testable import ArgusCore
@testable import ArgusTransport

@Suite("redirects")
struct RedirectTests {
    private let home = Origin(scheme: .https, host: "home.example", port: 443)
    private let pinned = ServerProof(
        .pin(String(repeating: "A", count: 43) + "="),
        clientCertificate: ClientCertificate(certificatePath: "/c.pem", keyPath: nil),
        avoidsProxies: true)

    private func request(
        _ method: HTTPRequest.Method = .get, _ origin: Origin? = nil
    ) -> HTTPRequest {
        var request = HTTPRequest(
            method, origin ?? home, "/api/a?x=1",
            headers: [
                HTTPHeader("Authorization", secret: Redacted("Bearer abc")),
                HTTPHeader("X-API-Key", secret: Redacted("key")),
                HTTPHeader("X-Device-ID", "device"), HTTPHeader("Cookie", "a=b"),
                HTTPHeader("X-Relay-Pass", "mine"), HTTPHeader("accept", "application/json"),
            ], proof: pinned)
        request.followsRedirects = true
        return request
    }

    private func follower(_ base: any Transport) -> HopTransport {
        HopTransport(base, LocalNames(ScriptedBrowser([])))
    }

    private func redirect(_ location: String, status: Int = 302) -> HTTPResponse {
        HTTPResponse(status: status, headers: HTTPHeaders([("location", location)]))
    }

    @Test(
        "a hop within the origin keeps header fields and proof",
        arguments: [301, 302, 303, 307, 308])
    func sameOrigin(status: Int) throws {
        let next = try request().redirected(by: redirect("../b?y=2", status: status))
        #expect(next.target == "/b?y=2")
        #expect(next.origin == home)
        #expect(next.headers.count == 6)
        #expect(next.proof == pinned)
    }

    @Test("a hop to another origin carries nothing of the user's and asks for a public certificate")
    func otherOrigin() throws {
        for location in [
            "https://other.example/b", "//other.example/b", "https://home.example:8443/b",
        ] {
            let next = try request().redirected(by: redirect(location))
            #expect(next.target == "/b")
            #expect(next.headers.map(\.name) == ["accept"])
            #expect(next.proof.identity == .publicCertificate(authorities: nil))
            #expect(next.proof.clientCertificate == nil)
        }
    }

    @Test("dropped credentials do not return when a later hop leads back to the first origin")
    func thereAndBack() throws {
        let away = try request().redirected(by: redirect("https://other.example/b"))
        let back = try away.redirected(by: redirect("https://home.example/c"))
        #expect(back.headers.map(\.name) == ["accept"])
    }

    @Test(
        "hops that may not be followed are refused without their target in the words",
        arguments: [
            ("http://home.example/secret-token", "the server redirects to plain http"),
            ("http://127.0.0.1/secret-token", "the server redirects to plain http"),
            ("ftp://home.example/secret-token", "the server redirects to a malformed address"),
            ("javascript:secret-token", "the server redirects to a malformed address"),
            (
                "https://user:secret-token@home.example/",
                "the server redirects to a malformed address"
            ),
            ("https:///secret-token", "the server redirects to a malformed address"),
            ("https://a b/secret-token", "the server redirects to a malformed address"),
            ("https:secret-token", "the server redirects to a malformed address"),
            ("/a\u{7}secret-token", "the server redirects to a malformed address"),
        ])
    func refused(location: String, words: String) {
        #expect(throws: TransportError(.redirectRefused, words)) {
            try request().redirected(by: redirect(location))
        }
    }

    @Test("plain http may lead to plain http on this machine only, and from it")
    func plainHTTP() throws {
        let here = Origin(scheme: .http, host: "127.0.0.1", port: 8000)
        let next = try request(.get, here).redirected(by: redirect("http://localhost:9000/"))
        #expect(next.proof == ServerProof(.plain, avoidsProxies: true))
        let secure = try request(.get, here).redirected(by: redirect("https://127.0.0.1:8000/"))
        #expect(secure.proof.identity == .publicCertificate(authorities: nil))
        for (from, to) in [("192.168.1.5", "127.0.0.1"), ("127.0.0.1", "192.168.1.5")] {
            let origin = Origin(scheme: .http, host: from, port: 80)
            #expect(throws: TransportError.self) {
                try request(.get, origin).redirected(by: redirect("http://\(to)/"))
            }
        }
    }

    @Test("only a GET is redirected, and only to somewhere")
    func methods() {
        for method in [HTTPRequest.Method.post, .put, .delete, .patch, .head] {
            #expect(
                throws: TransportError(
                    .redirectRefused, "the server redirects a \(method.rawValue)")
            ) {
                try request(method).redirected(by: redirect("/b"))
            }
        }
        #expect(throws: TransportError(.redirectRefused, "the server redirects without an address"))
        {
            try request().redirected(by: HTTPResponse(status: 302))
        }
        // Where to sign in is named, without the path, which may contain a token.
        let words = "the server redirects a POST to https://new.example:8443"
        #expect(throws: TransportError(.redirectRefused, words)) {
            try request(.post).redirected(by: redirect("https://new.example:8443/secret-token"))
        }
    }

    @Test("five hops are followed, a sixth is refused")
    func limit() async throws {
        for hops in [5, 6] {
            let fake = FakeTransport()
            fake.stub(.get, "/api/a?x=1", status: 302, headers: [("Location", "/1")])
            for hop in 1..<hops {
                fake.stub(.get, "/\(hop)", status: 302, headers: [("Location", "/\(hop + 1)")])
            }
            if hops == 5 { fake.stub(.get, "/5", body: "{}") }
            let error = await failure { () async throws(TransportError) in
                try await follower(fake).send(request())
            }
            #expect(
                error
                    == (hops == 5
                        ? nil : TransportError(.redirectRefused, "more than 5 redirects")))
            fake.verify()
        }
    }

    @Test("other answers pass, 304 and 300 too")
    func passing() async throws {
        for status in [200, 300, 304, 404, 500] {
            let fake = FakeTransport()
            fake.stub(.get, "/api/a?x=1", status: status, headers: [("Location", "/1")])
            let response = try await follower(fake).send(request(), receive: { _ in true })
            #expect(response.status == status)
            fake.verify()
        }
    }

    @Test(
        "references resolve as in RFC 3986, section 5.4",
        arguments: [
            ("g", "/b/c/g"), ("./g", "/b/c/g"), ("g/", "/b/c/g/"), ("/g", "/g"),
            ("?y", "/b/c/d;p?y"),
            ("g?y", "/b/c/g?y"), ("#s", "/b/c/d;p?q"), ("g#s", "/b/c/g"), (";x", "/b/c/;x"),
            ("", "/b/c/d;p?q"), (".", "/b/c/"), ("./", "/b/c/"), ("..", "/b/"), ("../g", "/b/g"),
            ("../..", "/"), ("../../g", "/g"), ("../../../g", "/g"), ("/./g", "/g"),
            ("/../g", "/g"),
            ("g.", "/b/c/g."), ("..g", "/b/c/..g"), ("./../g", "/b/g"), ("./g/.", "/b/c/g/"),
            ("g/./h", "/b/c/g/h"), ("g/../h", "/b/c/h"), ("g;x=1/../y", "/b/c/y"),
            ("g?y/../x", "/b/c/g?y/../x"), ("ä b?ü", "/b/c/%C3%A4%20b?%C3%BC"),
            ("a:80/b", nil as String?), ("//", nil), ("//x:0/", nil),
        ])
    func resolution(reference: String, target: String?) {
        let base = Origin(scheme: .http, host: "a", port: 80)
        let resolved = RedirectTarget(reference, from: base, "/b/c/d;p?q")
        #expect(resolved?.target == target)
        if target != nil { #expect(resolved?.origin == base) }
    }
}
