package import ArgusCore

/// A notification that a server pushed, in the one canonical shape.
///
/// Servers nest the event in `data`, as service workers want it, or send one flat object; a text
/// that is neither is the body alone.
package struct PushNotification: Hashable, Sendable {
    package var title: String?
    package var body: String?
    package var eventID: String?
    package var cameraID: String?
    package var cameraName: String?
    package var smartDetectionType: String?
    /// The picture; a path is one of the server.
    package var thumbnailURL: String?
    /// The page of the event; a path is one of the server.
    package var url: String?
    package var timestamp: Timestamp?
    package var actions: [PushPayload.Action]?
    package var category: String?
    package var sound: String?
    package var priority: String?
    package var isSilent: Bool?
    /// Notifications with the same tag replace each other.
    package var tag: String?
    /// The kind of a notification without an event, such as `test`.
    package var kind: String?
    package var receivedAt: Timestamp

    /// Reads the decrypted text of a push; nil for bytes that are not text.
    package init?(_ text: [UInt8], receivedAt now: Timestamp) {
        receivedAt = now
        guard let view = try? JSONView.parse(text), view.kind == .object else {
            guard let body = String(validating: text, as: UTF8.self), !body.isEmpty else {
                return nil
            }
            self.body = body
            return
        }
        let data = view["data"] ?? .null
        func member(_ name: String) -> JSONView? {
            [data[name], view[name]].compactMap(\.self).first { !$0.isNull }
        }
        title = view["title"]?.string ?? data["title"]?.string
        body = view["body"]?.string ?? data["body"]?.string
        eventID = member("event_id")?.string
        cameraID = member("camera_id")?.string
        cameraName = member("camera_name")?.string
        smartDetectionType = member("smart_detection_type")?.string
        thumbnailURL = view["image"]?.string ?? member("thumbnail_url")?.string
        url = member("url")?.string
        timestamp = member("timestamp")?.timestamp
        category = member("category")?.string
        sound = member("sound")?.string
        priority = member("priority")?.string
        isSilent = member("silent")?.bool
        tag = view["tag"]?.string
        kind = data["type"]?.string
        guard let list = member("actions"), list.kind == .array else { return }
        actions = list.elements.compactMap { action in
            (action["action"] ?? action["id"])?.string.map {
                PushPayload.Action(id: $0, title: action["title"]?.string ?? $0)
            }
        }
    }

    /// True for the answer to a request for a test push.
    package var isTest: Bool { kind == "test" || tag == "test-notification" }
}
