import ArgusCore
import ArgusEvents

/// The canonical fields of cameras and of their pictures (docs/scripting.md, "Fields").
enum CameraView {
    static let fields: [Field<Camera>] = [
        .column("id", "the camera's id") { $0.id }.shortened,
        .column("name", "the camera's name") { $0.name }.shrinking(0).asHeadline,
        .column("enabled", "whether the server uses it") { $0.isEnabled }
            .dimmingRows(with: .bool(false)),
        .column("online", "whether it delivers pictures now; null if the server does not know") {
            $0.isOnline
        }.coloringNo(.red),
        .column("source", "how it is connected: rtsp, usb, protect") { $0.source },
        .hidden("is_doorbell", "whether it is a doorbell") { $0.isDoorbell },
        .hidden("last_event_at", "when its last event was") { $0.lastEventAt }.onTerminals()
            .headed("last event"),
    ]

    static let detailFields: [Field<CameraDetail>] = fields.reading { $0.camera } + own

    private static let own: [Field<CameraDetail>] = [
        .column("model", "the camera's model") { $0.camera.model },
        .column("capture_enabled", "whether the server captures from it now, whatever the setting")
        { $0.camera.isCaptureEnabled },
        .column("created_at", "when it was added") { $0.camera.createdAt },
        .column("updated_at", "when its settings last changed") { $0.camera.updatedAt },
        .column("status", "the state of capturing: connected, reconnecting, …") {
            $0.health?.status
        }.withStateColors,
        .column("last_frame_at", "when its last picture arrived") { $0.health?.lastFrameAt },
        .column("error", "why there are no pictures") { $0.health?.error }.colored { _ in .red
        },
        .column("stream_available", "whether it can be watched live") { $0.stream?.isAvailable },
        .column("stream_qualities", "name, size and rate of the qualities") {
            $0.stream?.qualities
        },
        .column("stream_clients", "how many watch it live now") { $0.stream?.clients },
    ]
}

/// A picture that was written to its target.
struct SavedImage: Sendable {
    /// The camera or event that it shows.
    var id: String
    /// The file's path; nil for stdout.
    var path: String?
    var byteCount: Int
    /// Hexadecimal, lower case.
    var sha256: String
    var capturedAt: Timestamp?

    static func fields(id name: String, _ summary: String) -> [Field<SavedImage>] {
        [
            .hidden(name, summary) { $0.id }.shortened,
            .column("path", "the file that was written; null for stdout") { $0.path },
            .column("bytes", "its size") { $0.byteCount },
            .hidden("sha256", "its checksum") { $0.sha256 },
            .column("captured_at", "when the picture was taken") { $0.capturedAt },
        ]
    }
}

/// A saved picture of a camera, with its age and freshness.
struct SavedSnapshot: Sendable {
    var image: SavedImage
    var age: Duration?
    /// True if the camera repeated its last picture; nil without an earlier one.
    var isFrozen: Bool?

    static let fields: [Field<SavedSnapshot>] =
        SavedImage.fields(id: "camera_id", "the camera's id").reading { $0.image } + own

    private static let own: [Field<SavedSnapshot>] = [
        .hidden("age_seconds", "its age when the server sent it") {
            $0.age.map { Double($0.components.seconds) }
        },
        .hidden("frozen", "whether it is the same picture as the last one") { $0.isFrozen },
    ]
}

extension CameraChange {
    static let fields: [Field<CameraChange>] = [
        .column("camera_id", "the camera's id") { $0.id },
        .column("name", "the camera's name") { $0.name },
        .column("changed", "setting, capture (until the server restarts) or connection") {
            $0.subject.rawValue
        },
        .column("enabled", "whether it is on now; true for a connection") { $0.isOn },
        .column("message", "the server's message") { $0.message },
    ]

    var sentence: String {
        let camera = "'\(name ?? id)'"
        switch (subject, isOn) {
        case (.setting, true): return "enabled \(camera)"
        case (.setting, false):
            let word = (name ?? id).contains(" ") ? "\"\(name ?? id)\"" : name ?? id
            return "disabled \(camera); 'argus cameras enable \(word)' undoes it"
        case (.capture, true):
            return "started capturing from \(camera); its setting is unchanged"
        case (.capture, false):
            return "stopped capturing from \(camera) until the server restarts; its setting is "
                + "unchanged"
        case (.connection, _):
            return "\(camera): \(message ?? "the server connected again")"
        }
    }
}
