package import ArgusCore
package import ArgusEvents

/// The pushes that a subscription or a device gets, and the hours without any.
///
///     {"id":"ec3e0bb4-…","enabled_cameras":null,"enabled_object_types":["person"],
///      "quiet_hours_enabled":true,"quiet_hours_start":"22:00","quiet_hours_end":"07:00",
///      "timezone":"Europe/Paris","sound_enabled":true,"updated_at":"2026-11-20T23:36:49Z"}
package struct PushPreferences: Hashable, Sendable {
    package var id: String?
    /// Ids; nil means all, an empty list none.
    package var cameras: [String]?
    /// Words of `PushObject`; nil means all, an empty list none.
    package var objects: [String]?
    package var isQuietEnabled = false
    /// `HH:MM` as the server stores it; unchecked while quiet hours are off.
    package var quietStart: String?
    package var quietEnd: String?
    package var timezone = "UTC"
    package var hasSound = true
    /// True if critical alerts come through; only devices of today's servers have it.
    package var overridesCritical: Bool?
    package var updatedAt: Timestamp?

    package init() {}

    /// Decodes an answer; nil for a value without preferences.
    init?(_ view: JSONView) {
        let names = [
            "enabled_cameras", "enabled_object_types", "quiet_hours_enabled", "timezone",
            "sound_enabled",
        ]
        guard names.contains(where: { view[$0] != nil }) else { return nil }
        id = view["id"]?.string
        cameras = view["enabled_cameras"]?.strings
        objects = view["enabled_object_types"]?.strings
        isQuietEnabled = view["quiet_hours_enabled"]?.bool ?? false
        quietStart = view["quiet_hours_start"]?.string
        quietEnd = view["quiet_hours_end"]?.string
        timezone = view["timezone"]?.string ?? "UTC"
        hasSound = view["sound_enabled"]?.bool ?? true
        updatedAt = view["updated_at"]?.timestamp
    }

    /// Takes the quiet hours of a device, on servers that store nothing else for it.
    package init(_ device: Device) {
        let hours = device.quietHours
        isQuietEnabled = hours.isEnabled ?? false
        quietStart = hours.start
        quietEnd = hours.end
        timezone = hours.timezone ?? "UTC"
        overridesCritical = hours.overridesCritical
    }

    /// The quiet hours; nil if they are off or invalid.
    package var quietSpan: QuietHours? {
        isQuietEnabled ? QuietHours(from: quietStart, to: quietEnd) : nil
    }

    /// Writes all members, because servers reset omitted ones to their defaults.
    func write(to writer: inout JSONWriter) {
        writer.member("enabled_cameras", cameras)
        writer.member("enabled_object_types", objects)
        writer.member("quiet_hours_enabled", isQuietEnabled)
        writer.member("quiet_hours_start", quietStart)
        writer.member("quiet_hours_end", quietEnd)
        writer.member("timezone", timezone)
        writer.member("sound_enabled", hasSound)
    }
}

/// A kind of object that servers recognise in pictures.
package enum PushObject: String, Sendable, CaseIterable {
    case person, vehicle, package, animal
}

/// The owner of preferences.
package enum PushPreferencesTarget: Hashable, Sendable {
    /// The id that the device chose.
    case device(String)
    case endpoint(PushEndpoint)

    func write(to writer: inout JSONWriter) {
        switch self {
        case .device(let id): writer.member("device_id", id)
        case .endpoint(let endpoint): writer.member("endpoint", endpoint.text.reveal())
        }
    }
}

