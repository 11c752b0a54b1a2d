/// What preferences mean now, for people.
package struct PushPreferencesNow: Sendable {
    /// Whether quiet hours keep pushes back now.
    package var isQuiet = false
    /// When that changes next; nil where it does not, or the zone is unknown here.
    package var changesAt: Timestamp?
    /// What comes through now and when that changes, in one sentence.
    package var sentence: String

    /// Judges preferences at a moment; `zone` is theirs, nil where this machine does not know it.
    package init(
        _ preferences: PushPreferences, at now: Timestamp, zone: TimeZoneRules?,
        cameraNames: [String]?
    ) {
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
        if preferences.cameras?.isEmpty == true {
            return "nothing comes through: no camera is chosen"
        }
        if isQuiet {
            return preferences.overridesCritical == true
                ? "only critical alerts come through now: it is quiet"
                : "nothing comes through now: it is quiet"
        }
        let sound = preferences.hasSound ? "with sound" : "without sound"
        var of = "everything"
        if let objects = preferences.objects {
            // Events without any object pass whatever is chosen (backend-facts 8).
            of =
                objects.isEmpty
                ? "only what shows none of the known types" : objects.joined(separator: ", ")
        }
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
        guard preferences.quietSpan != nil else { return "; the quiet hours make no sense" }
        guard let zone else { return "; this machine does not know '\(preferences.timezone)'" }
        guard let changesAt else { return "; the quiet hours are empty" }
        let fields = zone.fields(of: changesAt)
        let isToday = zone.fields(of: now).day == fields.day
        let clock =
            "\(fields.hour < 10 ? "0" : "")\(fields.hour):"
            + "\(fields.minute < 10 ? "0" : "")\(fields.minute)"
        let day = isToday ? "today" : "tomorrow"
        return (isQuiet ? " until " : "; quiet from ") + "\(clock) \(day) (\(preferences.timezone))"
    }
}
