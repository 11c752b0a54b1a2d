/// Reads and changes the objects of queued writes at one server.
package struct WriteSender: Sendable {
    private let session: Session
    /// The id of the server's record.
    private let server: ServerID
    private let state: Paths.Place
    private let now: @Sendable () -> Timestamp
    private let sleep: FileLock.Sleep
    /// The endpoint of a subscription of this machine, by its id.
    private let endpoint: @Sendable (String) async -> PushEndpoint?

    package init(
        _ session: Session, server: ServerID, state: Paths.Place,
        now: @escaping @Sendable () -> Timestamp, sleep: @escaping FileLock.Sleep,
        endpoint: @escaping @Sendable (String) async -> PushEndpoint?
    ) {
        (self.session, self.server, self.state) = (session, server, state)
        (self.now, self.sleep, self.endpoint) = (now, sleep, endpoint)
    }

    /// Reads the object of a write.
    /// - Throws: `APIError`; `.notFound` if there is none.
    package func version(for write: QueueableWrite) async throws(APIError) -> ObjectVersion {
        switch write {
        case .feedback(let event, let rating, let correction):
            let found = try await EventService(session: session).feedback(on: event)
            return ObjectVersion(feedback: found, rating: rating, correction: correction)
        case .cameraEnabled(let id, let isOn):
            let view = try await session.call(CameraRoutes.show, id)
            let camera = try Camera(view).orMalformed("the answer is not a camera")
            return ObjectVersion(
                ["enabled": camera.isEnabled.map { .bool($0) } ?? .null],
                wanted: ["enabled": .bool(isOn)])
        case .deviceName(let id, let name):
            let device = try await device(id)
            return ObjectVersion(
                ["name": .textOrNull(device.name)], wanted: ["name": .text(name)])
        case .preferences(let owner, let change):
            let found = try await preferences.read(try await target(owner))
            return ObjectVersion(preferences: found.preferences, change)
        }
    }

    /// Sends a write for an object that was just read as `version`.
    ///
    /// - Throws: `APIError`; its status is 409 if another client changed the object meanwhile.
    func send(_ write: QueueableWrite, over version: ObjectVersion) async throws(APIError) {
        switch write {
        case .feedback(let event, let rating, let correction):
            let opinion = EventChangeRoutes.Opinion(
                eventID: event, rating: rating, correction: correction)
            // A POST for feedback that is there by now is a 409, and replaces nothing.
            let isFirst = version.values["rating"] == .null
            _ = try await session.call(
                isFirst ? EventChangeRoutes.giveFeedback : EventChangeRoutes.changeFeedback,
                opinion)
        case .cameraEnabled(let id, let isOn):
            let view = try await session.call(CameraChangeRoutes.setEnabled, (id, isOn))
            guard view["is_enabled"]?.bool == isOn else {
                throw APIError(.malformedAnswer, "the camera's setting is as it was")
            }
        case .deviceName(let id, let name):
            _ = try await DeviceService(session: session).rename(
                try await device(id), to: name)
        case .preferences(let owner, let change):
            try await send(change, to: try await target(owner))
        }
    }

    /// Changes preferences while no other argus of this user does.
    private func send(
        _ change: PushPreferencesChange, to target: PushPreferencesTarget
    ) async throws(APIError) {
        let changed = try await state.withLock(
            "\(server.text).push.lock", timeout: .seconds(120), sleep: sleep
        ) { () async throws(APIError) in
            try await preferences.change(target, change)
        }
        guard try await preferences.verify(changed, change, of: target).isLost else { return }
        throw APIError(.rejected, "another program changed the preferences", status: 409)
    }

    private var preferences: PushPreferencesService {
        let sleep = sleep
        return PushPreferencesService(session: session, now: now) { try? await sleep($0) }
    }

    private func device(_ id: String) async throws(APIError) -> Device {
        let devices = try await DeviceService(session: session).list().values
        guard let device = devices.first(where: { $0.hasID(id) }) else {
            throw APIError(.notFound, "Device not found", status: 404)
        }
        return device
    }

    private func target(
        _ owner: QueueableWrite.Owner
    ) async throws(APIError) -> PushPreferencesTarget {
        switch owner {
        case .device(let id): return .device(id)
        case .subscription(let id):
            guard let endpoint = await endpoint(id) else {
                throw APIError(.notFound, "this machine has no subscription \(id)")
            }
            return .endpoint(endpoint)
        }
    }
}

extension ObjectVersion {
    /// The state of an event's feedback; its members are null if there is none.
    package init(feedback: EventFeedback?, rating: String, correction: String?) {
        let old = feedback?.correction
        self.init(
            ["rating": .textOrNull(feedback?.rating), "correction": .textOrNull(old)],
            wanted: ["rating": .text(rating), "correction": .textOrNull(correction ?? old)],
            changedAt: feedback?.changedAt)
    }

    /// The state of preferences, whose lists have no order.
    package init(preferences: PushPreferences, _ change: PushPreferencesChange) {
        self.init(
            Self.values(preferences), wanted: Self.values(change.applied(to: preferences)),
            changedAt: preferences.updatedAt)
    }

    private static func values(_ preferences: PushPreferences) -> [String: JSONValue] {
        func choice(_ list: [String]?) -> JSONValue {
            list.map { .list($0.sorted().map { .text($0) }) } ?? .text("all")
        }
        let hours = "\(preferences.quietStart ?? "")-\(preferences.quietEnd ?? "")"
        return [
            "cameras": choice(preferences.cameras), "types": choice(preferences.objects),
            "quiet_hours": .text(preferences.isQuietEnabled ? hours : "off"),
            "timezone": .text(preferences.timezone), "sound": .bool(preferences.hasSound),
        ]
    }
}

extension JSONValue {
    /// A text, or null.
    fileprivate static func textOrNull(_ text: String?) -> JSONValue {
        text.map { .text($0) } ?? .null
    }
}
