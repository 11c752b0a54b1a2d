import ArgusTestSupport
import Testing

@testable import ArgusAccount
@testable import ArgusCore
@testable import ArgusPush

@Suite("ReceiverRegistry")
struct ReceiverRegistryTests {
    private let folder: TemporaryFolder
    private let registry: ReceiverRegistry

    init() throws {
        folder = try TemporaryFolder()
        let state = Paths.Folder.folder(folder.path)
        registry = ReceiverRegistry(
            in: SealedFileStore(state, machine: Redacted("m1")) { _ in }, state)
    }

    private func endpoint(_ number: Int) throws -> PushEndpoint {
        try PushEndpoint("http://127.0.0.1:80\(number)/secret-of-a-receiver-\(number)")
    }

    @Test("a subscription whose holder is gone is found, by its server alone")
    func abandoned() async throws {
        let (first, second) = (try endpoint(10), try endpoint(11))
        var holding: ReceiverRegistry.Holding? = try await registry.add(first, of: "home")
        let other = try await registry.add(second, of: "home")
        #expect(try await registry.abandoned(of: "home").isEmpty)
        let id = holding?.id
        holding = nil
        try await registry.waitForAbandoned(of: "home")
        #expect(try await registry.abandoned(of: "home").map(\.endpoint) == [first])
        #expect(try await registry.abandoned(of: "home").map(\.id) == [id])
        #expect(try await registry.abandoned(of: "cabin").isEmpty)
        try await registry.remove(try #require(id))
        #expect(try await registry.abandoned(of: "home").isEmpty)
        try await registry.remove(other.id)
        withExtendedLifetime(other) {}
    }
}

extension ReceiverRegistry {
    /// Waits until a holder that was released is gone: a child that another test forks in that moment
    /// keeps its lock until it runs its program.
    func waitForAbandoned(of server: String) async throws {
        while try await abandoned(of: server).isEmpty { await Task.yield() }
    }
}
