package import ArgusAccount
package import ArgusCore
import ArgusEvents
package import ArgusPush
import ArgusTransport

/// Reads and changes the objects of queued writes at one server.
package struct WriteSender: Sendable {
    /// Finds the endpoint of a subscription of this machine; nil if there is none of the id.
    package typealias FindEndpoint =
        @Sendable (String) async throws(CredentialStoreError) -> PushEndpoint?

    private(set) var session: Session
    private let server: ServerID
    private let state: Paths.Folder
    private let now: @Sendable () -> Timestamp
    private let sleep: FileLock.Sleep
    private let endpoint: FindEndpoint

    /// Prepares to send with a session; `endpoint` finds that of a subscription by its id.
    package init(
        _ session: Session, server: ServerID, state: Paths.Folder,
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
        guard case .preferences = write else { return try await work() }
        return try await state.withLock(
            "\(server.text).push.lock", timeout: .seconds(120), sleep: sleep,
            unlocked: { error throws(APIError) in throw .storeFailed(.file(error)) }, work)
    }

    /// Reads the object of a write, and prepares to send it over what was read.
    ///
    /// `send` throws an error with the status 409 if another client changed the object meanwhile.
    /// - Throws: `APIError`; `.notFound` if there is none.
    func read(_ write: QueueableWrite) async throws(APIError) -> (
        version: ObjectVersion, send: () async throws(APIError) -> Void
    ) {
        switch write {
        case .feedback(let event, let rating, let correction):
            let found = try await EventService(session: session).feedback(on: event)
            return (
                ObjectVersion(
                    values: ObjectVersion.values(found),
                    // Without a correction an earlier one stays.
                    wanted: [
                        "rating": .text(rating),
                        "correction": .textOrNull(correction ?? found?.correction),
                    ]),
                { () async throws(APIError) in
                    let opinion = EventChangeRoutes.Opinion(
                        eventID: event, rating: rating, correction: correction)
                    // A POST for feedback that is there by now is a 409, and replaces nothing.
                    _ = try await session.call(
                        found == nil
                            ? EventChangeRoutes.giveFeedback : EventChangeRoutes.changeFeedback,
                        opinion)
                }
            )
        case .cameraEnabled(let id, let isOn):
            let view = try await session.call(CameraRoutes.show, id)
            let camera = try Camera(view).orMalformed("the answer is not a camera")
            return (
                ObjectVersion(
                    values: ObjectVersion.values(camera), wanted: ["enabled": .bool(isOn)]),
                { () async throws(APIError) in
                    let view = try await session.call(CameraChangeRoutes.setEnabled, (id, isOn))
                    guard view["is_enabled"]?.bool == isOn else {
                        throw APIError(.malformedAnswer, "the camera's setting is as it was")
                    }
                }
            )
        case .deviceName(let id, let name):
            let service = DeviceService(session: session)
            let device = try await service.list().values.first { $0.hasID(id) }
            guard let device else {
                throw APIError(.notFound, "Device not found", status: 404)
            }
            return (
                ObjectVersion(
                    values: ObjectVersion.values(device), wanted: ["name": .text(name)]),
                { () async throws(APIError) in _ = try await service.rename(device, to: name) }
            )
        case .preferences(let owner, let change):
            let target = try await target(owner)
            let found = try await preferences.read(target)
            return (
                ObjectVersion(
                    values: ObjectVersion.values(found.preferences),
                    wanted: ObjectVersion.values(change.applied(to: found.preferences))
                        .filter { change.members.contains($0.key) }),
                { () async throws(APIError) in
                    let changed = try await preferences.change(target, change, over: found)
                    guard try await preferences.verify(changed, change, of: target).isLost else {
                        return
                    }
                    throw APIError(
                        .rejected, "another program changed the preferences", status: 409)
                }
            )
        }
    }

    private var preferences: PushPreferencesService {
        let sleep = sleep
        return PushPreferencesService(session: session, now: now) { try? await sleep($0) }
    }

    private func target(
        _ owner: QueueableWrite.Owner
    ) async throws(APIError) -> PushPreferencesTarget {
        switch owner {
        case .device(let id): return .device(id)
        case .subscription(let id):
            // A store that does not answer says nothing of the subscription.
            let found = try await rethrowing(
                awaiting: try await endpoint(id), as: APIError.storeFailed)
            guard let found else {
                throw APIError(.notFound, "this machine has no subscription \(id)")
            }
            return .endpoint(found)
        }
    }
}
