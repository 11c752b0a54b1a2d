package import ArgusCore

/// A camera, in the one canonical shape for every generation of servers.
///
///     {"id":"83e8482b-…","name":"Garage","is_enabled":true,"source_type":"rtsp",
///      "is_doorbell":false,"is_online":true,"last_event_at":"2026-11-20T23:32:00Z"}
///
/// A field is nil when the server does not send it.
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

    /// Decodes a camera of any generation; nil without an id.
    package init?(_ view: JSONView) {
        guard let id = view["id"]?.string, !id.isEmpty else { return nil }
        self.id = id
        name = view["name"]?.string
        isEnabled = view["is_enabled"]?.bool
        source = view["source_type"]?.string ?? view["type"]?.string
        var worker = view["worker_status"]?.string
        // A Protect controller captures its cameras itself, so the server has no worker for them.
        if isOfProtect && worker == "stopped" { worker = nil }
        isOnline = view["is_online"]?.bool ?? worker.map { $0 == "connected" }
        isDoorbell = view["is_doorbell"]?.bool
        lastEventAt = view["last_event_at"]?.timestamp
        model = view["model"]?.string ?? view["protect_camera_type"]?.string
        isCaptureEnabled = view["capture_disabled"]?.bool.map { !$0 }
        createdAt = view["created_at"]?.timestamp
        updatedAt = view["updated_at"]?.timestamp
    }

    /// True for a camera that a Protect controller captures, and not the server.
    package var isOfProtect: Bool { source == "protect" }
}

/// The state of a camera in the server's capture service.
///
///     {"status":"connected","last_frame_time":"2026-11-20T23:45:58.832075+00:00","error":null}
package struct CameraHealth: Sendable, Equatable {
    /// `connected`, `starting`, `reconnecting`, `disabled` and the like.
    package var status: String?
    package var lastFrameAt: Timestamp?
    package var error: String?

    package init(_ view: JSONView) {
        status = view["status"]?.string
        lastFrameAt = view["last_frame_time"]?.timestamp
        error = view["error"]?.string
    }
}

/// A camera's live stream.
///
///     {"is_available":true,"default_quality":"medium","current_clients":0,
///      "quality_options":[{"id":"low","resolution":"640x360","fps":5}]}
package struct StreamInfo: Sendable, Equatable {
    package var isAvailable: Bool?
    /// Qualities such as `low 640x360 5 fps`.
    package var qualities: [String]?
    package var clients: Int?

    init(_ view: JSONView) {
        isAvailable = view["is_available"]?.bool
        clients = view["current_clients"]?.int
        guard let options = view["quality_options"], options.kind == .array else { return }
        qualities = options.elements.compactMap { option in
            guard let id = option["id"]?.string else { return nil }
            let rate = option["fps"]?.int.map { "\($0) fps" }
            return [id, option["resolution"]?.string, rate].compactMap(\.self)
                .joined(separator: " ")
        }
    }
}

/// A camera with the details that only its own routes give.
package struct CameraDetail: Sendable, Equatable {
    package var camera: Camera
    package var health: CameraHealth?
    package var stream: StreamInfo?
}
