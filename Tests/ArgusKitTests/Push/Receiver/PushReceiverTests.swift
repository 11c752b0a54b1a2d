import ArgusTestSupport
import Crypto
import Synchronization
import Testing

@testable import ArgusAccount
@testable import ArgusCore
@testable import ArgusPush
@testable import ArgusTransport

@Suite("PushReceiver")
struct PushReceiverTests {
    private static let subscriptions = "/api/v1/push/subscriptions"
    private static let subscribe = "/api/v1/push/subscribe"
    private static let key = "/api/v1/push/vapid-public-key"

    private let fake = FakeTransport()
    private let folder: TemporaryFolder
    private let store: ReceiverStore
    private let reports = MessageLog()
    /// The addresses that have faced the server, the present one last.
    private let facing = Collected<String>()
    private let point = SentPush.point(P256.Signing.PrivateKey())

    init() throws {
        folder = try TemporaryFolder()
        let state = Paths.Folder.folder(folder.path)
        store = ReceiverStore(
            in: SealedFileStore(state, machine: Redacted("m1")) { _ in }, state)
    }

    private var server: SignedInServer {
        SignedInServer(
            record: nil, name: "home", session: .test(fake), credential: .apiKey(Redacted("key-1")),
            credentialSource: "test")
    }

    private var environment: PushReceiver.Environment {
        PushReceiver.Environment(
            store, userAgent: "argus/test", now: { SentPush.now },
            endedBy: RequestCancellation(), facingAddress: { [facing] _ in facing.all.last }
        ) { [reports] report in
            switch report {
            case .endedLeftover(let endpoint): reports.add("ended \(endpoint.text.reveal())")
            case .keptLeftover: reports.add("kept")
            case .unrecorded: reports.add("unrecorded")
            case .refused(let refusal): reports.add("\(refusal)")
            case .renewed: reports.add("renewed")
            case .opened: break
            case .notEnded: reports.add("not ended")
            }
        }
    }

    private func prepare(
        facing address: String? = "127.0.0.1"
    ) async throws(PushReceiverError) -> PushReceiver {
        if let address { facing.add(address) }
        return try await PushReceiver(
            at: PushReceiver.BindAddress(address: nil, port: 0), of: server, in: environment)
    }

    /// A receiver that is subscribed.
    private func open() async throws -> PushReceiver {
        let receiver = try await prepare()
        #expect(try await receiver.renew())
        return receiver
    }

    private func stubKey() { fake.stub(.get, Self.key, body: "{\"public_key\":\"\(point)\"}") }

    private func stubSubscription(_ id: String = "s1") {
        fake.stub(.post, Self.subscribe, status: 201, body: "{\"id\":\"\(id)\",\"endpoint\":\"x\"}")
    }

    private func recorded() async throws -> [String] {
        try await store.listening(of: server.receiverID).map { $0.endpoint.text.reveal() }
    }

    /// The endpoint in the last request with a body.
    private func sentEndpoint() throws -> String {
        let body = try #require(fake.requests.last { $0.body != nil }?.body)
        return try #require(JSONView.parse(body.bytes)["endpoint"]?.string)
    }

