import ArgusAccount
package import ArgusCore
package import ArgusEvents
package import ArgusPush
package import ArgusTransport

/// A call of a service that changes one object of a server: a command makes it at once, and the queue
/// makes the same call again later.
///
/// It holds no secret: a subscription is named by its id, since its endpoint is one.
package protocol ServiceCall: Hashable, Sendable {
    /// The object as it was before the change.
    associatedtype Found
    /// The object as the server has it after the change.
    associatedtype Made

    /// The command that makes the call, as records and output name it.
    var operation: String { get }
    /// The object that it changes; calls of one object are made in the order of their addition.
    var object: String { get }
    /// The members of an `ObjectVersion` that it replaces.
    var members: [String] { get }
    /// The document of its arguments.
    var document: [String: JSONValue] { get }

    /// Reads the object.
    /// - Throws: `APIError`; `.notFound` if there is none.
    func read(by sender: WriteSender) async throws(APIError) -> Found

    /// The state of the object, and what the call makes of it.
    func version(_ found: Found) -> ObjectVersion

    /// Makes the change over what was read.
    /// - Throws: `APIError`, with the status 409 if another client changed the object meanwhile.
    func perform(over found: Found, by sender: WriteSender) async throws(APIError) -> Made
}

/// Rates an event; without a correction an earlier one stays.
package struct GiveFeedback: ServiceCall {
    package var event: String
    package var rating: String
    package var correction: String?

    package init(event: String, rating: String, correction: String? = nil) {
        (self.event, self.rating, self.correction) = (event, rating, correction)
    }

    package var operation: String { "events feedback" }
    package var object: String { "event \(event)" }
    package var members: [String] { ["rating", "correction"] }

    package var document: [String: JSONValue] {
        var members: [String: JSONValue] = ["event": .text(event), "rating": .text(rating)]
        members["correction"] = correction.map { .text($0) }
        return members
    }

    package func read(by sender: WriteSender) async throws(APIError) -> EarlierFeedback {
        try await EventService(session: sender.session).feedback(on: event)
            .map(EarlierFeedback.given) ?? .none
    }

    package func version(_ found: EarlierFeedback) -> ObjectVersion {
        ObjectVersion(
            values: ObjectVersion.values(found.feedback),
            wanted: [
                "rating": .text(rating),
                "correction": .textOrNull(correction ?? found.feedback?.correction),
            ])
    }

    package func perform(
        over found: EarlierFeedback, by sender: WriteSender
    ) async throws(APIError) -> EventFeedback {
        let opinion = EventChangeRoutes.Opinion(
            eventID: event, rating: rating, correction: correction)
        return try await EventService(session: sender.session).give(opinion, over: found)
    }
}

/// Enables or disables a camera.
package struct SetCameraEnabled: ServiceCall {
    package var camera: String
    package var isOn: Bool

    package init(camera: String, isOn: Bool) { (self.camera, self.isOn) = (camera, isOn) }

    package var operation: String { isOn ? "cameras enable" : "cameras disable" }
    package var object: String { "camera \(camera)" }
    package var members: [String] { ["enabled"] }
    package var document: [String: JSONValue] { ["camera": .text(camera)] }

    package func read(by sender: WriteSender) async throws(APIError) -> Camera {
        let view = try await sender.session.call(CameraRoutes.show, camera)
        return try Camera(view).orMalformed("the answer is not a camera")
    }

    package func version(_ found: Camera) -> ObjectVersion {
        ObjectVersion(values: ObjectVersion.values(found), wanted: ["enabled": .bool(isOn)])
    }

    package func perform(
        over found: Camera, by sender: WriteSender
    ) async throws(APIError) -> CameraChange {
        try await CameraService(session: sender.session).setEnabled(found, to: isOn)
    }
}

/// Renames a device, which is named by the id of its row or, if that is unknown, by its own id.
package struct RenameDevice: ServiceCall {
    package var device: String
    package var name: String

    package init(device: String, to name: String) { (self.device, self.name) = (device, name) }

    package var operation: String { "devices rename" }
    package var object: String { "device \(device)" }
    package var members: [String] { ["name"] }
    package var document: [String: JSONValue] { ["device": .text(device), "name": .text(name)] }

    package func read(by sender: WriteSender) async throws(APIError) -> Device {
        let listed = try await DeviceService(session: sender.session).list().values
        guard let found = listed.first(where: { $0.hasID(device) }) else {
            throw APIError(.notFound, "Device not found", status: 404)
        }
        return found
    }

    package func version(_ found: Device) -> ObjectVersion {
        ObjectVersion(values: ObjectVersion.values(found), wanted: ["name": .text(name)])
    }

    package func perform(
        over found: Device, by sender: WriteSender
    ) async throws(APIError) -> (device: Device, view: JSONView) {
        try await DeviceService(session: sender.session).rename(found, to: name)
    }
}

/// Changes push preferences.
package struct SetPreferences: ServiceCall {
    /// The owner of push preferences.
    package enum Owner: Hashable, Sendable {
        /// The id that the device chose.
        case device(String)
        /// The id of a subscription that this machine made.
        case subscription(String)

        /// The preferences as an object of calls.
        var object: String {
            switch self {
            case .device(let id): "preferences of device \(id)"
            case .subscription(let id): "preferences of subscription \(id)"
            }
        }
    }

    package var owner: Owner
    package var change: PushPreferencesChange

    package init(_ owner: Owner, _ change: PushPreferencesChange) {
        (self.owner, self.change) = (owner, change)
    }

    package var operation: String { "push prefs set" }
    package var object: String { owner.object }

    package var members: [String] {
        let given = [
            ("cameras", change.cameras != nil), ("types", change.objects != nil),
            ("quiet_hours", change.quiet != nil),
            ("timezone", change.quiet != nil || change.timezone != nil),
            ("sound", change.hasSound != nil), ("critical", change.overridesCritical != nil),
        ]
        return given.filter(\.1).map(\.0)
    }

    package var document: [String: JSONValue] {
        var members = change.document
        switch owner {
        case .device(let id): members["device"] = .text(id)
        case .subscription(let id): members["subscription"] = .text(id)
        }
        return members
    }

    package func read(
        by sender: WriteSender
    ) async throws(APIError) -> PushPreferencesService.Found {
        switch owner {
        case .device(let id): try await sender.preferences.read(.device(id))
        case .subscription(let id):
            try await sender.preferences.read(.endpoint(try await sender.endpoint(of: id)))
        }
    }

    package func version(_ found: PushPreferencesService.Found) -> ObjectVersion {
        ObjectVersion(
            values: ObjectVersion.values(found.preferences),
            wanted: ObjectVersion.values(change.applied(to: found.preferences))
                .filter { members.contains($0.key) })
    }

    package func perform(
        over found: PushPreferencesService.Found, by sender: WriteSender
    ) async throws(APIError) -> PushPreferencesService.Changed {
        let changed = try await sender.preferences.change(change, over: found)
        guard try await sender.preferences.verify(changed, change).isLost else { return changed }
        throw APIError(.rejected, "another program changed the preferences", status: 409)
    }
}
