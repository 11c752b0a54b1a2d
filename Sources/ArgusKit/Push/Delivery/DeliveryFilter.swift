import ArgusCore
import ArgusEvents

/// The preferences of a receiver, applied to an event.
package enum DeliveryFilter {
    /// A rule that keeps an event from a receiver, in the order in which they are applied.
    package enum Rule: String, Sendable, CaseIterable {
        /// Too many failures in a row.
        case inactive
        case camera
        case type
        case quietHours = "quiet_hours"
    }

    /// The first rule that keeps an event from a receiver at the time of sending; nil if none does.
    ///
    /// `zone` is that of the receiver's quiet hours. Those that make no sense, or whose zone this machine
    /// does not have, keep nothing.
    fileprivate static func rule(
        keeping event: Event, from token: DeliveryToken, at now: Timestamp, in zone: TimeZoneRules?
    ) -> Rule? {
        let preferences = token.preferences
        if !token.isActive { return .inactive }
        if !preferences.accepts(camera: event.cameraID) { return .camera }
        if !preferences.accepts(typeOf: event) { return .type }
        guard let zone, let span = preferences.quietSpan else { return nil }
        return span.contains(zone.fields(of: now)) ? .quietHours : nil
    }
}

extension PushPreferences {
    fileprivate func accepts(camera id: String?) -> Bool {
        guard let cameras else { return true }
        return id.map(cameras.contains) ?? false
    }

    /// True for an event of a chosen type, by its smart detection type or any object seen; events
    /// without a type and doorbell rings always pass.
    fileprivate func accepts(typeOf event: Event) -> Bool {
        guard let objects else { return true }
        if event.isDoorbellRing == true || event.smartDetectionType?.lowercased() == "ring" {
            return true
        }
        if event.smartDetectionType == nil, (event.objects ?? []).isEmpty { return true }
        return objects.contains(where: event.isOfType)
    }
}

extension DeliveryRecord {
    /// The verdict that the preferences of a receiver give about an event at a time.
    init(
        deciding event: Event, for token: DeliveryToken, at now: Timestamp, in zone: TimeZoneRules?
    ) {
        let outcome = token.preferences.hasSound ? Outcome.sent : .silent
        self.init(event.id, token, outcome, at: now)
        guard let rule = DeliveryFilter.rule(keeping: event, from: token, at: now, in: zone)
        else { return }
        (self.outcome, reason, value) = (.skipped, rule.rawValue, token.value(of: rule))
        guard rule == .quietHours, let zone else { return }
        passesAt = token.preferences.quietSpan?.nextChange(after: now, in: zone)
    }
}

extension DeliveryToken {
    /// The receiver's value to which a rule owes its decision, as text.
    fileprivate func value(of rule: DeliveryFilter.Rule) -> String {
        switch rule {
        case .inactive: lastFailureReason ?? "\(failureCount) failures"
        case .camera: Self.words(preferences.cameras)
        case .type: Self.words(preferences.objects)
        case .quietHours:
            "\(preferences.quietStart ?? "?")-\(preferences.quietEnd ?? "?") "
                + preferences.timezone
        }
    }

    private static func words(_ list: [String]?) -> String {
        guard let list else { return "all" }
        return list.isEmpty ? "none" : list.joined(separator: ", ")
    }

    /// The elements of a list in such words.
    static func list(inWords words: String) -> [String] {
        words.split(separator: ", ").map(String.init)
    }
}
