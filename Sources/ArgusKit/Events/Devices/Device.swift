package import ArgusCore

/// A device that was registered or paired, in the one canonical shape for every server.
///
///     {"id":"fbd41270-…","device_id":"cli-hw-0001","platform":"web","name":"kitchen box",
///      "device_model":"Linux x86_64","last_seen_at":"2026-11-20T23:45:59Z",
///      "quiet_hours_enabled":false,"quiet_hours_timezone":"Europe/Paris"}
///
/// A field is nil when the server does not send it.
package struct Device: Sendable, Equatable {
    /// The id of the server's row.
    package var id: String
    /// The id that the device chose; any text.
    package var hardwareID: String?
    package var name: String?
    package var platform: String?
    package var model: String?
    package var lastSeenAt: Timestamp?
    package var isPaired: Bool?
    package var isInactive: Bool?
    /// True if the server has a push token of it; nil if it does not report that.
    package var hasPushToken: Bool?
    package var createdAt: Timestamp?
    package var quietHours: DeviceQuietHours

    /// Decodes a device of any generation; nil without an id.
    package init?(_ view: JSONView) {
        guard let id = view["id"]?.string, !id.isEmpty else { return nil }
        self.id = id
        hardwareID = view["device_id"]?.string
        name = view["name"]?.string
        platform = view["platform"]?.string
        model = view["device_model"]?.string
        lastSeenAt = view["last_seen_at"]?.timestamp
        isPaired = view["pairing_confirmed"]?.bool
        isInactive = view["inactive_warning"]?.bool
        hasPushToken = view["push_token"].map { $0.string?.isEmpty == false }
        createdAt = view["created_at"]?.timestamp
        quietHours = DeviceQuietHours(view)
    }

    /// Returns true for either of the two ids of the device, in any case.
    package func hasID(_ other: String?) -> Bool {
        guard let other = other?.lowercased() else { return false }
        return id.lowercased() == other || hardwareID?.lowercased() == other
    }
}

/// The quiet hours of a device, on servers that store them for each device.
package struct DeviceQuietHours: Sendable, Equatable {
    package var isEnabled: Bool?
    /// `HH:MM`.
    package var start: String?
    package var end: String?
    package var timezone: String?
    /// True if critical alerts come through nevertheless.
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
}

extension DeviceQuietHours {
    init(_ view: JSONView) {
        isEnabled = view["quiet_hours_enabled"]?.bool
        start = view["quiet_hours_start"]?.string
        end = view["quiet_hours_end"]?.string
        timezone = view["quiet_hours_timezone"]?.string
        overridesCritical = view["quiet_hours_override_critical"]?.bool
    }

    /// Writes the members that are set; servers leave the others unchanged.
    func write(to writer: inout JSONWriter) {
        if let isEnabled { writer.member("quiet_hours_enabled", isEnabled) }
        if let start { writer.member("quiet_hours_start", start) }
        if let end { writer.member("quiet_hours_end", end) }
        if let timezone { writer.member("quiet_hours_timezone", timezone) }
        if let overridesCritical {
            writer.member("quiet_hours_override_critical", overridesCritical)
        }
    }
}

/// A span of hours of each day, such as those without pushes: from 22:00 to 07:00 of the next day.
package struct QuietHours: Hashable, Sendable {
    package var start: TimeOfDay
    package var end: TimeOfDay

    /// Parses two times of day, `HH:MM`, or `H:MM` as some servers store them.
    package init?(from start: String?, to end: String?) {
        guard let start = start.flatMap(Self.time), let end = end.flatMap(Self.time) else {
            return nil
        }
        (self.start, self.end) = (start, end)
    }

    /// Parses `HH:MM-HH:MM`.
    package init?(_ text: String) {
        let ends = text.split(separator: "-", omittingEmptySubsequences: false).map(String.init)
        guard ends.count == 2 else { return nil }
        self.init(from: ends[0], to: ends[1])
    }

    private static func time(_ text: String) -> TimeOfDay? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, (1...2).contains(parts[0].utf8.count), parts[1].utf8.count == 2,
            parts.allSatisfy({ $0.utf8.allSatisfy(\.isASCIIDigit) }),
            let hour = Int(parts[0]), let minute = Int(parts[1]), hour < 24, minute < 60
        else { return nil }
        return TimeOfDay(hour: hour, minute: minute)
    }

    /// `HH:MM-HH:MM`.
    package var text: String { "\(start.minuteText)-\(end.minuteText)" }

    /// Returns true for a time of day in the quiet hours, by the rule of today's servers.
    package func contains(_ fields: TimeFields) -> Bool {
        let (minute, start, end) = (fields.clock.minutes, start.minutes, end.minutes)
        return start > end
            ? minute >= start || minute < end : minute >= start && minute < end
    }

    /// Returns true for a time of day in the hours of an alert rule, whose last minute belongs to them.
    func containsAsRule(_ fields: TimeFields) -> Bool {
        let (minute, start, end) = (fields.clock.minutes, start.minutes, end.minutes)
        return start > end
            ? minute >= start || minute <= end : minute >= start && minute <= end
    }

    /// Returns the next time after `now` at which they begin or end; nil if they are empty.
    package func nextChange(after now: Timestamp, in zone: TimeZoneRules) -> Timestamp? {
        guard start != end else { return nil }
        let today = zone.fields(of: now)
        let isQuiet = contains(today)
        return (0...2).flatMap { offset in
            [start, end].map { edge in
                zone.time(of: TimeFields(date: today.date.adding(days: offset), clock: edge))
            }
        }.filter { $0 > now && contains(zone.fields(of: $0)) != isQuiet }.min()
    }
}

extension TimeOfDay {
    /// `HH:MM`, the form that every server accepts.
    package var minuteText: String { hour.padded(to: 2) + ":" + minute.padded(to: 2) }

    fileprivate var minutes: Int { hour * 60 + minute }
}
