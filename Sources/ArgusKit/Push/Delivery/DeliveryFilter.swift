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

    package enum Decision: Hashable, Sendable {
        case send
        /// Without a sound.
        case sendSilently
        /// The first rule that keeps the event.
        case skip(Rule)
    }

    /// Decides about an event for a receiver at the time of sending; `zone` is that of the
    /// receiver's quiet hours.
    ///
    /// Quiet hours that make no sense, or whose zone this machine does not have, keep nothing.
    package static func decide(
        _ event: Event, for token: DeliveryToken, at now: Timestamp, in zone: TimeZoneRules?
    ) -> Decision {
        let preferences = token.preferences
        if !token.isActive { return .skip(.inactive) }
        if !preferences.accepts(camera: event.cameraID) { return .skip(.camera) }
        if !preferences.accepts(typeOf: event) { return .skip(.type) }
        if let zone, let span = preferences.quietSpan, span.contains(zone.fields(of: now)) {
            return .skip(.quietHours)
        }
        return preferences.hasSound ? .send : .sendSilently
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

extension DeliveryToken {
    /// The time from which on a rule keeps nothing; nil if that takes a change of the preferences.
    package func end(
        of rule: DeliveryFilter.Rule, at now: Timestamp, in zone: TimeZoneRules?
    ) -> Timestamp? {
        guard rule == .quietHours, let zone, let span = preferences.quietSpan else { return nil }
        return span.nextChange(after: now, in: zone)
    }

    /// The value of the receiver's to which a rule owes its decision, as text.
    package func value(of rule: DeliveryFilter.Rule) -> String {
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
}
