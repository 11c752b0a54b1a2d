import ArgusTestSupport
import Testing

@testable import ArgusAccount
@testable import ArgusCore
@testable import ArgusTransport

/// What goes over the wire, and what comes back from each generation.
@Suite("pairing routes")
struct PairingRoutesTests {
    private let fake = FakeTransport()
    private var client: APIClient { .test(fake) }
    private let device = PairingDevice(
        hardwareID: "550e8400-e29b-41d4-a716-446655440000", name: "attic",
        model: String(repeating: "m", count: 60), platform: .ios)

    private func code(_ text: String = "376529") throws -> PairingCode {
        try #require(PairingCode(typed: text))
    }

    private func body(_ index: Int) -> String {
        fake.requests[index].body.map { String(decoding: $0.bytes, as: UTF8.self) } ?? ""
    }

    private static let start = "/api/v1/mobile/auth/pair"
    private static let exchange = "/api/v1/mobile/auth/exchange"
    private static let verify = "/api/v1/mobile/auth/verify"
    private static let relay = "/api/v1/devices/pair"
    private static let received = Timestamp(seconds: 1_795_262_400)

    @Test("a code is asked for with all that today's server wants; no credential goes with it")
    func start() async throws {
        fake.stub(.post, Self.start, body: try Samples.text("mobile-pair"))
        var signedIn = client
        signedIn.authorization = .bearer(Redacted("token-1"))
        let offer = try await signedIn.call(PairingRoutes.start, device)
        #expect(offer.code == (try code()))
        #expect(offer.end(at: Self.received) == Self.received + .seconds(299))
        #expect(
            body(0)
                == #"{"device_id":"550e8400-e29b-41d4-a716-446655440000","device_name":"attic","#
                + #""device_model":"\#(String(repeating: "m", count: 50))","platform":"ios"}"#)
        #expect(!fake.requests[0].headers.contains { $0.name == "Authorization" })
        fake.verify()
    }

