package import ArgusCore
import ArgusEvents

/// What the weeks before a span show: at which hours each camera has events, and which cameras are
/// silent at its end.
///
/// Learnt from are the 28 days before the span, without those on which all cameras were silent. An hour
/// is *unusual* for a camera if on none of these days, of which there must be seven or more since its
/// first event, it had an event in that hour of the day, in the one before or in the one after.
package struct HouseHabits: Sendable {
    /// The fewest days from which hours are learnt.
    private static let fewestDays = 7

    /// The hours with events of a camera on the days that were learnt from.
    private struct Hours: Sendable {
        var days: Int
        var active: Set<Int>
    }

    private var hours: [Digest.Camera: Hours] = [:]
    /// The cameras that are silent at the end of the span; nil if that is not known.
    package private(set) var silent: [Digest.Silence]?

    package init() {}

    /// Learns from the activity of a server's cameras; `members` are those whose silence counts, nil if
    /// that is not known, and `end` is the instant at which it is judged.
    package mutating func learn(
        _ house: HouseActivity, of server: String? = nil, _ members: [LearntSilence.Member]?,
        before start: Timestamp, silentAt end: Timestamp, in zone: TimeZoneRules
    ) {
        let first = zone.fields(of: start).date.daysSinceEpoch
        let all = Activity(joining: Array(house.cameras.values))
        let days = (first - LearntSilence.memory..<first).filter { all.isActive(on: $0) }
        for (id, activity) in house.cameras {
            let known = days.filter { $0 >= activity.firstDay ?? .max }
            guard known.count >= Self.fewestDays else { continue }
            hours[Digest.Camera(server: server, id: id)] = Hours(
                days: known.count, active: Set(known.flatMap(activity.hours)))
        }
        guard let members else { return }
        let house = house.until(end, in: zone)
        let findings = LearntSilence(house, of: members, at: end, in: zone)
            .findings(house, at: end)
        silent =
            (silent ?? [])
            + findings.filter { $0.state == .silent }.map { finding in
                Digest.Silence(
                    cameras: finding.cameras.map { Digest.Camera(server: server, id: $0) },
                    since: finding.last, longest: finding.longest, days: finding.days)
            }
    }

    /// Names the cameras that are silent, of which the span may have no event, and keeps those alone
    /// that are chosen.
    package mutating func name(
        _ name: (Digest.Camera) -> String?, keeping isChosen: (Digest.Camera) -> Bool
    ) {
        silent = silent?.filter { $0.cameras.contains(where: isChosen) }.map { silence in
            var silence = silence
            silence.cameras = silence.cameras.map { camera in
                var camera = camera
                camera.name = name(camera)
                return camera
            }
            return silence
        }
    }

    /// The number of days that the hours of a camera were learnt from; nil if there are too few.
    func days(of camera: Digest.Camera) -> Int? { hours[camera]?.days }

    /// True for an hour of the day, 0 to 23, around which a camera usually has no events.
    func isUnusual(_ hour: Int, of camera: Digest.Camera) -> Bool {
        guard let usual = hours[camera] else { return false }
        return [hour, (hour + 1) % 24, (hour + 23) % 24].allSatisfy { !usual.active.contains($0) }
    }
}
