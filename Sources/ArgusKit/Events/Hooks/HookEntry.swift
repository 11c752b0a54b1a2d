package import ArgusCore

/// An event whose hook has not succeeded yet, with its tries so far; it does not hold the command.
package struct HookEntry: Sendable, Equatable {
    package var event: Event
    /// Further variables of its hook, by their names without the prefix.
    package var variables: [String: String] = [:]
    /// The time at which the event was taken up.
    package var addedAt: Timestamp
    /// The number of times that its hook has failed.
    package var tries = 0
    /// The time of the next try; nil once the event is set aside.
    package var nextTry: Timestamp?
    /// The reason why the last try failed.
    package var reason: String?
    /// The names of the parts of its hook that are done, which later tries leave out.
    package var done: Set<String> = []

    package init(_ event: Event, _ variables: [String: String] = [:], at now: Timestamp) {
        (self.event, self.variables) = (event, variables)
        addedAt = now
        nextTry = now
    }

    package var id: String { event.id }
    package var isSetAside: Bool { nextTry == nil }

    /// The further variables, sorted by name.
    package var otherVariables: [(name: String, value: String)] {
        variables.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// The pauses after the first, the second and each later try that failed.
    private static let pauses: [Duration] = [
        .seconds(10), .seconds(30), .seconds(120), .seconds(600), .seconds(3600),
    ]

    static let longestPause = Duration.seconds(3600)

    /// Counts a try that failed; after the last one the event is set aside.
    mutating func fail(_ reason: String, at now: Timestamp, tries limit: Int) {
        self.reason = reason
        nextTry =
            tries + 1 < limit ? now + Self.pauses[min(tries, Self.pauses.count - 1)] : nil
        tries += 1
    }

    /// Resets the count of tries and makes the next try due at `now`.
    mutating func retry(at now: Timestamp) {
        tries = 0
        nextTry = now
    }
}

/// The document of an entry.
///
///     {"version":1,"event":{"id":"8f85eda1-…",…},"added_at":"2026-11-22T18:00:00.000000Z",
///      "tries":2,"next_try":"2026-11-22T18:00:40.000000Z","reason":"status 1","done":["push"]}
extension HookEntry: StateDocument {
    package init(state: JSONValue) throws(StateUnreadable) {
        var object = try JSONObject(document: state)
        let document = try object.take("event").required().document(.compact)
        event = try (try? JSONView.parse(document)).flatMap { Event($0) }.required()
        variables = try object.take("variables").map(HookVariables.read) ?? [:]
        addedAt = try object.time("added_at").required()
        tries = Int(clamping: try object.integer("tries").required())
        nextTry = try object.time("next_try")
        reason = try object.text("reason")
        done = Set(try object.texts("done") ?? [])
    }

    package var state: JSONValue {
        var object = JSONObject.document()
        object.put("event", event.document)
        if !variables.isEmpty {
            object.put("variables", .object(variables.mapValues(JSONValue.text)))
        }
        object.put("added_at", addedAt)
        object.put("tries", .integer(Int64(tries)))
        object.put("next_try", nextTry)
        object.put("reason", reason)
        if !done.isEmpty { object.put("done", .list(done.sorted().map(JSONValue.text))) }
        return object.value
    }
}

extension Event {
    /// The event in the words of a server, which `init(_: JSONView)` reads.
    fileprivate var document: JSONValue {
        var object = JSONObject()
        object.put("id", id)
        object.put("camera_id", cameraID)
        object.put("camera_name", cameraName)
        object.put("timestamp", timestamp)
        object.put("smart_detection_type", smartDetectionType)
        object.put("objects_detected", objects)
        object.put("confidence", confidence.map { .integer(Int64($0)) })
        object.put("description", description)
        object.put("is_doorbell_ring", isDoorbellRing.map { .bool($0) })
        object.put("alert_triggered", alertTriggered.map { .bool($0) })
        object.put("delivery_carrier", carrier)
        object.put("source_type", source)
        object.put("has_thumbnail", hasThumbnail.map { .bool($0) })
        object.put("entity_id", entityID.map(JSONValue.text) ?? hasEntity.map { _ in .null })
        object.put("entity_name", entityName)
        object.put("correlation_group_id", visitID)
        return object.value
    }
}
