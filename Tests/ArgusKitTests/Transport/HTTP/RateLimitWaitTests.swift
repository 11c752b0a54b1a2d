import ArgusCore
import ArgusTestSupport
import ArgusTransport
import Testing

@Suite("waits for a rate limit")
struct RateLimitWaitTests {
    private let fake = FakeTransport()
    private let waits = MessageLog()
    private let notices = MessageLog()
    private let request = HTTPRequest(
        .post, Origin(scheme: .https, host: "home.example", port: 443), "/x",
        proof: ServerProof(.publicCertificate(authorities: nil)))

    private func waiting(
        _ longest: Duration, isCancelled: Bool = false
    ) -> RetryingTransport {
        var policy = RetryPolicy(retries: 0)
        policy.longestRateLimitWait = longest
        return RetryingTransport(
            fake, policy: policy,
            sleep: { [waits] duration in
                if isCancelled { throw CancellationError() }
                waits.add("\(duration)")
            }, now: { Timestamp(seconds: 784_111_777) }
        ) { [notices] in
            guard case .rateLimit(let wait) = $0 else { return }
            notices.add("\(wait)")
        }
    }

    private func refuse(_ retryAfter: String?) {
        fake.stub(
            .post, "/x", status: 429, headers: retryAfter.map { [("Retry-After", $0)] } ?? [])
    }

    @Test("a refused request is sent again after the time that the server names")
    func waits() async throws {
        refuse("20")
        refuse("Sun, 06 Nov 1994 08:50:07 GMT")
        fake.stub(.post, "/x", status: 201)
        let answer = try await waiting(.seconds(60)).send(request)
        #expect(answer.status == 201)
        #expect(waits.all == ["20.0 seconds", "30.0 seconds"])
        #expect(notices.all == waits.all)
        fake.verify()
    }

    @Test("a server that names no time, or none to come, is asked again after a minute or a second")
    func defaults() async throws {
        refuse(nil)
        refuse("0")
        fake.stub(.post, "/x")
        _ = try await waiting(.seconds(900)).send(request)
        #expect(waits.all == ["60.0 seconds", "1.0 seconds"])
        fake.verify()
    }

    @Test("the refusal is reported at once if the waits would exceed the limit")
    func longest() async throws {
        refuse("40")
        refuse("21")
        let answer = try await waiting(.seconds(60)).send(request)
        #expect(answer.status == 429)
        #expect(waits.all == ["40.0 seconds"])
        fake.verify()
    }

    @Test("other answers are not waited for, and a streamed request waits too")
    func others() async throws {
        fake.stub(.post, "/x", status: 503, headers: [("Retry-After", "9")])
        let answer = try await waiting(.seconds(60)).send(request)
        #expect(answer.status == 503)
        refuse("2")
        fake.stub(.post, "/x", body: "ab")
        let received = MessageLog()
        _ = try await waiting(.seconds(60)).send(request) { bytes in
            received.add("\(bytes.count)")
            return true
        }
        #expect(waits.all == ["2.0 seconds"])
        #expect(received.all == ["2"])
        fake.verify()
    }

    @Test("a wait that is cancelled ends the request")
    func cancelled() async {
        refuse("2")
        let error = await failure { () async throws(TransportError) in
            try await waiting(.seconds(60), isCancelled: true).send(request)
        }
        #expect(error?.kind == .cancelled)
        fake.verify()
    }
}
