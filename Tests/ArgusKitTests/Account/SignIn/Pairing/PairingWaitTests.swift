import ArgusTestSupport
import Synchronization
import Testing

@testable import ArgusAccount
@testable import ArgusCore
@testable import ArgusTransport

@Suite("waiting for a confirmation")
struct PairingWaitTests {
    /// A clock that only sleeping moves.
    private final class Clock: Sendable {
        let time = Mutex(Timestamp(seconds: 1_795_262_400))
        let waits = Mutex<[Duration]>([])

        var now: Timestamp { time.withLock { $0 } }

        func sleep(_ duration: Duration) {
            time.withLock { $0 = $0 + duration }
            waits.withLock { $0.append(duration) }
        }
    }

    private let fake = FakeTransport()
    private let clock = Clock()
    private static let path = "/api/v1/mobile/auth/status/376529"
    private static let exchange = "/api/v1/mobile/auth/exchange"
    private static let verify = "/api/v1/mobile/auth/verify"
    private static let lost = TransportError(.connectionLost, "connection reset")

    private func answer(_ sample: String, _ times: Int = 1) throws {
        for _ in 0..<times {
            fake.stub(.get, Self.path, body: try Samples.text("mobile-status-\(sample)"))
        }
    }

    /// How a wait for a code of `lifetime` seconds ends: a word for the end, and the progress.
    private func wait(
        lifetime: Int64 = 20, tick: Duration = PairingWait.interval, elsewhere: String? = nil
    ) async throws -> (end: String, progress: [PairingWait.Progress]) {
        let client = APIClient.test(fake)
        let code = try #require(PairingCode(typed: "376529"))
        let device = PairingDevice(hardwareID: "d", name: "n", model: "m", platform: .ios)
        let clock = clock
        let wait = PairingWait(client: client, tick: tick, now: { clock.now }) { clock.sleep($0) }
        var progress: [PairingWait.Progress] = []
        let end: String
        do throws(PairingError) {
            end = try await wait.run(
                code, until: clock.now + .seconds(lifetime), report: { progress.append($0) }
            ) { () async throws(APIError) in
                let claim = PairingClaim(code: code, device: device)
                return try await client.call(PairingRoutes.exchange, claim)
                    .tokens.accessToken.reveal()
            } elsewhere: {
                elsewhere
            }
        } catch {
            end =
                switch error {
                case .expired: "expired"
                case .vanished: "vanished"
                case .answerLost: "answer lost"
                case .unanswered(let error): "\(error.kind)"
                default: "\(error)"
                }
        }
        fake.verify()
        return (end, progress)
    }

