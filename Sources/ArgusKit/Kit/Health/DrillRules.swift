import ArgusCore
package import ArgusEvents

/// The alert rules of a server, which it applies to the event of a drill as to no camera's.
package struct DrillRules: Sendable {
    /// The types of objects that an event of a drill may have; the first one is the usual.
    package static let types = ["person", "vehicle", "package", "animal", "unknown"]

    private let rules: [AlertRule]

    /// Takes the rules that are enabled.
    package init(_ rules: [AlertRule]) { self.rules = rules.filter(\.isEnabled) }

    /// The rules that the event sets off, except for those whose cooldown lasts.
    package func rules(setOffBy event: NewEvent) -> [AlertRule] {
        matching(event).filter { rule in
            // The times of events may lack the fraction of a second.
            guard let last = rule.lastTriggeredAt, rule.cooldown > .zero else { return true }
            return event.timestamp - last >= rule.cooldown
        }
    }

    /// Returns the event with another camera or type, so that no rule matches it; nil if there is none.
    package func unmatched(_ event: NewEvent, among cameras: [String]) -> NewEvent? {
        for camera in cameras {
            for type in Self.types {
                var event = event
                (event.cameraID, event.objects) = (camera, [type])
                if matching(event).isEmpty { return event }
            }
        }
        return nil
    }

    /// The rules that match, and those of which argus cannot tell: the server takes a condition that it
    /// does not know for fulfilled.
    private func matching(_ new: NewEvent) -> [AlertRule] {
        var event = Event(id: "")
        (event.cameraID, event.timestamp) = (new.cameraID, new.timestamp)
        (event.objects, event.confidence) = (new.objects, new.confidence)
        // Nobody has been recognised in it.
        event.hasEntity = false
        return rules.filter { rule in
            if case .fails = rule.conditions.verdict(on: event, in: .utc) { false } else { true }
        }
    }
}
