package import ArgusAccount
package import ArgusCore
package import ArgusPush
import ArgusTransport

/// The services of a server as calls of the queue use them.
package struct WriteSender: Sendable {
    /// Finds the endpoint of a subscription of this machine; nil if there is none of the id.
    package typealias FindEndpoint =
        @Sendable (String) async throws(AccountError) -> PushEndpoint?

    package private(set) var session: Session
    private let server: ServerID?
    private let state: Paths.Folder
    private let now: @Sendable () -> Timestamp
    private let sleep: FileLock.Sleep
    private let endpoint: FindEndpoint

    /// Prepares to send with a session; `endpoint` finds that of a subscription by its id.
    package init(
        _ session: Session, server: ServerID?, state: Paths.Folder,
        now: @escaping @Sendable () -> Timestamp, sleep: @escaping FileLock.Sleep,
        endpoint: @escaping FindEndpoint
    ) {
        (self.session, self.server, self.state) = (session, server, state)
        (self.now, self.sleep, self.endpoint) = (now, sleep, endpoint)
    }

    /// The sender with tokens that no renewal and no sign-in replaces, or with the key that stands in
    /// for tokens that have ended.
    func fixed(to authorization: Authorization, isStandIn: Bool = false) -> WriteSender {
        var sender = self
        sender.session = Session(client: session.client, authorization: authorization)
        sender.session.isStandIn = isStandIn
        return sender
    }

    /// Runs work on the object of a write while no other argus of this user changes it, for
    /// preferences, which servers only replace as a whole.
    ///
    /// - Throws: `APIError` of the work; `.storeFailed` without the lock, and no work is done then.
    func whileUnchanged<Value>(
        _ write: QueueableWrite, _ work: () async throws(APIError) -> Value
    ) async throws(APIError) -> Value {
        guard case .preferences = write, let server else { return try await work() }
        return try await state.withLock(
            "\(server.text).push.lock", timeout: .seconds(120), sleep: sleep,
            unlocked: { error throws(APIError) in throw .storeFailed(.storeFile(error)) }, work)
    }

    var preferences: PushPreferencesService {
        let sleep = sleep
        return PushPreferencesService(session: session, now: now) { try? await sleep($0) }
    }

    /// The endpoint of a subscription of this machine.
    /// - Throws: `APIError`; `.notFound` if there is none of the id.
    func endpoint(of subscription: String) async throws(APIError) -> PushEndpoint {
        // A store that does not answer says nothing of the subscription.
        let found = try await rethrowing(
            awaiting: try await endpoint(subscription), as: APIError.storeFailed)
        guard let found else {
            throw APIError(.notFound, "this machine has no subscription \(subscription)")
        }
        return found
    }
}
