import ArgusTestSupport
import ArgusTransport
import Testing

@testable import ArgusPush

@Suite("DeliveryTries")
struct DeliveryTriesTests {
    private let transport = FakeTransport()
    private let clock = PushSamples.Clock()

    private func send(
        _ service: DeliveryService = .webPush, statuses: [Int],
        headers: [(name: String, value: String)] = []
    ) async throws -> DeliveryAnswer {
        let key = VAPIDKey.random()
        let provider = WebPushProvider(
            key: { key }, subject: try VAPIDSubject("mailto:ann@example.org"),
            PushSamples.environment(transport, clock))
        for status in statuses { transport.stub(.post, "/p", status: status, headers: headers) }
        let token = try PushSamples.webPush("https://push.example/p")
        let push = try provider.prepare(PushSamples.event(), for: token, isSilent: false)
        let answer = await provider.send(push, to: token)
        transport.verify()
        return answer
    }

    @Test("a service that fails is tried three more times, after 1, 2 and 4 s")
    func backoff() async throws {
        let answer = try await send(statuses: [500, 503, 502, 500])
        #expect(answer.verdict == .tokenFailure && answer.attempts == 4)
        #expect(answer.httpStatus == 500)
        #expect(clock.waits == [.seconds(1), .seconds(2), .seconds(4)])
        #expect(answer.duration == .seconds(7))
    }

    @Test("the first success ends the tries")
    func recovery() async throws {
        let answer = try await send(statuses: [500, 201])
        #expect(answer.verdict == .accepted && answer.attempts == 2 && answer.reason == nil)
        #expect(clock.waits == [.seconds(1)])
    }

    @Test("a wait that the service asks for is kept, but not for ever")
    func retryAfter() async throws {
        let answer = try await send(statuses: [429, 201], headers: [("Retry-After", "42")])
        #expect(answer.verdict == .accepted && clock.waits == [.seconds(42)])
        let late = try await send(statuses: [429], headers: [("Retry-After", "3600")])
        #expect(late.verdict == .providerFailure(.rateLimited) && late.attempts == 1)
    }

    @Test("waits differ by a quarter in both directions")
    func jitter() {
        let wait = DeliveryWait.backoff(.seconds(10))
        #expect(wait.duration(before: 1, random: 0) == .milliseconds(7500))
        #expect(wait.duration(before: 3, random: 1) == .seconds(50))
        let least = DeliveryWait.atLeast(.seconds(10))
        #expect(least.duration(before: 1, random: 0) == .seconds(10))
        #expect(least.duration(before: 2, random: 1) == .seconds(25))
    }

    @Test("a cancelled wait ends the tries without a failure of the token")
    func cancellation() async throws {
        let key = VAPIDKey.random()
        let transport = FakeTransport()
        let environment = PushEnvironment(
            transport, userAgent: "argus/test", now: { PushSamples.now },
            sleep: { _ in throw CancellationError() })
        let provider = WebPushProvider(
            key: { key }, subject: try VAPIDSubject("mailto:ann@example.org"), environment)
        transport.stub(.post, "/p", status: 500)
        let token = try PushSamples.webPush("https://push.example/p")
        let push = try provider.prepare(PushSamples.event(), for: token, isSilent: false)
        let answer = await provider.send(push, to: token)
        #expect(answer.verdict == .providerFailure(.service) && answer.attempts == 1)
        transport.verify()
    }

    @Test("a key that cannot be read is a failure of the provider, and nothing is sent")
    func missingKey() async throws {
        let provider = WebPushProvider(
            key: { () async throws(DeliveryError) in throw DeliveryError(.failed, "no store") },
            subject: try VAPIDSubject("mailto:ann@example.org"),
            PushSamples.environment(transport, clock))
        let token = try PushSamples.webPush()
        let push = try provider.prepare(PushSamples.event(), for: token, isSilent: false)
        let answer = await provider.send(push, to: token)
        #expect(answer.verdict == .providerFailure(.service) && answer.reason == "no store")
        #expect(transport.requests.isEmpty)
    }
}
