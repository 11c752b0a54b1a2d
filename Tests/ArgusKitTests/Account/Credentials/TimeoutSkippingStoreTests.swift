import ArgusAccount
import ArgusCore
import Synchronization
import Testing

/// A store that gives no answer while it hangs, and counts how often it was asked.
private final class HangingStore: CredentialStore {
    let name = "toy"
    private let state = Mutex((hangs: true, asks: 0))

    var asks: Int { state.withLock { $0.asks } }

    func wake() { state.withLock { $0.hangs = false } }

    func read(_ key: CredentialKey) async throws(AccountError) -> Redacted<[UInt8]>? {
        try answer()
        return nil
    }

    func write(
        _ value: Redacted<[UInt8]>, for key: CredentialKey
    ) async throws(AccountError) { try answer() }

    func erase(_ key: CredentialKey) async throws(AccountError) { try answer() }

    private func answer() throws(AccountError) {
        let hangs = state.withLock { state in
            state.asks += 1
            return state.hangs
        }
        if hangs { throw .storeSilent(store: name, reason: "it gave no answer") }
    }
}

/// A clock that a test moves.
private final class TestClock: Sendable {
    private let moment = Mutex(Timestamp(seconds: 1000))

    var now: Timestamp { moment.withLock { $0 } }

    func pass(_ duration: Duration) { moment.withLock { $0 = $0 + duration } }
}

@Suite("TimeoutSkippingStore")
struct SparingStoreTests {
    private let base = HangingStore()
    private let key = CredentialKey(.random())
    private let silence = AccountError.storeSilent(store: "toy", reason: "it gave no answer")

    @Test("a silence counts for five seconds, and the store is asked again then")
    func passes() async throws {
        let clock = TestClock()
        let store = TimeoutSkippingStore(base, TimeoutSkippingStore.Memory { clock.now })
        await #expect(throws: silence) { try await store.read(key) }
        clock.pass(.milliseconds(4999))
        await #expect(throws: silence) { try await store.read(key) }
        await #expect(throws: silence) { try await store.erase(key) }
        #expect(base.asks == 1)
        base.wake()
        clock.pass(.milliseconds(1))
        #expect(try await store.read(key) == nil)
        #expect(base.asks == 2)
    }

    @Test("a value to keep is offered at once, and an answer ends the silence")
    func writes() async throws {
        let store = TimeoutSkippingStore(
            base, TimeoutSkippingStore.Memory { Timestamp(seconds: 1000) })
        await #expect(throws: silence) { try await store.read(key) }
        await #expect(throws: silence) { try await store.write(Redacted([1]), for: key) }
        #expect(base.asks == 2)
        base.wake()
        try await store.write(Redacted([1]), for: key)
        #expect(try await store.read(key) == nil)
        #expect(base.asks == 4)
    }
}
