import ArgusTestSupport
import Testing

@testable import ArgusAccount
@testable import ArgusCore
@testable import ArgusPush
@testable import ArgusTransport

@Suite("ProviderTokenStore")
struct ProviderTokenStoreTests {
    private let transport = FakeTransport()
    private let folder: TemporaryFolder
    private let token = #"{"access_token":"ya29.token-1","expires_in":3599,"token_type":"Bearer"}"#
    private let target = "/v1/projects/argus-12345/messages:send"

    init() throws { folder = try TemporaryFolder() }

    /// The store of a process; `sleep` is the wait for a lock.
    private func store(
        sleep: @escaping FileLock.Sleep = { try await Task.sleep(for: $0) }
    ) -> ProviderTokenStore {
        ProviderTokenStore(
            in: SealedFileStore(.folder(folder.path), machine: Redacted("machine-7d1f")) { _ in },
            .folder(folder.path), sleep: sleep, report: { words in Issue.record("\(words)") })
    }

    private func apns(_ store: ProviderTokenStore) throws -> APNsProvider {
        APNsProvider(
            try PushSamples.apnsKey(), bundleID: nil, usesSandbox: false, store: store,
            PushSamples.environment(transport))
    }

    private func fcm(_ store: ProviderTokenStore) throws -> FCMProvider {
        try FCMProvider(
            PushSamples.serviceAccount(), projectID: nil, store: store,
            PushSamples.environment(transport))
    }

    private func send(_ provider: any PushProvider, _ receiver: DeliveryToken) async throws
        -> DeliveryAnswer
    {
        let push = try await provider.prepare(PushSamples.event(), for: receiver, isSilent: false)
        return await provider.send(push, to: receiver)
    }

    @Test("a slow answer of Google holds up no push to Apple, and costs no token of Apple's")
    func services() async throws {
        let store = store()
        let (apns, fcm, token) = (try apns(store), try fcm(store), token)
        transport.stub(.post, "/3/device/" + PushSamples.apnsText)
        transport.stub(.post, target, body: #"{"name":"projects/x"}"#)
        // While Google thinks, a push to Apple needs its first token.
        transport.stub(.post, "/token") { [self] _ in
            let answer = try? await send(apns, PushSamples.apns())
            #expect(answer?.verdict == .accepted)
            return .success(HTTPResponse(status: 200, body: Array(token.utf8)))
        }
        #expect(try await send(fcm, PushSamples.fcm()).verdict == .accepted)
        let known = await store.tokens()
        let stored = await self.store().tokens()
        #expect(known.apns != nil && known.fcm != nil && stored == known)
        transport.verify()
    }

    @Test("a lock that another process keeps is an error, and nothing is asked for")
    func locked() async throws {
        let lock = try await FileLock(folder.file("push-fcm.lock"), timeout: .zero)
        let store = store(sleep: { _ in })
        let answer = try await send(fcm(store), PushSamples.fcm())
        #expect(answer.verdict == .providerFailure(.service))
        #expect(answer.reason?.hasSuffix("push-fcm.lock': another process holds it") == true)
        #expect(transport.requests.isEmpty)
        lock.release()
        // The other service has a lock of its own.
        transport.stub(.post, "/3/device/" + PushSamples.apnsText)
        #expect(try await send(apns(self.store()), PushSamples.apns()).verdict == .accepted)
        transport.verify()
    }
}
