import ArgusTestSupport
import Testing

@testable import argus
@testable import ArgusAccount
@testable import ArgusCore
@testable import ArgusTransport

@Suite("which server, which credential, and whether at all")
struct ConnectionTests {
    private let test: TestSystem
    private let keyFile: String
    private let tokenFile: String

    init() throws {
        test = try TestSystem()
        keyFile = try test.folder.plant("key-f\n", "key")
        tokenFile = try test.folder.plant("filed-token\n", "token")
    }

    private func stubCameras() {
        test.fake.stub(.get, "/api/v1/cameras", body: "[]")
    }

    private var lastRequest: HTTPRequest? { test.fake.requests.last }

    @Test(
        "the server of the option, then of the variable, then of the configuration, then the default"
    )
    func serverOrder() async throws {
        try await test.know("home")
        try await test.know("cottage", at: "https://cottage.example")
        try await test.know("boat", at: "https://boat.example")
        try await test.know("shed", at: "https://shed.example")
        stubCameras()
        #expect(await test.run("cameras") == .done)
        #expect(lastRequest?.origin.host == "home.example")
        try test.folder.plant("server = \"cottage\"\n", "config.toml")
        stubCameras()
        #expect(await test.run("cameras") == .done)
        #expect(lastRequest?.origin.host == "cottage.example")
        test.environment["ARGUS_SERVER"] = "BOAT"
        stubCameras()
        #expect(await test.run("cameras") == .done)
        #expect(lastRequest?.origin.host == "boat.example")
        stubCameras()
        #expect(await test.run("cameras", "-s", "https://shed.example/") == .done)
        #expect(lastRequest?.origin.host == "shed.example")
    }

    @Test("the credential of a file option, then of variables, then of the store")
    func credentialOrder() async throws {
        try await test.know()
        stubCameras()
        #expect(await test.run("cameras", "-s", "home") == .done)
        #expect(lastRequest?.credentialText == "Authorization: Bearer token-1")
        test.environment["ARGUS_API_KEY"] = "key-v"
        stubCameras()
        #expect(await test.run("cameras", "-s", "home") == .done)
        #expect(lastRequest?.credentialText == "X-API-Key: key-v")
        test.environment["ARGUS_TOKEN_FILE"] = tokenFile
        stubCameras()
        #expect(await test.run("cameras", "-s", "home") == .done)
        #expect(lastRequest?.credentialText == "Authorization: Bearer filed-token")
        stubCameras()
        #expect(await test.run("cameras", "-s", "home", "--api-key-file", keyFile) == .done)
        #expect(lastRequest?.credentialText == "X-API-Key: key-f")
    }

