extension PushPayload {
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
