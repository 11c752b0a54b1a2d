import ArgusCore
import ArgusTestSupport
import ArgusTransport
import Synchronization
import Testing

@Suite("retries")
struct RetryTests {
    private let origin = Origin(scheme: .https, host: "home.example", port: 443)
    private let refused = TransportError(.notConnected, "connection refused", nothingSent: true)

    /// What a retrying transport did with a fake one.
    private struct Trial {
        var error: TransportError?
        var status: Int?
        var waits: [Duration]
        var notices: [String]
    }

    private func request(_ method: HTTPRequest.Method) -> HTTPRequest {
        HTTPRequest(method, origin, "/x", proof: ServerProof(.publicCertificate(authorities: nil)))
    }

    private func run(
        _ method: HTTPRequest.Method = .get, _ fake: FakeTransport, retries: Int = 2,
        isForeign: @escaping @Sendable (HTTPResponse) -> Bool = { _ in false },
        receive: BodyReceiver? = nil
    ) async -> Trial {
        var request = request(method)
        request.isForeign = isForeign
        let waits = Mutex<[Duration]>([])
        let notices = Mutex<[String]>([])
        let transport = RetryingTransport(
            fake, policy: RetryPolicy(retries: retries),
            sleep: { wait in waits.withLock { $0.append(wait) } }, random: { 0.5 },
            now: { Timestamp(seconds: 784_111_777) },
            notice: { notice in
                guard case .retry(let sentence) = notice else { return }
                notices.withLock { $0.append(sentence) }
            })
        var trial = Trial(waits: [], notices: [])
        do throws(TransportError) {
            trial.status = try await transport.send(request, receive: receive).status
        } catch {
            trial.error = error
        }
        trial.waits = waits.withLock { $0 }
        trial.notices = notices.withLock { $0 }
        fake.verify()
        return trial
    }

