import ArgusKit

extension CameraChange {
    /// The canonical fields of a change.
    static let fields: [Field<CameraChange>] = [
        Field("camera_id", "the camera's id") { .text($0.id) },
        Field("name", "the camera's name") { FieldValue($0.name) },
        Field("changed", "setting (lasts), capture (until the server starts again), connection") {
            .text($0.subject.rawValue)
        },
        Field("enabled", "whether it is on now; true for a connection") { .bool($0.isOn) },
        Field("message", "the server's own words") { FieldValue($0.message) },
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
