import ArgusTestSupport
import Testing

@testable import ArgusAccount
@testable import ArgusCore
@testable import ArgusPush

@Suite("ListeningReceiver")
struct ListeningReceiverTests {
    private let folder: TemporaryFolder
    private let store: ReceiverStore

    init() throws {
        folder = try TemporaryFolder()
        let state = Paths.Folder.folder(folder.path)
        store = ReceiverStore(
            in: SealedFileStore(state, machine: Redacted("m1")) { _ in }, state)
    }

    private func endpoint(_ number: Int) throws -> PushEndpoint {
        try PushEndpoint("http://127.0.0.1:80\(number)/secret-of-a-receiver-\(number)")
    }

    @Test("a subscription whose holder is gone is found, by its server alone")
    func abandoned() async throws {
        let (first, second) = (try endpoint(10), try endpoint(11))
        var holding: ReceiverStore.Holding? = try await store.add(first, of: "home")
        let other = try await store.add(second, of: "home")
        #expect(try await store.abandoned(of: "home").isEmpty)
        let id = holding?.id
        holding = nil
        try await store.waitForAbandoned(of: "home")
        #expect(try await store.abandoned(of: "home").map(\.endpoint) == [first])
        #expect(try await store.abandoned(of: "home").map(\.id) == [id])
        #expect(try await store.abandoned(of: "cabin").isEmpty)
        try await store.remove(try #require(id))
        #expect(try await store.abandoned(of: "home").isEmpty)
        try await store.remove(other.id)
        withExtendedLifetime(other) {}
    }

    @Test("the document of an earlier version is read, and becomes part of the registry")
    func earlierDocument() async throws {
        let memory = MemoryStore()
        let store = ReceiverStore(in: memory, .folder(folder.path))
        let earlier = CredentialKey(.none, .listening)
        let endpoint = try endpoint(10)
        let document = """
            {"version":1,"receivers":[{"id":"9f86d081884c7d65","server":"home",
             "endpoint":"\(endpoint.text.reveal())"}]}
            """
        try await memory.write(Redacted(Array(document.utf8)), for: earlier)
        #expect(try await store.listening(of: "home").map(\.endpoint) == [endpoint])
        let token = try Deliveries.apns("1")
        _ = try await store.change { $0.put(token, at: Deliveries.now) }
        #expect(try await memory.read(earlier) == nil)
        #expect(try await store.listening(of: "home").map(\.endpoint) == [endpoint])
        #expect(try await store.load().tokens == [token])
    }
}

extension ReceiverStore {
    /// Waits until a holder that was released is gone: a child that another test forks in that moment
    /// keeps its lock until it runs its program.
    func waitForAbandoned(of server: String) async throws {
        while try await abandoned(of: server).isEmpty { await Task.yield() }
    }
}