/// A change of preferences; nil leaves a value unchanged.
package struct PushPreferencesChange: Hashable, Sendable {
    /// A choice: a list, or all (nil).
    package struct Choice: Hashable, Sendable {
        package var values: [String]?

        package init(_ values: [String]?) { self.values = values }
    }

    package var cameras: Choice?
    package var objects: Choice?
    /// The quiet hours; an inner nil switches them off and keeps their times.
    package var quiet: QuietHours??
    package var timezone: String?
    /// The zone of quiet hours if none was ever set; nil leaves it to the server.
    package var defaultTimezone: String?
    package var hasSound: Bool?
    /// True if critical alerts come through in quiet hours; nil leaves it as it is.
    package var overridesCritical: Bool?

    package init() {}

    /// Returns preferences with the change applied.
    package func applied(to old: PushPreferences) -> PushPreferences {
        var new = old
        let hours = deviceHours(over: old)
        if let cameras { new.cameras = cameras.values }
        if let objects { new.objects = objects.values }
        new.isQuietEnabled = hours.isEnabled ?? old.isQuietEnabled
        new.quietStart = hours.start ?? old.quietStart
        new.quietEnd = hours.end ?? old.quietEnd
        new.timezone = hours.timezone ?? old.timezone
        new.hasSound = hasSound ?? old.hasSound
        new.overridesCritical = overridesCritical ?? old.overridesCritical
        return new
    }

    /// Returns true if preferences contain the change; ignores the order of lists.
    package func holds(in preferences: PushPreferences) -> Bool {
        let wanted = applied(to: preferences)
        return wanted.cameras.map(Set.init) == preferences.cameras.map(Set.init)
            && wanted.objects.map(Set.init) == preferences.objects.map(Set.init)
            && wanted.isQuietEnabled == preferences.isQuietEnabled
            && (!wanted.isQuietEnabled || wanted.quietSpan == preferences.quietSpan)
            && wanted.timezone == preferences.timezone && wanted.hasSound == preferences.hasSound
    }

    /// The part that today's server stores for a device, applied to old preferences.
    package func deviceHours(over old: PushPreferences) -> DeviceQuietHours {
        // Servers start with the zone `UTC` and without times.
        let isUnset = old.timezone == "UTC" && old.quietStart == nil && old.quietEnd == nil
        let isFirst = quiet?.flatMap { $0 } != nil && isUnset
        return DeviceQuietHours(
            isEnabled: quiet.map { $0 != nil }, start: quiet??.start.minuteText,
            end: quiet??.end.minuteText, timezone: timezone ?? (isFirst ? defaultTimezone : nil),
            overridesCritical: overridesCritical)
    }
}

/// The effect of preferences at one time, as a sentence.
package struct PushPreferencesEffect: Sendable {
    /// True if quiet hours suppress pushes now.
    package var isQuiet = false
    /// The time of the next change; nil if there is none, or if the zone is unknown here.
    package var changesAt: Timestamp?
    /// A description of the present pushes and the time of the next change.
    package var sentence: String

    /// Computes the effect at a time; `zone` is that of the preferences, nil if unknown on this
    /// machine.
    ///
    /// If `isRegistered` is false, no pushes arrive.
    package init(
        _ preferences: PushPreferences, at now: Timestamp, zone: TimeZoneRules?,
        cameraNames: [String]?, isRegistered: Bool = true
    ) {
        guard isRegistered else {
            sentence = "no pushes: argus has registered no push token of this device"
            return
        }
        if preferences.cameras?.isEmpty == true {
            sentence = "nothing comes through: no camera is chosen"
            return
        }
        if preferences.objects?.isEmpty == true {
            // Events without objects pass in any case.
            sentence = "only events without a detected object come through: no type is chosen"
            return
        }
        if let span = preferences.quietSpan, let zone {
            isQuiet = span.contains(zone.fields(of: now))
            changesAt = span.nextChange(after: now, in: zone)
        }
        sentence =
            Self.what(preferences, cameraNames, isQuiet)
            + Self.change(preferences, isQuiet, zone, changesAt, at: now)
    }

    private static func what(
        _ preferences: PushPreferences, _ cameraNames: [String]?, _ isQuiet: Bool
    ) -> String {
        if isQuiet {
            return preferences.overridesCritical == true
                ? "only critical alerts come through now: it is quiet"
                : "nothing comes through now: it is quiet"
        }
        let sound = preferences.hasSound ? "with sound" : "without sound"
        let of = preferences.objects?.joined(separator: ", ") ?? "everything"
        let from = (cameraNames ?? preferences.cameras).map {
            " from \($0.joined(separator: ", "))"
        }
        return "\(of)\(from ?? "") comes through now, \(sound)"
    }

    private static func change(
        _ preferences: PushPreferences, _ isQuiet: Bool, _ zone: TimeZoneRules?,
        _ changesAt: Timestamp?, at now: Timestamp
    ) -> String {
        guard preferences.isQuietEnabled else { return "; there are no quiet hours" }
        guard preferences.quietSpan != nil else { return "; the quiet hours are invalid" }
        guard let zone else { return "; this machine does not know '\(preferences.timezone)'" }
        guard let changesAt else { return "; the quiet hours are empty" }
        let fields = zone.fields(of: changesAt)
        let isToday = zone.fields(of: now).date.day == fields.date.day
        let clock = "\(fields.clock.hour.padded(to: 2)):\(fields.clock.minute.padded(to: 2))"
        let day = isToday ? "today" : "tomorrow"
        return (isQuiet ? " until " : "; quiet from ") + "\(clock) \(day) (\(preferences.timezone))"
    }
}
