/// Which pushes a subscription or a device gets, and when.
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
    /// `HH:MM` where the server keeps it so; not checked while quiet hours are off.
    package var quietStart: String?
    package var quietEnd: String?
    package var timezone = "UTC"
    package var hasSound = true
    /// Whether critical alerts come through; only devices of today's servers have it.
    package var overridesCritical: Bool?
    package var updatedAt: Timestamp?

    package init() {}

    /// Reads an answer; nil for a value with no preference in it, whose defaults nobody has set.
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
        updatedAt = view["updated_at"]?.string.flatMap(Timestamp.init(serverText:))
    }

    /// The quiet hours of a device, where a server keeps nothing else for it.
    init(_ device: Device) {
        let hours = device.quietHours
        isQuietEnabled = hours.isEnabled ?? false
        quietStart = hours.start
        quietEnd = hours.end
        timezone = hours.timezone ?? "UTC"
        overridesCritical = hours.overridesCritical
    }

    /// The quiet hours; nil where they are off or make no sense.
    package var quietSpan: QuietHours? {
        guard isQuietEnabled, let start = quietStart.flatMap(QuietHours.Clock.init),
            let end = quietEnd.flatMap(QuietHours.Clock.init)
        else { return nil }
        return QuietHours(start: start, end: end)
    }

    /// All of them, as servers want them: what is left out goes back to its default.
    func json(for target: PushPreferencesTarget) -> [UInt8] {
        JSONWriter.object { writer in
            target.write(to: &writer)
            writer.member("enabled_cameras", cameras)
            writer.member("enabled_object_types", objects)
            writer.member("quiet_hours_enabled", isQuietEnabled)
            writer.member("quiet_hours_start", quietStart)
            writer.member("quiet_hours_end", quietEnd)
            writer.member("timezone", timezone)
            writer.member("sound_enabled", hasSound)
        }
    }
}

/// What servers tell apart in pictures.
package enum PushObject: String, Sendable, CaseIterable {
    case person, vehicle, package, animal
}

/// Whose preferences they are.
package enum PushPreferencesTarget: Hashable, Sendable {
    /// The id that a device gave itself.
    case device(String)
    case endpoint(PushEndpoint)

    func write(to writer: inout JSONWriter) {
        switch self {
        case .device(let id): writer.member("device_id", id)
        case .endpoint(let endpoint): writer.member("endpoint", endpoint.text.reveal())
        }
    }
}

/// What is to be changed of preferences; what is nil stays.
package struct PushPreferencesChange: Hashable, Sendable {
    /// A list, or all for nil in the place of one.
    package struct Choice: Hashable, Sendable {
        package var values: [String]?

        package init(_ values: [String]?) { self.values = values }
    }

    package var cameras: Choice?
    package var objects: Choice?
    /// nil within switches them off; their times stay for the next time.
    package var quiet: QuietHours??
    package var timezone: String?
    package var hasSound: Bool?

    package init() {}

    package var isEmpty: Bool { self == PushPreferencesChange() }

    /// What a server that has only quiet hours for a device cannot keep of it.
    package var beyondQuietHours: [String] {
        [
            cameras.map { _ in "cameras" }, objects.map { _ in "types" },
            hasSound.map { _ in "sound" },
        ]
        .compactMap { $0 }
    }

    /// Preferences with the change made.
    package func applied(to old: PushPreferences) -> PushPreferences {
        var new = old
        if let cameras { new.cameras = cameras.values }
        if let objects { new.objects = objects.values }
        switch quiet {
        case .some(.some(let span)):
            new.isQuietEnabled = true
            new.quietStart = span.start.text
            new.quietEnd = span.end.text
        case .some(.none): new.isQuietEnabled = false
        case .none: break
        }
        new.timezone = timezone ?? old.timezone
        new.hasSound = hasSound ?? old.hasSound
        return new
    }

    /// Whether preferences are as the change wants them; the order of lists does not count.
    package func holds(in preferences: PushPreferences) -> Bool {
        let wanted = applied(to: preferences)
        return wanted.cameras.map(Set.init) == preferences.cameras.map(Set.init)
            && wanted.objects.map(Set.init) == preferences.objects.map(Set.init)
            && wanted.isQuietEnabled == preferences.isQuietEnabled
            && (!wanted.isQuietEnabled || wanted.quietSpan == preferences.quietSpan)
            && wanted.timezone == preferences.timezone && wanted.hasSound == preferences.hasSound
    }

    /// The part that a device of today's server keeps.
    var deviceHours: DeviceQuietHours {
        var hours = DeviceQuietHours(timezone: timezone)
        switch quiet {
        case .some(.some(let span)):
            hours.isEnabled = true
            hours.start = span.start.text
            hours.end = span.end.text
        case .some(.none): hours.isEnabled = false
        case .none: break
        }
        return hours
    }
}
