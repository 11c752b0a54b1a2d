import ArgusTestSupport
import Testing

@testable import ArgusAccount
@testable import ArgusCore
@testable import ArgusEvents
@testable import ArgusTransport

@Suite("route fallback")
struct RouteFallbackTests {
    /// A thing that two generations of servers offer at different places.
    private let operation = Operation<String, String>(
        "things.show", feature: "things",
        routes: [
            Route(.current) {
                RouteRequest(.get, "/now", $0)
            } decode: { _ in
                "current"
            },
            Route(.mobile) {
                RouteRequest(.get, "/mobile", $0)
            } decode: { _ in
                "mobile"
            },
        ])
    private let bearer = Authorization.bearer(Redacted("t"))
    private static let absent = #"{"detail":"Not Found"}"#

    private func call(_ client: APIClient) async throws -> String {
        try await client.call(operation, "1")
    }

    @Test(
        "an absent route moves an accepted client to the next one, which is remembered",
        arguments: [(404, absent), (405, #"{"detail":"Method Not Allowed"}"#)])
    func fallsBack(status: Int, body: String) async throws {
        let fake = FakeTransport()
        fake.stub(.get, "/now/1", status: status, body: body)
        fake.stub(.get, "/mobile/1")
        fake.stub(.get, "/mobile/1")
        let client = APIClient.test(fake, bearer)
        #expect(try await call(client) == "mobile")
        #expect(client.knowledge.routes == ["things.show": "mobile"])
        #expect(client.knowledge.isChanged)
        #expect(try await call(client) == "mobile")
        fake.verify()
    }

    @Test(
        "a thing that is absent is final, and so is every other refusal",
        arguments: [
            (404, #"{"detail":"Event 1 not found"}"#, .notFound),
            (410, #"{"detail":"Not Found"}"#, .notFound),
            (401, #"{"detail":"Not authenticated"}"#, .unauthorized),
            (401, #"{"detail":"Invalid token"}"#, .unauthorized),
            (403, #"{"detail":"Not Found"}"#, .forbidden), (429, "", .rateLimited),
            (400, #"{"detail":"Not Found"}"#, .rejected),
            (500, "Internal Server Error", .serverError),
        ] as [(Int, String, APIError.Kind)])
    func isFinal(status: Int, body: String, kind: APIError.Kind) async {
        let fake = FakeTransport()
        fake.stub(.get, "/now/1", status: status, body: body)
        let error = await failure { () async throws(APIError) in
            try await APIClient.test(fake, bearer).call(operation, "1")
        }
        #expect(error?.kind == kind)
        #expect(error?.status == status)
        fake.verify()
    }

    @Test(
        "an answer that no ArgusAI server sends decides nothing, whatever its status",
        arguments: [
            200, 201, 203, 300, 304, 400, 401, 403, 404, 405, 409, 410, 413, 416, 418, 422, 451,
            500, 502, 503, 504, 511, 599,
        ],
        [
            "", "<html>Not Found</html>", "404 page not found", "Not Found", "Not authenticated",
            "nginx",
        ])
    func foreign(status: Int, body: String) async {
        let fake = FakeTransport()
        let picture = Operation<String, String>(
            "things.picture", feature: "pictures of things",
            Route(.current) {
                RouteRequest.image("/now", $0)
            } decode: { _ in
                "picture"
            })
        for asked in status < 300 && !body.hasPrefix("<") ? [operation] : [operation, picture] {
            fake.stub(.get, "/now/1", status: status, body: body)
            let client = APIClient.test(fake)
            let error = await failure { () async throws(APIError) in
                try await client.call(asked, "1")
            }
            #expect(error?.kind == .foreign(status))
            #expect(
                error?.status == nil && error?.provesNothing == true && error?.isFinal == false)
            #expect(client.knowledge.routes == [:])
            #expect(fake.requests.last?.isForeign(answer(status, body)) == true)
        }
        fake.verify()
    }

    private func answer(_ status: Int, _ body: String) -> HTTPResponse {
        HTTPResponse(status: status, body: Array(body.utf8))
    }

    @Test(
        "JSON of another kind of server is none of ArgusAI's",
        arguments: [
            "{}", #"["gone"]"#, #""gone""#, "null", #"{"message":"Forbidden"}"#,
            #"{"error":"forbidden"}"#, #"{"detail":""}"#, #"{"detail":null}"#, #"{"detail":7}"#,
            #"{"status":404,"error":"Not Found","path":"/now/1"}"#,
        ])
    func foreignJSON(body: String) {
        for status in [400, 401, 403, 404, 405, 413, 500, 503] {
            #expect(APIError(answer: answer(status, body)).kind == .foreign(status))
        }
    }

    @Test("a stored picture that is gone is an empty 404; a HEAD has no body to judge")
    func withoutBody() async {
        let fake = FakeTransport()
        fake.stub(.get, "/api/v1/thumbnails/2026-11-20/x.jpg", status: 404, body: "")
        let error = await failure { () async throws(APIError) in
            try await APIClient.test(fake).call(
                EventRoutes.storedThumbnail, .init(day: "2026-11-20", file: "x.jpg"))
        }
        #expect(error?.kind == .notFound)
        #expect(APIError(answer: answer(403, ""), to: .head).kind == .forbidden)
        #expect(APIClient.isRouteAbsent(answer(405, ""), to: .head, isAnonymous: false))
        fake.verify()
    }

    @Test(
        "a proxy's limits and time-outs are as good as the server's: they concern the request",
        arguments: [408, 425, 429])
    func temporary(status: Int) {
        let error = APIError(answer: answer(status, "<html>"))
        #expect(!error.isForeign && !error.isFinal && error.provesNothing)
    }

    @Test("a redirect, and the fault of where it leads, end no watch: no ArgusAI server redirects")
    func redirects() {
        let portal = Origin(scheme: .https, host: "portal.example", port: 443)
        let refused = TransportError(.identityRefused, "self-signed certificate", nothingSent: true)
        #expect(APIError(transport: refused).isFinal)
        #expect(!APIError(transport: refused.of(portal)).isFinal)
        #expect(!APIError(transport: TransportError(.redirectRefused, "to plain http")).isFinal)
    }

    @Test("without credentials a 401 may speak of the route, with them it never does")
    func anonymous() async throws {
        let fake = FakeTransport()
        fake.stub(
            .get, "/now/1", status: 401, body: try Samples.text("error-401-not-authenticated"))
        fake.stub(.get, "/mobile/1")
        #expect(try await call(.test(fake)) == "mobile")
        fake.stub(.get, "/now/1", status: 401, body: try Samples.text("error-401-invalid-token"))
        let error = await failure { () async throws(APIError) in
            try await APIClient.test(fake).call(operation, "1")
        }
        #expect(error?.kind == .unauthorized)
        fake.verify()
    }

    @Test("a remembered route is asked first; when it has gone, the others are, and that is kept")
    func surprise() async throws {
        let fake = FakeTransport()
        fake.stub(.get, "/mobile/1", status: 404, body: Self.absent)
        fake.stub(.get, "/now/1")
        let client = APIClient.test(fake, bearer, knowledge: ["things.show": "mobile"])
        #expect(try await call(client) == "current")
        #expect(client.knowledge.routes == ["things.show": "current"])
        #expect(client.knowledge.isChanged)
        fake.verify()
    }

    @Test("what was known already is nothing new, and unknown generations are ignored")
    func nothingNew() async throws {
        let fake = FakeTransport()
        fake.stub(.get, "/now/1")
        let client = APIClient.test(fake, bearer, knowledge: ["things.show": "current"])
        #expect(try await call(client) == "current")
        #expect(!client.knowledge.isChanged)
        fake.stub(.get, "/now/1")
        let other = APIClient.test(fake, bearer, knowledge: ["things.show": "quantum"])
        #expect(try await call(other) == "current")
        fake.verify()
    }

    @Test("a server with none of the routes is unsupported, and nothing is remembered")
    func unsupported() async {
        let fake = FakeTransport()
        fake.stub(.get, "/mobile/1", status: 405)
        fake.stub(.get, "/now/1", status: 404, body: Self.absent)
        let client = APIClient.test(fake, bearer, knowledge: ["things.show": "mobile"])
        let error = await failure { () async throws(APIError) in
            try await client.call(operation, "1")
        }
        #expect(error?.kind == .unsupported("things"))
        #expect(client.knowledge.routes == [:])
        #expect(client.knowledge.isChanged)
        fake.verify()
    }

    @Test("requests carry the device fields and the right credential, and no other")
    func headers() async throws {
        let fake = FakeTransport()
        let login = PasswordLogin(username: "ann", password: Redacted("pw"))
        fake.stub(.get, "/now/1")
        fake.stub(.get, "/now/1")
        fake.stub(.post, "/api/v1/auth/login", body: try Samples.text("login-response"))
        _ = try await APIClient.test(fake, bearer).call(operation, "1")
        _ = try await APIClient.test(fake, .apiKey(Redacted("k"))).call(operation, "1")
        _ = try await APIClient.test(fake, bearer).call(AccountRoutes.login, login)
        let headers = fake.requests.map { request in
            request.headers.map { header in
                switch header.value {
                case .plain(let text): "\(header.name): \(text)"
                case .secret(let text): "\(header.name): secret \(text.reveal())"
                }
            }
        }
        let common = ["Accept: application/json", "User-Agent: argus/test"]
        #expect(headers[0] == common + ["Authorization: secret Bearer t"])
        #expect(headers[1] == common + ["X-API-Key: secret k"])
        #expect(headers[2] == common, "a sign-in carries no older credential")
        #expect(
            fake.requests[2].body.map { String(decoding: $0.bytes, as: UTF8.self) }
                == #"{"username":"ann","password":"pw"}"#)
        fake.verify()
    }

    @Test("slow routes wait longer, and --timeout bounds the first byte of each")
    func deadlines() {
        var client = APIClient.test(FakeTransport())
        var slow = RouteRequest(.get, "/slow")
        slow.isSlow = true
        #expect(client.httpRequest(slow).deadlines.firstByte == .seconds(60))
        #expect(client.httpRequest(slow).deadlines.total == .seconds(120))
        client.firstByteTimeout = .seconds(90)
        let plain = client.httpRequest(RouteRequest(.get, "/plain"))
        #expect(plain.deadlines.firstByte == .seconds(90))
        #expect(plain.deadlines.total == .seconds(90))
        #expect(client.httpRequest(slow).deadlines.total == .seconds(120))
    }
}