    @Test("a credential that is not from the store goes only to a server that was named")
    func credentialOverrides() async throws {
        try await test.know()
        #expect(await test.run("cameras", "--token-file", tokenFile) == .usage)
        #expect(
            test.stderr == """
                argus: the credentials of --token-file are sent only to a server that you name
                hint: add --server home

                """)
        try test.folder.plant("server = \"home\"\n", "config.toml")
        stubCameras()
        #expect(await test.run("cameras", "--token-file", tokenFile) == .done)
        #expect(lastRequest?.credentialText == "Authorization: Bearer filed-token")
        let url = "https://new.example:8443/argus"
        test.fake.stub(.get, "/argus/api/v1/cameras", body: "[]")
        #expect(await test.run("cameras", "-s", url, "--token-file", tokenFile) == .done)
        #expect(lastRequest?.origin.description == "https://new.example:8443")
    }

    @Test("plain http goes to this machine, and nowhere else without a permission")
    func plainHTTP() async throws {
        stubCameras()
        #expect(
            await test.run("cameras", "-s", "http://127.0.0.1:8000", "--token-file", tokenFile)
                == .done)
        #expect(lastRequest?.proof.avoidsProxies == true)
        for url in [
            "http://192.168.1.5:8000", "http://home.example", "http://127.0.0.1.evil.example",
        ] {
            #expect(await test.run("cameras", "-s", url, "--token-file", tokenFile) == .identity)
        }
        #expect(test.fake.requests.count == 1)
    }

    @Test("a permission holds for its origin, on its network")
    func plainHTTPAllowance() async throws {
        let origin = Origin(scheme: .http, host: "192.168.1.5", port: 8000)
        try await test.know("home", at: "http://192.168.1.5:8000", proof: .plain) {
            $0.plainHTTPAllowances = [
                PlainHTTPAllowance(origin: origin, gatewayMAC: "02:00:00:00:00:01")
            ]
        }
        stubCameras()
        #expect(await test.run("cameras") == .done)
        test.network = NetworkIdentity(gateways: [.init(interface: "e", mac: "02:00:00:00:00:02")])
        #expect(await test.run("cameras", "--json") == .identity)
        #expect(try test.errorObject()["reason"]?.string == "plain_http")
        #expect(test.fake.requests.count == 1)
    }

    @Test("while no router answers nothing is sent, and the status is 6; the next try may go")
    func silentRouter() async throws {
        let origin = Origin(scheme: .http, host: "192.168.1.5", port: 8000)
        try await test.know("home", at: "http://192.168.1.5:8000", proof: .plain) {
            $0.plainHTTPAllowances = [
                PlainHTTPAllowance(origin: origin, gatewayMAC: "02:00:00:00:00:01")
            ]
        }
        let known = test.network
        for gateways in [[], [.init(interface: "eth0", mac: nil, isSilent: true)]]
            as [[NetworkIdentity.Gateway]]
        {
            test.network = NetworkIdentity(gateways: gateways)
            #expect(await test.run("cameras", "--json", "--retries", "1") == .unreachable)
            let error = try test.errorObject()
            #expect(error["reason"]?.string == "unknown_network")
            #expect(error["message"]?.string?.contains("no router answers") == true)
            #expect(error["retryable"]?.bool == true)
        }
        #expect(
            await test.run("login", "http://192.168.1.5:8000", "-u", "a", "--token-stdin")
                == .usage)
        let word = try test.folder.plant("hunter22", "password")
        let line = [
            "login", "http://192.168.1.5:8000", "-u", "a", "--password-file", word, "--json",
        ]
        for more in [[], ["--insecure-http"]] {
            #expect(await test.run(line + more) == .unreachable)
            #expect(try test.errorObject()["reason"]?.string == "unknown_network")
        }
        #expect(test.fake.requests.isEmpty)
        test.network = known
        stubCameras()
        #expect(await test.run("cameras") == .done)
    }

    @Test("a certificate of other dates is status 9 for one command, without a word of trust")
    func certificateDates() async throws {
        try await test.know("home", at: "https://home.example")
        var cause = TransportError(
            .identityRefused, "by this machine's clock it has expired", nothingSent: true)
        cause.isByDates = true
        test.fake.stub(.get, "/api/v1/cameras", error: cause)
        #expect(await test.run("cameras", "--json") == .identity)
        let error = try test.errorObject()
        #expect(error["reason"]?.string == "clock")
        #expect(
            error["message"]?.string
                == "'home' did not prove its identity: by this machine's clock it has expired")
        #expect(error["hint"]?.string?.contains("trust") == false)
        #expect(test.looks.all.isEmpty, "it looks at no other certificate")
    }

    @Test("words are checked first, then the scheme, then the credentials, then the network")
    func order() async throws {
        let record = try await test.know(
            "home", at: "http://192.168.1.5", proof: .plain, signedInWith: nil)
        #expect(await test.run("cameras", "--fields", "bogus") == .usage)
        #expect(await test.run("cameras", "--raw") == .usage)
        #expect(await test.run("cameras") == .identity)
        try await test.know("cottage", at: "https://cottage.example", signedInWith: nil)
        #expect(await test.run("cameras", "-s", "cottage", "--json") == .notSignedIn)
        #expect(try test.errorObject()["reason"]?.string == "no_credentials")
        #expect(test.fake.requests.isEmpty)
        #expect(try await test.credential(of: record) == nil)
        try await test.know("boat", at: "https://boat.example")
        let refused = TransportError(.notConnected, "connection refused", nothingSent: true)
        test.fake.stub(.get, "/api/v1/cameras", error: refused)
        #expect(await test.run("cameras", "-s", "boat", "--retries", "0") == .unreachable)
    }

    @Test("no server, an unknown one, and several of one beginning")
    func noServer() async throws {
        #expect(await test.run("cameras", "--json") == .notSignedIn)
        #expect(try test.errorObject()["reason"]?.string == "no_server")
        try await test.know()
        #expect(await test.run("cameras", "-s", "nowhere") == .notFound)
        #expect(await test.run("cameras", "-s", "https://nowhere.example") == .notSignedIn)
        #expect(await test.run("cameras", "-s", "http://nowhere.example") == .identity)
    }

    @Test("--via of the option, then of the configuration")
    func via() async throws {
        try await test.know { record in
            record.endpoints.append(
                Endpoint(.relay, "https://relay.example", proof: .publicCertificate))
        }
        stubCameras()
        #expect(await test.run("cameras") == .done)
        #expect(lastRequest?.origin.host == "home.example")
        stubCameras()
        #expect(await test.run("cameras", "--via", "relay") == .done)
        #expect(lastRequest?.origin.host == "relay.example")
        try test.folder.plant("via = \"relay\"\n", "config.toml")
        stubCameras()
        #expect(await test.run("cameras") == .done)
        #expect(lastRequest?.origin.host == "relay.example")
        stubCameras()
        #expect(await test.run("cameras", "--via", "local") == .done)
        #expect(lastRequest?.origin.host == "home.example")
    }

    @Test("a missing address is not retryable", arguments: ["relay", "local"])
    func absentEndpoint(via: String) async throws {
        try await test.know { record in
            guard via == "local" else { return }
            record.endpoints = [
                Endpoint(.relay, "https://relay.example", proof: .publicCertificate)
            ]
        }
        #expect(await test.run("cameras", "--via", via, "--json") == .usage)
        let error = try test.errorObject()
        #expect(error["message"]?.string == "'home' has no \(via) address")
        #expect(error["reason"]?.string == "no_address")
        #expect(error["retryable"]?.bool == false)
    }

    @Test("a web server that is not ArgusAI is reported as such, whatever the request")
    func foreign() async throws {
        let (page, hint) = ("<html>Not Found</html>", "check the address, with its port and path")
        let message = "'home' does not answer as an ArgusAI server does (HTTP 404)"
        try await test.know()
        for _ in 0..<3 { test.fake.stub(.get, "/api/v1/cameras", status: 404, body: page) }
        #expect(await test.run("cameras") == .serverError)
        #expect(test.stderr == "argus: \(message)\nhint: \(hint)\n")
        #expect(test.waits.all.count == 2, "another try may reach the server")
        test.fake.stub(.get, "/api/v1/auth/setup-status", status: 404, body: page)
        #expect(
            await test.run(
                "login", "https://web.example", "--api-key-file", keyFile, "--json", "--retries=0")
                == .serverError)
        #expect(try test.errorObject()["reason"]?.string == "not_argusai")
        for path in ["/health", "/openapi.json", "/api/v1/auth/me"] {
            test.fake.stub(.get, path, status: 404, body: page)
        }
        _ = await test.run(
            "doctor", "--format", "ndjson", "--fields", "check,message,remedy", "--retries=0")
        for check in ["health", "sign-in"] {
            #expect(
                test.stdout.contains(
                    #"{"check":"\#(check)","message":"\#(message)","remedy":"\#(hint)"}"#))
        }
        #expect(!test.stdout.contains("the server answers"))
    }

    @Test("JSON that is no answer of ArgusAI's is named by its status, too")
    func foreignJSON() async throws {
        try await test.know()
        for (body, words) in [
            ("{\"status\":\"ok\"}", "the list of cameras has no cameras"),
            ("", "the answer is empty"),
        ] {
            test.fake.stub(.get, "/api/v1/cameras", body: body)
            #expect(await test.run("cameras", "--json", "--retries=0") == .serverError)
            let error = try test.errorObject()
            #expect(error["reason"]?.string == "not_argusai")
            #expect(error["http_status"]?.int == 200)
            #expect(error["message"]?.string?.contains("(HTTP 200)") == true)
            #expect(error["message"]?.string?.hasSuffix(": \(words)") == true, "\(error)")
        }
    }

    @Test("time-outs and retries come from options, then from the configuration")
    func waiting() async throws {
        try await test.know()
        try test.folder.plant("timeout = \"7s\"\nretries = 1\n", "config.toml")
        let refused = TransportError(.notConnected, "connection refused", nothingSent: true)
        for _ in 0..<2 { test.fake.stub(.get, "/api/v1/cameras", error: refused) }
        #expect(await test.run("cameras") == .unreachable)
        #expect(lastRequest?.deadlines.firstByte == .seconds(7))
        #expect(test.waits.all.count == 1)
        stubCameras()
        #expect(await test.run("cameras", "--timeout", "90s") == .done)
        #expect(lastRequest?.deadlines.firstByte == .seconds(90))
    }

    @Test("a refused request is waited for only where that was asked for")
    func rateLimit() async throws {
        try await test.know()
        test.fake.stub(.get, "/api/v1/cameras", status: 429, headers: [("Retry-After", "12")])
        #expect(await test.run("cameras", "--json") == .rateLimited)
        #expect(try test.errorObject()["retry_after_seconds"]?.int == 12)
        #expect(test.waits.all == [])
        test.fake.stub(.get, "/api/v1/cameras", status: 429, headers: [("Retry-After", "12")])
        stubCameras()
        #expect(await test.run("cameras", "--wait-rate-limit") == .done)
        #expect(test.waits.all == ["12.0 seconds"])
    }

    @Test("what a run learnt of a server's routes serves the next one")
    func knowledge() async throws {
        let record = try await test.know()
        test.fake.stub(.get, "/api/v1/cameras", status: 404, body: #"{"detail":"Not Found"}"#)
        test.fake.stub(.get, "/api/v1/mobile/cameras", body: #"{"cameras":[]}"#)
        #expect(await test.run("cameras") == .done)
        let learnt = try test.known()[record.id]?.knowledge
        #expect(learnt?.generations == ["cameras.list": "mobile"])
        #expect(learnt?.learntAt == TestSystem.now)
        test.fake.stub(.get, "/api/v1/mobile/cameras", body: #"{"cameras":[]}"#)
        #expect(await test.run("cameras") == .done)
    }

    @Test("an unusable redirect target is reported by its own address")
    func redirectedAway() async throws {
        for (failure, kind, words) in [
            (
                TransportError(.notConnected, "connection refused", nothingSent: true),
                ExitKind.unreachable,
                "cannot reach https://other.example:8443, to which 'home' redirects: "
                    + "connection refused"
            ),
            (
                TransportError(.identityRefused, "self-signed certificate", nothingSent: true),
                .identity,
                "https://other.example:8443, to which 'home' redirects, did not prove its identity: "
                    + "self-signed certificate"
            ),
            (
                TransportError(.truncatedBody, "the answer broke off"), .serverError,
                "https://other.example:8443, to which 'home' redirects, sent an invalid response when asked "
                    + "to list cameras: the answer broke off"
            ),
        ] {
            let test = try TestSystem()
            try await test.know()
            test.fake.stub(
                .get, "/api/v1/cameras", status: 307,
                headers: [("Location", "https://other.example:8443/secret-word")])
            test.fake.stub(.get, "/secret-word", error: failure)
            // One try: the way to the server itself is as good as it was.
            #expect(await test.run("cameras", "--retries", "0", "-v") == kind)
            #expect(test.stderr.contains("argus: \(words)\n"), "\(test.stderr)")
            #expect(!test.stderr.contains("secret-word"))
            #expect(!test.stderr.contains("fingerprint"), "\(test.stderr)")
        }
    }
}
