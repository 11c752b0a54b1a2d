/// A camera, in the one canonical shape for every generation of servers.
///
///     {"id":"83e8482b-…","name":"Garage","is_enabled":true,"source_type":"rtsp",
///      "is_doorbell":false,"is_online":true,"last_event_at":"2026-11-20T23:32:00Z"}
///
/// A field is nil when the server did not say.
package struct Camera: Sendable, Equatable {
    package var id: String
    package var name: String?
    package var isEnabled: Bool?
    package var isOnline: Bool?
    package var source: String?
    package var isDoorbell: Bool?
    package var lastEventAt: Timestamp?
    package var model: String?
    package var isCaptureEnabled: Bool?
    package var createdAt: Timestamp?
    package var updatedAt: Timestamp?

    /// Reads a camera of any generation; nil for a value without an id.
    package init?(_ view: JSONView) {
        guard let id = view["id"]?.string, !id.isEmpty else { return nil }
        self.id = id
        name = view["name"]?.string
        isEnabled = view["is_enabled"]?.bool
        isOnline =
            view["is_online"]?.bool ?? view["worker_status"]?.string.map { $0 == "connected" }
        source = view["source_type"]?.string ?? view["type"]?.string
        isDoorbell = view["is_doorbell"]?.bool
        lastEventAt = view["last_event_at"]?.string.flatMap(Timestamp.init(serverText:))
        model = view["model"]?.string ?? view["protect_camera_type"]?.string
        isCaptureEnabled = view["capture_disabled"]?.bool.map { !$0 }
        createdAt = view["created_at"]?.string.flatMap(Timestamp.init(serverText:))
        updatedAt = view["updated_at"]?.string.flatMap(Timestamp.init(serverText:))
    }
}

/// How good a picture is asked for; servers without the choice ignore it.
package enum SnapshotQuality: String, Sendable, CaseIterable {
    case low, medium, high
}
