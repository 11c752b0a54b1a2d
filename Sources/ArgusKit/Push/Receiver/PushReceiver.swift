package import ArgusAccount
package import ArgusCore
package import ArgusTransport
internal import Synchronization

/// A receiver of Web Push on this machine, for one server, from its start to `close`.
package final class PushReceiver: Sendable {
    /// The address and port at which to listen.
    package struct BindAddress: Sendable {
        /// A numeric address of this machine; nil for the one that faces the server.
        package var address: String?
        /// Zero for any free port.
        package var port: UInt16

        package init(address: String?, port: UInt16) { (self.address, self.port) = (address, port) }
    }

    /// The parts of a run that a receiver uses.
    package struct Environment: Sendable {
        var store: ReceiverStore
        /// The address of this machine that faces a server; nil if there is no route.
        var facingAddress: @Sendable (SignedInServer) async -> String?
        var userAgent: String
        var now: @Sendable () -> Timestamp
        /// Ends the requests of a receiver that is being opened or compared.
        var cancellation: RequestCancellation
        var report: @Sendable (Report) -> Void

        package init(
            _ store: ReceiverStore, userAgent: String,
            now: @escaping @Sendable () -> Timestamp, endedBy cancellation: RequestCancellation,
            facingAddress: @escaping @Sendable (SignedInServer) async -> String?,
            report: @escaping @Sendable (Report) -> Void
        ) {
            (self.store, self.facingAddress) = (store, facingAddress)
            (self.userAgent, self.now, self.report) = (userAgent, now, report)
            self.cancellation = cancellation
        }

        /// The session of requests that an end of the run ends.
        func session(of server: SignedInServer) -> Session {
            server.session.over { CancellableTransport($0, cancellation) }
        }
    }

    /// A fact about a receiver for the user.
    package enum Report: Sendable {
        /// A subscription that a killed run left was ended.
        case endedLeftover(PushEndpoint)
        /// Such a subscription could not be ended.
        case keptLeftover(PushEndpoint, APIError)
        /// The subscription cannot be recorded: a kill would leave it at the server.
        case unrecorded(AccountError)
        /// A request was not a push for this receiver.
        case refused(PushRefusal)
        /// The server had lost the subscription, and has it again.
        case renewed
        /// The receiver listens at this address.
        case opened(String)
        /// The subscription could not be ended.
        case notEnded(PushEndpoint, APIError)
    }

    private let server: SignedInServer
    private let environment: Environment
    private let bindAddress: BindAddress
    private let listener: PushListener
    private let subscription: StoredSubscription
    private let holding: ReceiverStore.Holding?
    private let inbox: Mutex<PushInbox>
    private let state = Mutex(SubscriptionState.none)

    private enum SubscriptionState {
        case none
        /// The answer to the request for it is lost.
        case uncertain
        case created(id: String?)

        var isCreated: Bool { if case .created = self { true } else { false } }
        var isNone: Bool { if case .none = self { true } else { false } }
    }

    var subscriber: PushSubscriber { PushSubscriber(session: environment.session(of: server)) }

    /// The random bytes of a path: 64 characters, of which servers show at most 20 at the end and a few
    /// at the beginning.
    private static let secretCount = 48

    /// Listens for a server and records the subscription that `renew` makes, after what killed runs
    /// left there was ended.
    /// - Throws: `PushReceiverError`; nothing is recorded then.
    package init(
        at bindAddress: BindAddress, of server: SignedInServer, in environment: Environment
    ) async throws(PushReceiverError) {
        let subscriber = PushSubscriber(session: environment.session(of: server))
        let key = try await rethrowing(
            awaiting: try await subscriber.key().key, as: PushReceiverError.server)
        var known = bindAddress.address
        if known == nil { known = await environment.facingAddress(server) }
        guard let address = known else { throw .noRoute }
        let path = "/" + Base64.encodeForURL(SealedEnvelope.randomBytes(Self.secretCount))
        let listener = try await rethrowing(
            awaiting: try await PushListener(on: address, port: bindAddress.port, path: path),
            as: PushReceiverError.listener)
        let origin = listener.origin
        guard let endpoint = try? PushEndpoint(origin.description + path) else {
            listener.close()
            throw .publicAddress(address)
        }
        await Self.endLeftovers(of: server, in: environment)
        var holding: ReceiverStore.Holding?
        do throws(AccountError) {
            holding = try await environment.store.add(endpoint, of: server.receiverID)
        } catch {
            environment.report(.unrecorded(error))
        }
        let keys = ReceiverKeys()
        subscription = StoredSubscription(
            endpoint: endpoint, keys: keys.shared, userAgent: environment.userAgent,
            subscriptionID: nil)
        inbox = Mutex(PushInbox(keys, at: origin, of: key))
        (self.server, self.environment, self.bindAddress) = (server, environment, bindAddress)
        (self.listener, self.holding) = (listener, holding)
        environment.report(.opened(listener.origin.description))
    }

    /// Ends what killed runs left; what cannot be ended stays recorded.
    private static func endLeftovers(
        of server: SignedInServer, in environment: Environment
    ) async {
        let store = environment.store
        // A record that cannot be read is reported when the new subscription is added to it.
        for entry in (try? await store.abandoned(of: server.receiverID)) ?? [] {
            do throws(APIError) {
                _ = try await PushSubscriber(session: environment.session(of: server))
                    .unsubscribe(entry.endpoint)
                try? await store.remove(entry.id)
                environment.report(.endedLeftover(entry.endpoint))
            } catch {
                if case .transport(let cause) = error.kind, cause.kind == .cancelled { return }
                environment.report(.keptLeftover(entry.endpoint, error))
                // The others would wait for an answer, too.
                if error.status == nil { return }
            }
        }
    }

    private func subscribe() async throws(APIError) {
        let before = state.withLock { state in
            defer { state = .uncertain }
            return state
        }
        do throws(APIError) {
            let view = try await environment.session(of: server).call(
                PushSubscriptionRoutes.subscribe, subscription)
            state.withLock { $0 = .created(id: view["id"]?.string) }
        } catch {
            if error.excludesSuccess { state.withLock { $0 = before } }
            throw error
        }
    }

    /// The address at which it listens, without the secret path.
    package var origin: String { listener.origin.description }

    /// The endpoint at the server.
    package var endpoint: PushEndpoint { subscription.endpoint }

    /// The id of the subscription, if the server has returned one.
    var subscriptionID: String? {
        state.withLock { if case .created(let id) = $0 { id } else { nil } }
    }

    /// Hands over each push that is proved to be the server's, one after the other, until `stop`.
    ///
    /// `deliver` returns false for a push that it cannot take.
    /// - Returns: False if the system closed the listener.
    @discardableResult
    package func run(_ deliver: (PushNotification) async -> Bool) async -> Bool {
        await run(deliver) { self.environment.report(.refused($0)) }
    }

    @discardableResult
    func run(
        _ deliver: (PushNotification) async -> Bool, refused: (PushRefusal) -> Void
    ) async -> Bool {
        await listener.run { request in
            do throws(PushRefusal) {
                let notification = try self.open(request)
                return await deliver(notification) ? 201 : 503
            } catch {
                refused(error)
                return 404
            }
        }
    }

    private func open(_ request: ListenerRequest) throws(PushRefusal) -> PushNotification {
        let now = environment.now()
        return try inbox.withLock { inbox throws(PushRefusal) in
            try inbox.open(request, at: now)
        }
    }

    /// Ends `run`; answers under way are still sent.
    package func stop() { listener.close() }

    /// Subscribes; later compares with the server: takes its new key, and subscribes again if it has lost
    /// the subscription.
    /// - Returns: False if this machine now faces the server with another address.
    /// - Throws: `APIError`.
    package func renew() async throws(APIError) -> Bool {
        guard state.withLock(\.isCreated) else {
            try await subscribe()
            return true
        }
        let key = try await subscriber.key().key
        inbox.withLock { $0.serverKey = key }
        if bindAddress.address == nil, let facing = await environment.facingAddress(server),
            facing != listener.origin.host
        {
            return false
        }
        guard let rows = try await ifSupported(try await subscriber.list()) else { return true }
        let id = subscriptionID
        let isListed = rows.contains { row in
            (id != nil && row.value.id == id) || endpoint.matches(listed: row.value.endpoint)
        }
        if !isListed {
            try await subscribe()
            environment.report(.renewed)
        }
        return true
    }

    /// Stops listening and unsubscribes; reports a subscription that stays.
    package func end() async {
        do throws(APIError) {
            try await close()
        } catch {
            environment.report(.notEnded(endpoint, error))
        }
    }

    /// Stops listening and unsubscribes.
    /// - Throws: `APIError`; the next receiver of this server then ends the subscription.
    func close() async throws(APIError) {
        stop()
        guard !state.withLock(\.isNone) else { return await forget() }
        do throws(APIError) {
            let wasThere = try await PushSubscriber(session: server.session).unsubscribe(endpoint)
            // It may still be made: the record stays for the next receiver.
            if !wasThere, !state.withLock(\.isCreated) { return }
        } catch {
            // Nothing will ever end it.
            if error.isUnsupported { await forget() }
            throw error
        }
        await forget()
    }

    /// Removes the record; one that stays is ended once more by the next receiver.
    private func forget() async {
        if let id = holding?.id { try? await environment.store.remove(id) }
    }
}

/// The reason why there is no receiver.
package enum PushReceiverError: Error, Sendable {
    case server(APIError)
    case listener(ListenerError)
    /// No address of this machine has a route to the server.
    case noRoute
    /// The address is not one of a private network, so pushes would cross the internet over http.
    case publicAddress(String)
}

extension APIError {
    /// True if the server has refused the request, or never got it.
    fileprivate var excludesSuccess: Bool {
        if case .transport(let cause) = kind { return cause.nothingSent }
        if isUnsupported { return true }
        return status.map { (400..<500).contains($0) } ?? false
    }
}

extension SignedInServer {
    /// The name of the server in the record of receivers.
    package var receiverID: String { record?.id.text ?? session.client.address.description }
}