    @Test("a subscription is recorded before it is made, and ends with the receiver")
    func life() async throws {
        stubKey()
        let log = reports
        fake.stub(.post, Self.subscribe) { [store, id = server.receiverID] _ in
            let count = (try? await store.listening(of: id))?.count ?? -1
            log.add("\(count) recorded")
            return .success(HTTPResponse(status: 201, body: Array(#"{"id":"s1"}"#.utf8)))
        }
        let receiver = try await open()
        let endpoint = receiver.endpoint.text.reveal()
        #expect(endpoint.hasPrefix(receiver.origin + "/"))
        #expect(endpoint.dropFirst(receiver.origin.count + 1).count == 64)
        #expect(try await recorded() == [endpoint])
        #expect(try sentEndpoint() == endpoint)
        fake.stub(.delete, Self.subscribe, status: 204)
        try await receiver.close()
        #expect(try sentEndpoint() == endpoint)
        #expect(try await recorded().isEmpty)
        #expect(reports.all == ["1 recorded"])
        fake.verify()
    }

    @Test("what is recorded without a holder is ended first; what cannot be ended stays recorded")
    func leftovers() async throws {
        let old = try PushEndpoint("http://127.0.0.1:8099/secret-of-a-receiver")
        for status in [500, 404] {
            if status == 500 {
                _ = try await store.add(old, of: server.receiverID)
            }
            try await store.waitForAbandoned(of: server.receiverID)
            stubKey()
            fake.stub(.delete, Self.subscribe, status: status, body: #"{"detail":"x"}"#)
            stubSubscription()
            let receiver = try await open()
            #expect(try await recorded().contains(old.text.reveal()) == (status == 500))
            fake.stub(.delete, Self.subscribe, status: 204)
            try await receiver.close()
        }
        #expect(reports.all == ["kept", "ended \(old.text.reveal())"])
        #expect(try await recorded().isEmpty)
        fake.verify()
    }

    @Test("while a server hangs up, nothing more is asked of it for what killed runs left")
    func manyLeftovers() async throws {
        for port in 8098...8099 {
            let old = try PushEndpoint("http://127.0.0.1:\(port)/secret-of-a-receiver")
            _ = try await store.add(old, of: server.receiverID)
            try await store.waitForAbandoned(of: server.receiverID)
        }
        for kind in [TransportError.Kind.cancelled, .timedOut(.total)] {
            #expect(reports.all.isEmpty)
            stubKey()
            fake.stub(.delete, Self.subscribe) { _ in .failure(TransportError(kind, "x")) }
            try await prepare().close()
        }
        #expect(reports.all == ["kept"])
        #expect(try await recorded().count == 2)
        fake.verify()
    }

    @Test("a subscription whose answer is lost is asked for again, and ended in any case")
    func failures() async throws {
        for (status, deletion, left) in [(500, 204, 0), (500, 404, 1), (500, 500, 1), (403, 0, 0)] {
            stubKey()
            let receiver = try await prepare()
            let endpoint = receiver.endpoint.text.reveal()
            for _ in 1...3 {
                fake.stub(.post, Self.subscribe, status: status, body: #"{"detail":"x"}"#)
                await #expect(throws: APIError.self) { try await receiver.renew() }
                #expect(try sentEndpoint() == endpoint)
            }
            #expect(try await recorded() == [endpoint])
            if deletion > 0 {
                fake.stub(.delete, Self.subscribe, status: deletion, body: #"{"detail":"x"}"#)
            }
            if deletion == 500 {
                await #expect(throws: APIError.self) { try await receiver.close() }
            } else {
                try await receiver.close()
            }
            #expect(try await recorded().count == left)
            for entry in try await store.listening(of: server.receiverID) {
                try await store.remove(entry.id)
            }
        }
        #expect(reports.all.isEmpty)
        fake.verify()
    }

    @Test("without a route, or with one that leads to the internet, nothing is subscribed")
    func places() async throws {
        for address in [nil, "203.0.113.5", "192.0.2.1"] {
            stubKey()
            await #expect(throws: PushReceiverError.self) { try await prepare(facing: address) }
        }
        #expect(try await recorded().isEmpty)
        fake.verify()
    }

    @Test(
        "a lost subscription is made again with the same endpoint; another address ends the receiver"
    )
    func renewal() async throws {
        stubKey()
        stubSubscription()
        let receiver = try await open()
        let endpoint = receiver.endpoint.text.reveal()
        let shown = "\(endpoint.prefix(30))...\(endpoint.suffix(20))"
        for row in [#"{"id":"s1","endpoint":"other"}"#, #"{"id":"s2","endpoint":"\#(shown)"}"#] {
            stubKey()
            fake.stub(.get, Self.subscriptions, body: #"{"subscriptions":[\#(row)]}"#)
            #expect(try await receiver.renew())
        }
        #expect(reports.all.isEmpty)
        stubKey()
        fake.stub(.get, Self.subscriptions, body: #"{"subscriptions":[]}"#)
        stubSubscription("s3")
        #expect(try await receiver.renew())
        #expect(reports.all == ["renewed"])
        #expect(try sentEndpoint() == endpoint)
        facing.add("192.168.1.5")
        stubKey()
        #expect(try await !receiver.renew())
        fake.stub(.delete, Self.subscribe, status: 204)
        try await receiver.close()
        fake.verify()
    }

    /// The result of a test whose time is never over.
    private func test(
        _ answer: @escaping @Sendable (PushEndpoint) -> HTTPResponse
    ) async throws -> PushReceiver.TestResult {
        stubKey()
        stubSubscription()
        let receiver = try await open()
        let endpoint = receiver.endpoint
        fake.stub(.post, "/api/v1/push/test") { _ in .success(answer(endpoint)) }
        let pause: @Sendable (Duration) async -> Void = { duration in
            guard duration == .seconds(30) else { return }
            // Until the task is cancelled.
            for await _ in AsyncStream<Never>.makeStream().stream {}
        }
        let outcome: Result<PushReceiver.TestResult, APIError>
        do throws(APIError) {
            outcome = .success(
                try await receiver.test(
                    within: .seconds(30), monotonic: { .zero }, pause: pause))
        } catch {
            outcome = .failure(error)
        }
        fake.stub(.delete, Self.subscribe, status: 204)
        try await receiver.close()
        return try outcome.get()
    }

    private static func report(_ rows: String) -> HTTPResponse {
        HTTPResponse(status: 200, body: Array(#"{"success":true,"results":[\#(rows)]}"#.utf8))
    }

    @Test("the server's own verdict decides where no push comes")
    func undelivered() async throws {
        let failed = try await test { endpoint in
            let words = "no route to \(endpoint.text.reveal())"
            return Self.report(
                #"{"subscription_id":"s1","success":false,"error":"\#(words)"}"#)
        }
        guard case .undelivered(let words?) = failed else {
            Issue.record("\(failed)")
            return
        }
        #expect(words.hasPrefix("no route to http://127.0.0.1:") && words.hasSuffix("/…"))
        let silent = try await test { _ in
            Self.report(#"{"subscription_id":"s1","success":true,"error":null}"#)
        }
        guard case .nothing = silent else {
            Issue.record("\(silent)")
            return
        }
        for rows in ["", #"{"subscription_id":"s2","success":true,"error":null}"#] {
            let omitted = try await test { _ in Self.report(rows) }
            guard case .omitted = omitted else {
                Issue.record("\(omitted)")
                return
            }
        }
        fake.verify()
    }

    @Test("a push that is not the server's is the result of a test")
    func refused() async throws {
        let sender = Mutex<RawConnection?>(nil)
        let result = try await test { endpoint in
            let parts = endpoint.text.reveal().dropFirst(7).split(separator: "/")
            if let port = parts[0].split(separator: ":").last.flatMap({ UInt16($0) }) {
                let connection = try? RawConnection(port: port)
                connection?.send(
                    "POST /\(parts[1]) HTTP/1.1\r\nContent-Encoding: aes128gcm\r\n\r\n")
                sender.withLock { $0 = connection }
            }
            return Self.report("")
        }
        guard case .refused(.noProof) = result else {
            Issue.record("\(result)")
            return
        }
        let answer = sender.withLock { $0?.receiveAll() }
        #expect(answer?.hasPrefix("HTTP/1.1 404 ") == true)
        fake.verify()
    }

    @Test("a server that refuses to test is an error")
    func untested() async throws {
        let refusal = HTTPResponse(status: 403, body: Array(#"{"detail":"no"}"#.utf8))
        await #expect(throws: APIError.self) { try await test { _ in refusal } }
        fake.verify()
    }
}