    @Test("a failed connection is retried after 1 s and 2 s, and then an error")
    func twice() async {
        let fake = FakeTransport()
        for _ in 0..<3 { fake.stub(.get, "/x", error: refused) }
        let trial = await run(.get, fake)
        #expect(trial.error == refused)
        #expect(trial.waits == [.seconds(1), .seconds(2)])
        #expect(
            trial.notices == [
                "GET https://home.example: connection refused; retry 1 of 2 in 1 s",
                "GET https://home.example: connection refused; retry 2 of 2 in 2 s",
            ])
    }

    @Test("without retries a failure is an error at once")
    func none() async {
        let fake = FakeTransport()
        fake.stub(.get, "/x", error: refused)
        #expect(await run(.get, fake, retries: 0).error == refused)
    }

    @Test("passing statuses are tried again", arguments: [408, 425, 502, 503, 504])
    func statuses(status: Int) async {
        let fake = FakeTransport()
        fake.stub(.put, "/x", status: status)
        fake.stub(.put, "/x", status: 204)
        let trial = await run(.put, fake)
        #expect(trial.status == 204 && trial.waits == [.seconds(1)])
    }

    @Test("other statuses fail at once", arguments: [200, 400, 401, 404, 429, 500, 501])
    func finalStatuses(status: Int) async {
        let fake = FakeTransport()
        fake.stub(.get, "/x", status: status)
        #expect(await run(.get, fake).status == status)
    }

    @Test(
        "an answer that is not the server's is asked for again where that is safe",
        arguments: [HTTPRequest.Method.get, .put, .delete, .post])
    func foreign(method: HTTPRequest.Method) async {
        let fake = FakeTransport()
        fake.stub(method, "/x", status: 403, body: "<html>")
        if method != .post { fake.stub(method, "/x", status: 200) }
        let trial = await run(method, fake, isForeign: { $0.status == 403 })
        #expect(trial.status == (method == .post ? 403 : 200))
        #expect(trial.waits == (method == .post ? [] : [.seconds(1)]))
    }

    @Test(
        "a POST and a PATCH are repeated only when nothing was sent",
        arguments: [HTTPRequest.Method.post, .patch])
    func post(method: HTTPRequest.Method) async {
        let unsent = FakeTransport()
        unsent.stub(method, "/x", error: refused)
        unsent.stub(method, "/x", status: 200)
        #expect(await run(method, unsent).status == 200)

        let lost = TransportError(.connectionLost, "connection reset by peer")
        let sent = FakeTransport()
        sent.stub(method, "/x", error: lost)
        #expect(await run(method, sent).error == lost)

        let answered = FakeTransport()
        answered.stub(method, "/x", status: 503)
        #expect(await run(method, answered).status == 503)
    }

    @Test(
        "a failure that a retry cannot change is an error at once",
        arguments: [
            TransportError.Kind.identityRefused, .handshakeFailed, .timedOut(.firstByte),
            .timedOut(.total), .timedOut(.idle), .malformedAnswer, .tooLarge, .unusableFile,
            .redirectRefused, .invalidRequest, .libraryMissing, .cancelled, .receiverStopped,
        ])
    func hopeless(kind: TransportError.Kind) async {
        let fake = FakeTransport()
        fake.stub(.get, "/x", error: TransportError(kind, "no", nothingSent: true))
        #expect(await run(.get, fake).error?.kind == kind)
    }

    @Test(
        "a 503 is waited for as long as it asks, up to a minute",
        arguments: [
            ("7", Duration.seconds(7) as Duration?), ("0", .seconds(1)), ("60", .seconds(60)),
            ("61", nil), ("-1", .seconds(1)), ("soon", .seconds(1)),
            ("Sun, 06 Nov 1994 08:49:47 GMT", .seconds(10)),
            ("Sun, 06 Nov 1994 08:00:00 GMT", .seconds(1)),
        ])
    func retryAfter(text: String, wait: Duration?) async {
        let fake = FakeTransport()
        fake.stub(.get, "/x", status: 503, headers: [("Retry-After", text)])
        if wait != nil { fake.stub(.get, "/x", status: 200) }
        let trial = await run(.get, fake)
        #expect(trial.waits == (wait.map { [$0] } ?? []))
        #expect(trial.status == (wait == nil ? 503 : 200))
    }

    @Test("a date in Retry-After is judged by the server's own clock")
    func serverClock() {
        let response = HTTPResponse(
            status: 503,
            headers: HTTPHeaders([
                ("Date", "Sun, 06 Nov 1994 08:49:37 GMT"),
                ("Retry-After", "Sun, 06 Nov 1994 08:50:07 GMT"),
            ]))
        #expect(response.retryAfter(now: Timestamp(seconds: 0)) == .seconds(30))
    }

    @Test("dates are read in the one form that is sent today")
    func dates() {
        #expect(
            HTTPDate.parse("Sun, 06 Nov 1994 08:49:37 GMT") == Timestamp(seconds: 784_111_777))
        // Servers end a cookie by a date that is long past.
        let past = HTTPDate.parse("Mon, 01 Jan 0001 00:00:00 GMT") ?? Timestamp(seconds: 1)
        #expect(past < Timestamp(seconds: 0))
        for malformed in [
            "", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
            "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 24:00:00 GMT",
            "Sun, 06 Foo 1994 08:49:37 GMT", "Sun, +6 Nov 1994 08:49:37 GMT",
            "Thu, 31 Feb 1994 08:49:37 GMT",
        ] {
            #expect(HTTPDate.parse(malformed) == nil)
        }
    }

    @Test("a streamed body is requested again only while nothing of it was handed on")
    func streaming() async {
        let lost = TransportError(.truncatedBody, "the answer ended early")
        let early = FakeTransport()
        early.stub(.get, "/x", error: lost)
        early.stub(.get, "/x", status: 200, body: "whole")
        #expect(await run(.get, early, receive: { _ in true }).status == 200)

        let transport = RetryingTransport(
            HalfTransport(), sleep: { Issue.record("waits \($0) for another try") },
            random: { 0.5 }, now: { Timestamp(seconds: 0) })
        let error = await failure { () async throws(TransportError) in
            try await transport.send(request(.get), receive: { _ in true })
        }
        #expect(error == lost)
    }

    @Test("a wait ends when its task is cancelled", .hangLimit)
    func cancelled() async {
        let fake = FakeTransport()
        fake.stub(.get, "/x", error: refused)
        let transport = RetryingTransport(
            fake, sleep: { _ in try await Task.sleep(for: .seconds(86400)) },
            now: { Timestamp(seconds: 0) })
        let task = Task {
            await failure { () async throws(TransportError) in
                try await transport.send(request(.get))
            }
        }
        while fake.requests.isEmpty { await Task.yield() }
        task.cancel()
        #expect(await task.value?.kind == .cancelled)
        fake.verify()
    }
}

/// Hands on one byte and then loses the connection, once.
private struct HalfTransport: Transport {
    func send(
        _ request: HTTPRequest, receive: BodyReceiver?
    ) async throws(TransportError) -> HTTPResponse {
        withUnsafeBytes(of: UInt8(0)) { _ = receive?($0) }
        throw TransportError(.truncatedBody, "the answer ended early")
    }
}