    @Test("a code is asked about every 2 seconds until it is confirmed, then exchanged")
    func confirmed() async throws {
        try answer("waiting", 2)
        try answer("confirmed")
        fake.stub(.post, Self.exchange, body: try Samples.text("mobile-exchange"))
        let (end, progress) = try await wait()
        #expect(end == "FAKE.access.token")
        #expect(clock.waits.withLock { $0 } == [.seconds(2), .seconds(2)])
        #expect(
            progress == [
                .waiting(left: .seconds(20)), .waiting(left: .seconds(18)), .confirmed,
            ])
    }

    @Test("the remaining time is available every second; the server is asked no more often")
    func ticks() async throws {
        try answer("waiting")
        try answer("confirmed")
        fake.stub(.post, Self.exchange, body: try Samples.text("mobile-exchange"))
        let (_, progress) = try await wait(tick: .seconds(1))
        #expect(progress.count == 3)
        #expect(clock.waits.withLock { $0 } == [.seconds(1), .seconds(1)])
        #expect(fake.requests.count == 3)
    }

    @Test("a code that is gone before its time was rejected or forgotten")
    func vanished() async throws {
        try answer("waiting")
        try answer("expired-or-unknown")
        #expect(try await wait().end == "vanished")
        fake.stub(.get, Self.path, status: 404, body: #"{"detail":"Pairing code not found"}"#)
        #expect(try await wait().end == "vanished")
    }

    @Test("a code that is gone at its end has expired, and so has an unconfirmed one")
    func expired() async throws {
        try answer("waiting", 2)
        try answer("expired-or-unknown")
        #expect(try await wait(lifetime: 4).end == "expired")
        try answer("waiting", 3)
        #expect(try await wait(lifetime: 3).end == "expired")
        #expect(
            clock.waits.withLock { $0 } == [.seconds(2), .seconds(2), .seconds(2), .seconds(1)])
    }

    @Test("a code that is confirmed in its last moment is exchanged")
    func lastMoment() async throws {
        try answer("waiting")
        try answer("confirmed")
        fake.stub(.post, Self.exchange, body: try Samples.text("mobile-exchange"))
        #expect(try await wait(lifetime: 2).end == "FAKE.access.token")
    }

    @Test("lost connections and a server that fails end nothing")
    func unanswered() async throws {
        fake.stub(.get, Self.path, error: Self.lost)
        fake.stub(.get, Self.path, error: TransportError(.unresolvedHost, "no such host"))
        fake.stub(.get, Self.path, status: 502)
        for (status, body) in [(403, "<html>"), (404, ""), (200, "<html>")] {
            fake.stub(.get, Self.path, status: status, body: body)
        }
        try answer("confirmed")
        fake.stub(.post, Self.exchange, body: try Samples.text("mobile-exchange"))
        let (end, progress) = try await wait()
        #expect(end == "FAKE.access.token")
        let timeouts = progress.compactMap { step -> String? in
            if case .unanswered(let why) = step { why } else { nil }
        }
        #expect(timeouts.prefix(3) == ["connection reset", "no such host", "status 502"])
        #expect(
            timeouts.dropFirst(3).map { $0.suffix(10) } == [
                "(HTTP 403)", "(HTTP 404)", "(HTTP 200)",
            ])
    }

    @Test("a server that is away to the end of the code lets it expire")
    func awayToTheEnd() async throws {
        for _ in 0..<3 { fake.stub(.get, Self.path, error: Self.lost) }
        #expect(try await wait(lifetime: 4).end == "expired")
    }

    @Test("another identity, too many requests and nonsense end the wait at once")
    func ending() async throws {
        fake.stub(.get, Self.path, error: TransportError(.identityRefused, "another key"))
        #expect(try await wait().end.contains("identityRefused"))
        fake.stub(.get, Self.path, status: 429)
        #expect(try await wait().end == "rateLimited")
        fake.stub(.get, Self.path, body: "{nonsense")
        #expect(try await wait().end == "malformedAnswer")
        #expect(clock.waits.withLock { $0 }.isEmpty)
    }

    @Test("an exchange that a lost connection left open is tried again, when the code is there")
    func exchangeAgain() async throws {
        try answer("confirmed", 2)
        fake.stub(.post, Self.exchange, error: Self.lost)
        fake.stub(.post, Self.exchange, body: try Samples.text("mobile-exchange"))
        #expect(try await wait().end == "FAKE.access.token")
    }

    @Test("tokens that were lost are not reported as a rejection")
    func answerLost() async throws {
        try answer("confirmed")
        fake.stub(.post, Self.exchange, error: Self.lost)
        try answer("expired-or-unknown")
        #expect(try await wait().end == "answer lost")
    }

    @Test("an exchange that is refused although the code is confirmed means that it is gone")
    func exchangeRefused() async throws {
        let body = try Samples.text("error-401-exchange-unconfirmed")
        for elsewhere in [nil, "their token"] {
            try answer("confirmed")
            fake.stub(.post, Self.exchange, status: 401, body: body)
            #expect(try await wait(elsewhere: elsewhere).end == elsewhere ?? "vanished")
        }
    }

    @Test("without a status route the exchange is tried, below ten times a minute")
    func byExchange() async throws {
        fake.stub(.get, Self.path, status: 404, body: #"{"detail":"Not Found"}"#)
        for _ in 0..<2 {
            fake.stub(.post, Self.exchange, status: 404, body: #"{"detail":"Not Found"}"#)
        }
        fake.stub(
            .post, Self.verify, status: 401, body: #"{"detail":"Invalid or expired pairing code"}"#)
        fake.stub(
            .post, Self.verify, body: #"{"access_token":"late","refresh_token":"r"}"#)
        #expect(try await wait().end == "late")
        #expect(clock.waits.withLock { $0.reduce(.zero, +) } == .seconds(14))
    }

    @Test("without any route there is nothing to wait for")
    func noRoutes() async throws {
        fake.stub(.get, Self.path, status: 405)
        fake.stub(.post, Self.exchange, status: 405)
        fake.stub(.post, Self.verify, status: 405)
        #expect(try await wait().end.contains("an exchange of pairing codes for tokens"))
    }
}
