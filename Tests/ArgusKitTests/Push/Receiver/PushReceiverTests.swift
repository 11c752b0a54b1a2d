import ArgusTestSupport
import Crypto
import Testing

@testable import ArgusKit

@Suite("PushReceiver")
struct PushReceiverTests {
    private static let subscriptions = "/api/v1/push/subscriptions"
    private static let subscribe = "/api/v1/push/subscribe"
    private static let key = "/api/v1/push/vapid-public-key"

    private let fake = FakeTransport()
    private let folder: TemporaryFolder
    private let registry: ReceiverRegistry
    private let reports = MessageLog()
    private let point = SentPush.point(P256.Signing.PrivateKey())

    init() throws {
        folder = try TemporaryFolder()
        let place = Paths.Place.folder(folder.path)
        registry = ReceiverRegistry(
            in: SealedFileStore(place, machine: Redacted("m1")) { _ in }, place)
    }

    private var server: SignedInServer {
        SignedInServer(
            record: nil, name: "home", session: .test(fake), credential: .apiKey(Redacted("key-1")),
            credentialSource: "test")
    }

    private func environment(facing address: String? = "127.0.0.1") -> PushReceiver.Environment {
        PushReceiver.Environment(
            registry, userAgent: "argus/test", now: { SentPush.now }, endedBy: nil,
            facingAddress: { _ in address }
        ) { [reports] report in
            switch report {
            case .endedLeftover(let endpoint): reports.add("ended \(endpoint.text.reveal())")
            case .keptLeftover: reports.add("kept")
            case .unrecorded: reports.add("unrecorded")
            case .refused(let refusal): reports.add("\(refusal)")
            case .renewed: reports.add("renewed")
            }
        }
    }

    private func open(
        facing address: String? = "127.0.0.1"
    ) async throws(PushReceiverError) -> PushReceiver {
        try await PushReceiver.open(
            at: PushReceiver.Place(address: nil, port: 0), of: server,
            in: environment(facing: address))
    }

    private func stubKey() { fake.stub(.get, Self.key, body: "{\"public_key\":\"\(point)\"}") }

    private func stubSubscription(_ id: String = "s1") {
        fake.stub(.post, Self.subscribe, status: 201, body: "{\"id\":\"\(id)\",\"endpoint\":\"x\"}")
    }

    private func recorded() async throws -> [String] {
        try await registry.entries(of: server.receiverID).map { $0.endpoint.text.reveal() }
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
        fake.stub(.post, Self.subscribe) { [registry, id = server.receiverID] _ in
            let count = (try? await registry.entries(of: id))?.count ?? -1
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
                _ = try await registry.add(old, of: server.receiverID)
            }
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

    @Test("a subscription whose answer is lost is ended or stays recorded; a refused one does not")
    func failures() async throws {
        for (status, deletion) in [(500, 204), (500, 500), (403, 0)] {
            stubKey()
            fake.stub(.post, Self.subscribe, status: status, body: #"{"detail":"x"}"#)
            if deletion > 0 {
                fake.stub(.delete, Self.subscribe, status: deletion, body: #"{"detail":"x"}"#)
            }
            await #expect(throws: PushReceiverError.self) { try await open() }
            #expect(try await recorded().count == (deletion == 500 ? 1 : 0))
            for entry in try await registry.entries(of: server.receiverID) {
                try await registry.remove(entry.id)
            }
        }
        fake.verify()
    }

    @Test("without a route, or with one that leads to the internet, nothing is subscribed")
    func places() async throws {
        for address in [nil, "203.0.113.5", "192.0.2.1"] {
            stubKey()
            await #expect(throws: PushReceiverError.self) { try await open(facing: address) }
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
        fake.stub(.delete, Self.subscribe, status: 204)
        try await receiver.close()
        fake.verify()
    }
}
