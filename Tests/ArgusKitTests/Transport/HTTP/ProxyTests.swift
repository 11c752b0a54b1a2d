import ArgusCore
import ArgusTestSupport
import ArgusTransport
import Testing

@Suite("proxies", .hangLimit)
struct ProxyTests {
    private func origin(_ text: String) throws -> Origin {
        try ServerAddress(parsing: text).origin
    }

    @Test("a proxy of the environment carries plain http for other machines")
    func carries() async throws {
        try await LoopbackServer.serving({ _ in [.answer("200 OK", "by proxy")] }) { proxy in
            let proxies = ProxySettings(environment: [
                "http_proxy": "http://user:pr0xy-pass@127.0.0.1:\(proxy.port)"
            ])
            let transport = CurlTransport(proxies: proxies)
            let request = HTTPRequest(
                .get, try origin("http://argus.example:8000"), "/x", proof: ServerProof(.plain))
            let response = try await transport.send(request)
            #expect(response.body == Array("by proxy".utf8))
            #expect(proxy.requests.first?.line == "GET http://argus.example:8000/x HTTP/1.1")
            let credentials = proxy.requests.first?.header("Proxy-Authorization")
            #expect(credentials == "Basic dXNlcjpwcjB4eS1wYXNz")
            await transport.shutdown()
        }
    }

    @Test("loopback and requests that avoid proxies never meet one")
    func avoided() async throws {
        try await LoopbackServer.serving({ _ in [.answer("502 Bad Gateway")] }) { proxy in
            try await LoopbackServer.serving({ _ in [.answer("200 OK", "direct")] }) { server in
                let url = "http://127.0.0.1:\(proxy.port)"
                let transport = CurlTransport(
                    proxies: ProxySettings(environment: ["http_proxy": url, "all_proxy": url]))
                for host in ["127.0.0.1", "localhost", "a.localhost", "127.1.2.3"] {
                    let origin = Origin(scheme: .http, host: host, port: server.port)
                    let error = await failure { () async throws(TransportError) in
                        try await transport.send(
                            HTTPRequest(.get, origin, "/", proof: ServerProof(.plain)))
                    }
                    // Nothing listens on 127.1.2.3: a refusal shows that it was tried directly.
                    #expect(error?.kind == (host == "127.1.2.3" ? .notConnected : nil))
                }
                var request = HTTPRequest(
                    .get, try origin("http://no-such-host.invalid"), "/",
                    proof: ServerProof(.plain, avoidsProxies: true))
                request.deadlines.connect = .seconds(2)
                let error = await failure { [request] () async throws(TransportError) in
                    try await transport.send(request)
                }
                #expect(error?.kind == .unresolvedHost)
                #expect(proxy.receivedBytes.isEmpty)
                await transport.shutdown()
            }
        }
    }

    @Test("a proxy's refusal is reported as the proxy's, without its password")
    func refusals() async throws {
        let script: LoopbackServer.Script = { _ in [.answer("407 Proxy Authentication Required")] }
        let port = try await LoopbackServer.serving(script) { proxy in
            let transport = CurlTransport(
                proxies: ProxySettings(environment: [
                    "https_proxy": "http://user:pr0xy-pass@127.0.0.1:\(proxy.port)"
                ]))
            let request = HTTPRequest(
                .post, try origin("https://argus.example"), "/",
                proof: ServerProof(.publicCertificate(authorities: nil)))
            let error = await failure { () async throws(TransportError) in
                try await transport.send(request)
            }
            #expect(error?.kind == .proxyFailed)
            #expect(error?.detail == "the proxy answered 407")
            await transport.shutdown()
            return proxy.port
        }
        for proxy in [
            "http://u:pr0xy-pass@127.0.0.1:\(port)", "gopher://u:pr0xy-pass@x",
            "http://[u:pr0xy-pass",
        ] {
            let transport = CurlTransport(
                proxies: ProxySettings(environment: ["http_proxy": proxy]))
            let request = HTTPRequest(
                .get, try origin("http://argus.example"), "/", proof: ServerProof(.plain))
            let error = await failure { () async throws(TransportError) in
                try await transport.send(request)
            }
            #expect(error?.kind == .proxyFailed)
            #expect(error?.detail.contains("pr0xy-pass") == false)
            #expect(error?.nothingSent == true)
            await transport.shutdown()
        }
    }

    @Test(
        "a proxy that does not answer is named, without its user", arguments: ["socks5h", "http"])
    func silent(scheme: String) async throws {
        try await LoopbackServer.serving({ _ in [.staySilent] }) { proxy in
            let transport = CurlTransport(
                proxies: ProxySettings(environment: [
                    "https_proxy": "\(scheme)://user:pr0xy-pass@127.0.0.1:\(proxy.port)/"
                ]))
            var request = HTTPRequest(
                .get, try origin("https://argus.example"), "/",
                proof: ServerProof(.publicCertificate(authorities: nil)))
            request.deadlines.connect = .milliseconds(200)
            let error = await failure { [request] () async throws(TransportError) in
                try await transport.send(request)
            }
            let name = "'\(scheme)://127.0.0.1:\(proxy.port)'"
            #expect(error?.detail == "no connection by the proxy \(name) within 200 ms")
            await transport.shutdown()
        }
    }

    @Test("the variables are read as curl reads them")
    func variables() throws {
        func proxy(_ environment: [String: String], _ url: String) throws -> String? {
            ProxySettings(environment: environment).proxy(for: try origin(url))?.reveal()
        }
        #expect(try proxy([:], "https://a.example") == nil)
        #expect(try proxy(["http_proxy": "p"], "http://a.example") == "p")
        #expect(try proxy(["http_proxy": "p"], "https://a.example") == nil)
        #expect(try proxy(["HTTP_PROXY": "p"], "http://a.example") == nil)
        #expect(try proxy(["HTTPS_PROXY": "p"], "https://a.example") == "p")
        #expect(try proxy(["https_proxy": "q", "HTTPS_PROXY": "p"], "https://a.example") == "q")
        #expect(try proxy(["https_proxy": "", "ALL_PROXY": "p"], "https://a.example") == "p")
        #expect(try proxy(["all_proxy": "p"], "http://[::1]:8000") == nil)
    }

    @Test(
        "no_proxy names hosts, everything below them, addresses and networks",
        arguments: [
            ("*", "https://a.example", true), ("a.example", "https://a.example", true),
            ("a.example", "https://x.a.example", true), ("a.example", "https://xa.example", false),
            (".a.example", "https://x.a.example", true), ("A.Example.", "https://a.example", true),
            ("b, a.example", "https://a.example.", true), ("example", "https://example.org", false),
            ("192.168.1.5", "https://192.168.1.5", true),
            ("192.168.1.5", "https://192.168.1.50", false),
            ("192.168.0.0/16", "https://192.168.200.1", true),
            ("192.168.0.0/17", "https://192.168.200.1", false),
            ("192.168.0.0/33", "https://192.168.0.0", false),
            ("fd00::/8", "https://[fd12::1]", true), ("[fd12::1]", "https://[fd12::1]", true),
            ("fd00::/8", "https://10.0.0.1", false), (",,", "https://a.example", false),
        ])
    func exceptions(list: String, url: String, isException: Bool) throws {
        let settings = ProxySettings(environment: ["all_proxy": "p", "no_proxy": list])
        #expect((settings.proxy(for: try origin(url)) == nil) == isException)
    }
}