    @Test("the API file's answer is understood: 201, another name, its end by the server's clock")
    func startByFile() async throws {
        fake.stub(
            .post, Self.start, status: 201, headers: [("Date", "Wed, 24 Dec 2025 12:30:00 GMT")],
            body: #"{"pairing_code":"123456","expires_at":"2025-12-24T12:35:00Z"}"#)
        let offer = try await client.call(PairingRoutes.start, device)
        #expect(offer.code == (try code("123456")))
        #expect(offer.end(at: Self.received) == Self.received + .seconds(300))
        fake.verify()
    }

    @Test("a code without an expiry lives five minutes, and none more than a day")
    func lifetimes() async throws {
        for (body, seconds) in [
            (#"{"code":"123456"}"#, Int64(300)), (#"{"code":"123456","expires_in":-5}"#, 0),
            (#"{"code":"123456","expires_in":9223372036854775807}"#, 86_400),
        ] {
            fake.stub(.post, Self.start, body: body)
            let offer = try await client.call(PairingRoutes.start, device)
            #expect(offer.end(at: Self.received) == Self.received + .seconds(seconds))
        }
        fake.verify()
    }

    @Test("an answer without a code is invalid, a server without the route is unsupported")
    func noOffer() async throws {
        fake.stub(.post, Self.start, body: #"{"code":"12/../3"}"#)
        fake.stub(.post, Self.start, body: "{}")
        fake.stub(
            .post, Self.start, status: 401, body: try Samples.text("error-401-not-authenticated"))
        fake.stub(.post, Self.start, status: 405)
        var kinds: [APIError.Kind?] = []
        for _ in 0..<4 {
            kinds.append(
                await failure { () async throws(APIError) in
                    try await client.call(PairingRoutes.start, device)
                }?.kind)
        }
        let lacking = APIError.Kind.unsupported("codes for a device that wants to pair")
        #expect(kinds == [.malformedAnswer, .malformedAnswer, lacking, lacking])
        fake.verify()
    }

    @Test("the status of a code is read; a 2xx without one is not a status route")
    func status() async throws {
        let path = "/api/v1/mobile/auth/status/376529"
        for (sample, expected) in [
            ("waiting", [false, false]), ("confirmed", [true, false]),
            ("expired-or-unknown", [false, true]),
        ] {
            fake.stub(.get, path, body: try Samples.text("mobile-status-\(sample)"))
            let status = try await client.call(PairingRoutes.status, try code())
            #expect([status.isConfirmed, status.isGone] == expected)
        }
        fake.stub(.get, path, body: "{}")
        let code = try code()
        let error = await failure { () async throws(APIError) in
            try await client.call(PairingRoutes.status, code)
        }
        #expect(
            error?.kind == .unsupported("the state of pairing codes"))
        fake.verify()
    }

    @Test("an exchange goes to today's route, then to that of the API file, under both names")
    func exchange() async throws {
        fake.stub(.post, Self.exchange, body: try Samples.text("mobile-exchange"))
        let claim = PairingClaim(code: try code(), device: device)
        let grant = try await client.call(PairingRoutes.exchange, claim)
        #expect(grant.deviceRowID == "5efed58f-1ef0-4576-a4c5-40f7593862ca")
        #expect(grant.tokens.expiresIn == 900)
        #expect(body(0).contains(#""code":"376529","pairing_code":"376529","device_id":"550e"#))
        fake.verify()
        let other = FakeTransport()
        other.stub(.post, Self.exchange, status: 404, body: #"{"detail":"Not Found"}"#)
        other.stub(
            .post, Self.verify,
            body: #"{"access_token":"a","refresh_token":"r","token_type":"Bearer","#
                + #""expires_in":3600}"#)
        let second = try await APIClient.test(other).call(PairingRoutes.exchange, claim)
        #expect(second.deviceRowID == nil)
        #expect(second.tokens.refreshToken == Redacted("r"))
        other.verify()
    }

    @Test("a dashboard's code with letters goes to the design documents' route alone")
    func redeem() async throws {
        let answer = #"{"access_token":"a","refresh_token":"r","device_id":"row"}"#
        fake.stub(.post, Self.relay, body: answer)
        let letters = try code("ABC123")
        let grant = try await client.call(
            PairingRoutes.redeem(letters), PairingClaim(code: letters, device: device))
        #expect(grant.deviceRowID == "row")
        fake.stub(.post, Self.exchange, status: 404, body: #"{"detail":"Not Found"}"#)
        fake.stub(.post, Self.verify, status: 405)
        fake.stub(.post, Self.relay, body: answer)
        let digits = try code()
        _ = try await client.call(
            PairingRoutes.redeem(digits), PairingClaim(code: digits, device: device))
        fake.verify()
    }

    @Test("an answer without a token is nonsense")
    func noToken() async throws {
        fake.stub(.post, Self.exchange, body: #"{"access_token":""}"#)
        let claim = PairingClaim(code: try code(), device: device)
        let error = await failure { () async throws(APIError) in
            try await client.call(PairingRoutes.exchange, claim)
        }
        #expect(error?.kind == .malformedAnswer)
        fake.verify()
    }

    @Test("devices that wait are listed; rows without a code cost none of the others")
    func pending() async throws {
        func list(_ body: String) async throws(APIError) -> ListedRows<PendingDevice> {
            fake.stub(.get, "/api/v1/mobile/auth/pending", body: body)
            return try await client.call(PairingRoutes.pending, ())
        }
        let devices = try await list(try Samples.text("mobile-pending")).values
        #expect(devices.count == 6)
        #expect(devices[0].name == "argus CLI")
        #expect(devices[0].platform == "ios")
        #expect(devices[1].name == nil)
        #expect(devices[0].createdAt?.microseconds == 1_795_218_358_840_473)
        let odd = try await list(#"[1,{"code":7},{"code":"123456"}]"#)
        #expect(odd.values.map { $0.code.text.reveal() } == ["123456"])
        #expect(odd.unreadableRows == 2)
        for body in [#"{"pairings":null}"#, "null", "{}", #""x""#] {
            let error = await failure { () async throws(APIError) in try await list(body) }
            #expect(error?.kind == .malformedAnswer, "\(body)")
        }
        fake.verify()
    }
}
