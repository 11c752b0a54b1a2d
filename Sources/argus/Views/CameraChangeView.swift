import ArgusKit

extension CameraChange {
    /// The canonical fields of a change.
    static let fields: [Field<CameraChange>] = [
        .column("camera_id", "the camera's id") { $0.id },
        .column("name", "the camera's name") { $0.name },
        .column("changed", "setting, capture (until the server restarts) or connection") {
            $0.subject.rawValue
        },
        .column("enabled", "whether it is on now; true for a connection") { $0.isOn },
        .column("message", "the server's message") { $0.message },
    ]

    /// The change as a sentence.
    var sentence: String {
        let camera = "'\(name ?? id)'"
        switch (subject, isOn) {
        case (.setting, true): return "\(camera) is enabled: the server uses it from now on"
        case (.setting, false):
            return "\(camera) is disabled: the server leaves it alone until it is enabled"
        case (.capture, true):
            return "capturing from \(camera) is started; its setting is as it was"
        case (.capture, false):
            return "capturing from \(camera) is stopped until the server starts again; its setting "
                + "is as it was"
        case (.connection, _):
            return "\(camera): \(message ?? "the server connected again")"
        }
    }
}
