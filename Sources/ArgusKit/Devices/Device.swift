/// A device that was registered or paired, in the one canonical shape for every server.
///
///     {"id":"fbd41270-…","device_id":"cli-hw-0001","platform":"web","name":"kitchen box",
///      "device_model":"Linux x86_64","last_seen_at":"2026-11-20T23:45:59Z",
///      "quiet_hours_enabled":false,"quiet_hours_timezone":"Europe/Paris"}
///
/// A field is nil when the server did not say.
package struct Device: Sendable, Equatable {
    /// The id of the server's row.
    package var id: String
    /// The id that the device gave itself; any text.
    package var hardwareID: String?
    package var name: String?
    package var platform: String?
    package var model: String?
    package var lastSeenAt: Timestamp?
    package var isPaired: Bool?
    package var isInactive: Bool?
    package var createdAt: Timestamp?
    package var quietHours: DeviceQuietHours

    /// Reads a device of any generation; nil for a value without an id.
    package init?(_ view: JSONView) {
        guard let id = view["id"]?.string, !id.isEmpty else { return nil }
        self.id = id
        hardwareID = view["device_id"]?.string
        name = view["name"]?.string
        platform = view["platform"]?.string
        model = view["device_model"]?.string
        lastSeenAt = view["last_seen_at"]?.string.flatMap(Timestamp.init(serverText:))
        isPaired = view["pairing_confirmed"]?.bool
        isInactive = view["inactive_warning"]?.bool
        createdAt = view["created_at"]?.string.flatMap(Timestamp.init(serverText:))
        quietHours = DeviceQuietHours(view)
    }

    /// Whether an id is one of the two that the device has.
    package func hasID(_ other: String?) -> Bool {
        guard let other = other?.lowercased() else { return false }
        return id.lowercased() == other || hardwareID?.lowercased() == other
    }
}

/// When a device is not to be disturbed, as far as its server keeps that for each device.
package struct DeviceQuietHours: Sendable, Equatable {
    package var isEnabled: Bool?
    /// `HH:MM`.
    package var start: String?
    package var end: String?
    package var timezone: String?
    /// Whether critical alerts come through all the same.
    package var overridesCritical: Bool?

    package init(
        isEnabled: Bool? = nil, start: String? = nil, end: String? = nil, timezone: String? = nil,
        overridesCritical: Bool? = nil
    ) {
        self.isEnabled = isEnabled
        self.start = start
        self.end = end
        self.timezone = timezone
        self.overridesCritical = overridesCritical
    }

    init(_ view: JSONView) {
        isEnabled = view["quiet_hours_enabled"]?.bool
        start = view["quiet_hours_start"]?.string
        end = view["quiet_hours_end"]?.string
        timezone = view["quiet_hours_timezone"]?.string
        overridesCritical = view["quiet_hours_override_critical"]?.bool
    }

    /// The members that say something; servers leave the others as they are.
    var json: [UInt8] {
        JSONWriter.object { writer in
            if let isEnabled { writer.member("quiet_hours_enabled", isEnabled) }
            if let start { writer.member("quiet_hours_start", start) }
            if let end { writer.member("quiet_hours_end", end) }
            if let timezone { writer.member("quiet_hours_timezone", timezone) }
            if let overridesCritical {
                writer.member("quiet_hours_override_critical", overridesCritical)
            }
        }
    }
}
