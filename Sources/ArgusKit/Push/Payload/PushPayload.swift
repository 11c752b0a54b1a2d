/// A notification before it takes the form of a push service.
///
///     {"title":"Front Door: Person Detected","body":"A person …","event_id":"8f85eda1-…",
///      "camera_id":"7323d311-…","camera_name":"Front Door","smart_detection_type":"person",
///      "url":"/events?highlight=8f85eda1-…","timestamp":"2026-11-20T23:32:00Z",
///      "actions":[{"id":"view","title":"View"}],"category":"SECURITY_ALERT","priority":"high"}
package struct PushPayload: Hashable, Sendable {
    /// A button of the notification.
    package struct Action: Hashable, Sendable {
        package var id: String
        package var title: String
    }

    /// The urgency of the delivery.
    package enum Priority: String, Hashable, Sendable {
        case high, normal
    }

    /// A member that the sender adds, such as for an app in development.
    package struct Member: Hashable, Sendable {
        package var name: String
        package var value: String

        package init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    package var title: String
    package var body: String
    package var subtitle: String?
    package var eventID: String?
    package var cameraID: String?
    package var cameraName: String?
    package var smartDetectionType: String?
    /// Absolute, without a credential in it.
    package var thumbnailURL: String?
    package var url: String?
    package var timestamp: Timestamp?
    package var actions: [Action] = []
    package var category: String?
    package var sound: String?
    package var priority = Priority.normal
    package var data: [Member] = []

    package init(title: String, body: String) {
        self.title = title
        self.body = body
    }
}
