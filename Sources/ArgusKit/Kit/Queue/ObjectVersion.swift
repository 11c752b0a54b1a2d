package import ArgusCore
package import ArgusEvents
package import ArgusPush

/// The state of an object at a server, as far as writes can change it, and what a write makes of it.
package struct ObjectVersion: Hashable, Sendable {
    /// The members of the present state, such as `["enabled": true]`.
    package var values: [String: JSONValue]
    /// The members that the write replaces, as they are after it.
    package var wanted: [String: JSONValue]

    /// True if the server has what the write wants, so that nothing needs to be sent.
    package var isAsWanted: Bool { wanted.allSatisfy { values[$0.key] == $0.value } }

    /// True if what a write replaces is what the user has seen.
    package func isCurrent(_ write: QueuedWrite) -> Bool {
        // Feedback that is not there cannot be overwritten.
        if case .feedback = write.write, values["rating"] == .null { return true }
        return write.write.members.allSatisfy { member in
            write.base[member].map { $0 == values[member] } ?? false
        }
    }

    // The members of each kind of object, as a read of it gives them.

    static func values(_ camera: Camera) -> [String: JSONValue] {
        [
            "enabled": camera.isEnabled.map { .bool($0) } ?? .null,
            "name": .textOrNull(camera.name),
        ]
    }

    static func values(_ device: Device) -> [String: JSONValue] {
        ["name": .textOrNull(device.name), "device_id": .textOrNull(device.hardwareID)]
    }

    static func values(_ feedback: EventFeedback?) -> [String: JSONValue] {
        [
            "rating": .textOrNull(feedback?.rating),
            "correction": .textOrNull(feedback?.correction),
        ]
    }

    /// Preferences, whose lists have no order.
    static func values(_ preferences: PushPreferences) -> [String: JSONValue] {
        // Some servers write 7:00 for 07:00; what is no time is compared as it is.
        let hours =
            preferences.quietSpan?.text
            ?? "\(preferences.quietStart ?? "")-\(preferences.quietEnd ?? "")"
        return [
            "cameras": .listOrAll(preferences.cameras?.sorted()),
            "types": .listOrAll(preferences.objects?.sorted()),
            "quiet_hours": .text(preferences.isQuietEnabled ? hours : "off"),
            "timezone": .text(preferences.timezone), "sound": .bool(preferences.hasSound),
            "critical": preferences.overridesCritical.map { .bool($0) } ?? .null,
        ]
    }
}

extension JSONValue {
    static func textOrNull(_ text: String?) -> JSONValue { text.map { .text($0) } ?? .null }

    static func listOrAll(_ texts: [String]?) -> JSONValue {
        texts.map { .list($0.map { .text($0) }) } ?? .text("all")
    }
}

// The states that commands have seen, noted under the names that writes give to objects.
extension SeenVersions {
    /// Notes all cameras of a server.
    package func note(_ cameras: [Camera], at server: ServerID) {
        let objects = cameras.map {
            SeenObject(
                name: SetCameraEnabled(camera: $0.id, isOn: true).object,
                values: ObjectVersion.values($0))
        }
        note(all: objects, of: "camera", at: server.text)
    }

    /// Notes all devices of a server, and the quiet hours that it stores for them.
    package func note(_ devices: [Device], at server: ServerID) {
        let objects = devices.map {
            SeenObject(
                name: RenameDevice(device: $0.id, to: "").object,
                values: ObjectVersion.values($0))
        }
        note(all: objects, of: "device", at: server.text)
        // The row has no other preferences; a route that has them is another source.
        let preferences = devices.filter { $0.quietHours != DeviceQuietHours() }.map { device in
            SeenObject(
                name: SetPreferences.Owner.device(device.hardwareID ?? device.id).object,
                values: ObjectVersion.values(PushPreferences(device))
                    .filter { ["quiet_hours", "timezone", "critical"].contains($0.key) })
        }
        note(merging: preferences, of: "preferences", at: server.text)
    }

    /// Notes the feedback on an event.
    package func note(_ feedback: EventFeedback, on event: String, at server: ServerID) {
        note(
            ObjectVersion.values(feedback), of: GiveFeedback(event: event, rating: "").object,
            at: server.text)
    }

    /// Notes the preferences of a device or subscription.
    package func note(
        _ preferences: PushPreferences, of owner: SetPreferences.Owner, at server: ServerID
    ) {
        note(ObjectVersion.values(preferences), of: owner.object, at: server.text)
    }
}
