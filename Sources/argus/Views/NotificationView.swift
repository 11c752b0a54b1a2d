import ArgusCore
import ArgusPush

enum NotificationView {
    static let fields: [Field<PushNotification>] = [
        .column("title", "the title") { $0.title }.shrinking(1),
        .column("body", "the text") { $0.body }.shrinking(0).untrusted,
        .hidden("event_id", "the event; null for a test") { $0.eventID }.shortened,
        .hidden("camera_id", "the camera's id") { $0.cameraID }.shortened,
        .hidden("camera_name", "the camera's name") { $0.cameraName },
        .hidden("smart_detection_type", "what was detected") { $0.smartDetectionType },
        .hidden("thumbnail_url", "the picture; perhaps a path on the server") { $0.thumbnailURL },
        .hidden("url", "the page to open; perhaps a path on the server") { $0.url },
        .hidden("timestamp", "when the event happened, if the server sends it") { $0.timestamp },
        .hidden("actions", "the buttons, each with id and title") {
            $0.actions?.map { ["id": $0.id, "title": $0.title] as FieldValue }
        }.ofType(.nullable(.list(.object))),
        .hidden("category", "the kind of notification for an app") { $0.category },
        .hidden("sound", "the sound to play") { $0.sound },
        .hidden("priority", "high or normal") { $0.priority },
        .hidden("silent", "whether it is to make no sound") { $0.isSilent },
        .hidden("tag", "notifications with the same tag replace each other") { $0.tag },
        .column("received_at", "when it came") { $0.receivedAt },
    ]
}

/// The result of `push listen --test`.
struct ListenTestRow: Sendable {
    var server: String
    var milliseconds: Int
    /// The address of this machine that the server reached.
    var address: String
    var title: String?
}

enum ListenTestView {
    static let fields: [Field<ListenTestRow>] = [
        .column("server", "the server that pushed") { $0.server },
        .column("milliseconds", "the time from the request for the test to its arrival") {
            $0.milliseconds
        },
        .column("address", "the address of this machine that the server reached") { $0.address },
        .column("title", "the title of the test") { $0.title },
    ]
}
