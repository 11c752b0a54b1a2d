package import ArgusCore

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

    /// Checks the members that the sender added against those that a service keeps for itself.
    /// - Throws: `.rejected`.
    func check(for service: DeliveryService) throws(DeliveryError) {
        var seen: Set<String> = []
        for member in data {
            guard !member.name.isEmpty else {
                throw DeliveryError(.rejected, "a member of the data has no name")
            }
            guard seen.insert(member.name).inserted else {
                throw DeliveryError(.rejected, "the data has '\(member.name)' twice")
            }
            guard !Self.isReserved(member.name, by: service) else {
                throw DeliveryError(
                    .rejected, "the data cannot have '\(member.name)', which \(service.name) uses",
                    hint: "give it another name")
            }
        }
        if let eventID, eventID.utf8.count > 64 {
            throw DeliveryError(.rejected, "the id of the event is longer than 64 bytes")
        }
    }

    private static func isReserved(_ name: String, by service: DeliveryService) -> Bool {
        switch service {
        case .apns: name == "aps"
        case .fcm:
            // https://firebase.google.com/docs/reference/fcm/rest/v1/projects.messages
            ["from", "message_type", "collapse_key", "title", "body", "silent"].contains(name)
                || name.hasPrefix("google") || name.hasPrefix("gcm.")
        case .webPush: name == "timestamp"
        }
    }
}
