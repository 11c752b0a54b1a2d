package import ArgusCore
package import ArgusEvents

/// The activity of a server's cameras in the last four weeks, which a check learns from.
///
/// A check adds the events since the last one, so it asks for one page of them.
package struct HouseActivity: Sendable, Equatable {
    /// The activity of each camera by its id.
    package private(set) var cameras: [String: Activity] = [:]
    /// The time up to which events are known; nil before the first check.
    private var readUntil: Timestamp?

    package init() {}

    /// The delay with which events may be stored.
    private static let delay = Duration.seconds(1800)

    /// The time since which events are to be read.
    package func since(at now: Timestamp) -> Timestamp {
        // The first local day that is learnt from is read from its beginning: half a day would count as
        // one whose morning was quiet.
        let start = now - .seconds(Int64(LearntSilence.memory + 1) * 86400)
        // The server's clock, known to a second or two, may have gone back a little.
        guard let readUntil, readUntil - Self.delay <= now else { return start }
        return max(start, min(readUntil, now) - Self.delay)
    }

    /// Adds events, and forgets what is too old to learn from.
    package mutating func add(
        _ events: some Sequence<Event>, until now: Timestamp, in zone: TimeZoneRules
    ) {
        for event in events {
            // A camera's clock that is ahead would hide its silence.
            guard let camera = event.cameraID, let time = event.timestamp, time <= now else {
                continue
            }
            cameras[camera, default: Activity()].add(time, in: zone)
        }
        readUntil = now
        let today = zone.fields(of: now).date.daysSinceEpoch
        for id in cameras.keys { cameras[id]?.forget(before: today - LearntSilence.memory - 1) }
    }

    /// The activity up to an instant, as if it were now.
    func until(_ time: Timestamp, in zone: TimeZoneRules) -> HouseActivity {
        var earlier = self
        earlier.cameras = cameras.mapValues { $0.until(time, in: zone) }
        return earlier
    }
}

// The stored form: `{"read_until": …, "cameras": {"ID": {…}}}`.
extension HouseActivity: StateDocument {
    package init(state: JSONValue) throws(StateUnreadable) {
        var object = try JSONObject(state)
        readUntil = try object.time("read_until")
        guard case .object(let stored)? = object.take("cameras") else { throw StateUnreadable() }
        for (id, activity) in stored { cameras[id] = try Activity(state: activity) }
    }

    package var state: JSONValue {
        var object = JSONObject()
        object.put("read_until", readUntil)
        object.put("cameras", .object(cameras.mapValues(\.state)))
        return object.value
    }
}
