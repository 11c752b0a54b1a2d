import ArgusTestSupport
import Crypto
import Testing

@testable import ArgusAccount
@testable import ArgusCore
@testable import ArgusEvents
@testable import ArgusPush
@testable import ArgusTransport

@Suite("PushListening")
struct PushListeningTests {
    private static let subscribe = "/api/v1/push/subscribe"
    private static let key = "/api/v1/push/vapid-public-key"

    private let fake = FakeTransport()
    private let folder: TemporaryFolder
    private let clock = ManualClock()
    private let run: ServiceRun
    /// The addresses that have faced the server, the present one last.
    private let facing = Collected<String>()
    private let point = SentPush.point(P256.Signing.PrivateKey())

    init() throws {
        folder = try TemporaryFolder()
        run = ServiceRun(clock.clock)
        facing.add("127.0.0.1")
    }

    private var listening: PushListening {
        let state = Paths.Folder.folder(folder.path)
        let registry = ReceiverStore(
            in: SealedFileStore(state, machine: Redacted("m1")) { _ in }, state)
        let server = SignedInServer(
            record: nil, name: "home", session: .test(fake), credential: .apiKey(Redacted("key-1")),
            credentialSource: "test")
        return PushListening(
            at: PushReceiver.BindAddress(address: nil, port: 0), of: server,
            in: PushReceiver.Environment(
                registry, userAgent: "argus/test", now: { SentPush.now },
                endedBy: run.cancellation, facingAddress: { [facing] _ in facing.all.last }
            ) { _ in }, by: run)
    }

    private func stubKey() { fake.stub(.get, Self.key, body: "{\"public_key\":\"\(point)\"}") }

    private func stubSubscription() {
        fake.stub(.post, Self.subscribe, status: 201, body: #"{"id":"s1","endpoint":"x"}"#)
        fake.stub(.delete, Self.subscribe, status: 204)
    }

    @Test("a server that fails is asked again, and a stop ends the subscription")
    func life() async throws {
        fake.stub(.get, Self.key, status: 500, body: #"{"detail":"x"}"#)
        stubKey()
        stubSubscription()
        var items: [String] = []
        for try await item in listening {
            switch item {
            case .retrying:
                items.append("retrying")
                await clock.wake(at: .seconds(1))
            case .subscribed(let address):
                items.append(String(address.prefix(17)))
                await run.send(.stop)
            case .moved, .notification: items.append("?")
            }
        }
        #expect(items == ["retrying", "http://127.0.0.1:"])
        fake.verify()
    }

    @Test("a machine with another address subscribes anew")
    func moved() async throws {
        for _ in 1...3 { stubKey() }
        for _ in 1...2 { stubSubscription() }
        var items: [String] = []
        for try await item in listening {
            switch item {
            case .subscribed(let address):
                items.append(String(address.prefix(17)))
                if items.count > 1 {
                    await run.send(.stop)
                } else {
                    facing.add("127.0.0.2")
                    await clock.wake(at: .seconds(300))
                }
            case .moved: items.append("moved")
            case .retrying, .notification: items.append("?")
            }
        }
        #expect(items == ["http://127.0.0.1:", "moved", "http://127.0.0.2:"])
        fake.verify()
    }

    @Test("a server that refuses for good ends the sequence")
    func refused() async throws {
        fake.stub(.get, Self.key, status: 403, body: #"{"detail":"no"}"#)
        await #expect(throws: PushReceiverError.self) { for try await _ in listening {} }
        fake.verify()
    }

    @Test("an end before the stop ends the subscription too")
    func end() async throws {
        stubKey()
        stubSubscription()
        let listening = listening
        for try await _ in listening { break }
        await listening.end()
        #expect(await run.isStopped())
        fake.verify()
    }
}
