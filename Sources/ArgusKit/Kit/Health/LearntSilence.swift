package import ArgusCore

/// The usual activity of a house's cameras on a day, and the cameras that are quiet for too long.
///
/// A camera is *silent* if a healthy one would hardly be quiet for so long, and if it never was at
/// these hours. Both are learnt from the last four weeks:
///
/// - `a(h)` is the share of days on which the camera had an event in hour h, with one quiet day more
///   than there were, since few days prove little. Weekends count apart. The chance that a healthy
///   camera is quiet over whole hours is the product of `1 - f a(h)` over them.
/// - `f` is the share of their usual activity that the other cameras had in these hours: in a house
///   that its people have left, every camera is quieter. Above four fifths it counts as whole.
/// - Its longest quiet spell is that of all earlier days that touched these hours of the day; if there
///   are seven or more of the same kind as today, of these.
///
/// It is silent if the chance is below 1 in 10,000 and the spell 1.75 times as long as the longest, or
/// if the chance is below 1 in 100 and the spell twice as long; in its first two weeks after a day at
/// the earliest. The spell counts `f` times.
///
/// After 25 days without an event it is silent, whatever was learnt. What was silent at any hour since
/// the last event stays so until the next one.
///
/// Days on which all cameras were silent are left out: power or network were off. Cameras of one
/// source that are silent together are one finding.
package struct LearntSilence: Sendable {
    /// A camera, by its id and the kind of its connection.
    package struct Member: Sendable, Equatable {
        package var id: String
        package var source: String?

        package init(id: String, source: String?) { (self.id, self.source) = (id, source) }
    }

    /// What is known of the silence of a camera, or of several together.
    package struct Finding: Sendable, Equatable {
        package enum State: Sendable, Comparable {
            /// There are too few days to learn from.
            case learning
            case usual
            /// Quieter than usual, as one day in a thousand.
            case unusual
            case silent
        }

        package var state: State
        package var cameras: [String]
        /// The source that the cameras have in common; nil for one camera, or for all.
        package var source: String?
        /// The time of the newest event; nil if none is known.
        package var last: Timestamp?
        /// The longest quiet spell that touched these hours; nil if it was not looked for.
        package var longest: Duration?
        /// The number of days that were learnt from.
        package var days: Int
    }

    /// The local days that are learnt from.
    package static let memory = 28
    /// The days after which silence is judged.
    package static let fewestDays = 3
    /// The days after which a camera can be silent within a day.
    private static let manyDays = 14
    /// The chance above which a silence is usual.
    private static let smallChance = 1e-2
    /// The share of the usual activity above which a house is as lively as usual.
    private static let usualShare = 0.8
    /// The days of one kind that show how long a spell can be.
    private static let fewestAlike = 7

    private let zone: TimeZoneRules
    private let usual: [String: UsualHours]
    private let groups: [(source: String?, ids: [String], usual: UsualHours)]
    private let members: [Member]

    /// Learns what is usual on the local day of `now`; the table holds until its end.
    package init(
        _ house: HouseActivity, of members: [Member], at now: Timestamp, in zone: TimeZoneRules
    ) {
        self.zone = zone
        self.members = members
        let today = zone.fields(of: now).date.daysSinceEpoch
        func activity(_ ids: [String]) -> Activity {
            Activity(joining: ids.compactMap { house.cameras[$0] })
        }
        let all = activity(members.map(\.id))
        let days = (today - Self.memory..<today).filter { all.isActive(on: $0) }
        usual = Dictionary(
            members.map { ($0.id, UsualHours(of: activity([$0.id]), on: days)) },
            uniquingKeysWith: { first, _ in first })
        let bySource = Dictionary(grouping: members) { $0.source }
            .sorted { ($0.key ?? "") < ($1.key ?? "") }
            .filter { $0.key != nil && $0.value.count < members.count }
        let groups = [(nil, members)] + bySource.map { ($0.key, $0.value) }
        self.groups = groups.filter { $0.1.count > 1 }.map { source, members in
            let ids = members.map(\.id)
            return (source, ids, UsualHours(of: activity(ids), on: days))
        }
    }

    /// The findings about all cameras, or about the group that is silent and the others.
    package func findings(_ house: HouseActivity, at now: Timestamp) -> [Finding] {
        func activities(_ ids: [String]) -> [Activity] { ids.compactMap { house.cameras[$0] } }
        for group in groups {
            var finding = finding(
                of: group.ids, activities(group.ids), group.usual, beside: [], at: now)
            guard finding.state == .silent else { continue }
            finding.source = group.source
            let others = members.map(\.id).filter { !group.ids.contains($0) }
            return [finding] + others.map { self.finding(of: $0, house, at: now) }
        }
        return members.map { finding(of: $0.id, house, at: now) }
    }

    private func finding(of id: String, _ house: HouseActivity, at now: Timestamp) -> Finding {
        let others = members.filter { $0.id != id }.compactMap { other in
            house.cameras[other.id].map { ($0, usual[other.id]) }
        }
        return finding(
            of: [id], [house.cameras[id]].compactMap(\.self), usual[id], beside: others, at: now)
    }

    private func finding(
        of ids: [String], _ own: [Activity], _ usual: UsualHours?,
        beside others: [(Activity, UsualHours?)], at now: Timestamp
    ) -> Finding {
        var finding = Finding(
            state: .learning, cameras: ids, last: own.compactMap(\.last).max(),
            days: usual?.dayCount ?? 0)
        guard let last = finding.last, last <= now else { return finding }
        // Too little is left of what was usual: a camera that died is not well again.
        if now - last >= .seconds(Int64(Self.memory - Self.fewestDays) * 86400) {
            finding.state = .silent
            return finding
        }
        guard let usual, usual.dayCount >= Self.fewestDays else { return finding }
        finding.state = .usual
        let end = Activity.slot(of: now, in: zone)
        // What is older was forgotten.
        let start = max(Activity.slot(of: last, in: zone), end - Self.memory * Activity.slotsADay)
        let first = (start / Activity.slotsAnHour + 1) * Activity.slotsAnHour
        // No house is livelier than usual here, so this is the smallest that the chance can be.
        var smallest = 1.0
        var earlier: [Int]?
        // A silence that was too long once stays so until it ends, though the night that follows is
        // always quiet.
        for moment in Array(stride(from: first, to: end, by: Activity.slotsAnHour)) + [end]
        where moment > start {
            if moment > first, moment.isMultiple(of: Activity.slotsAnHour) {
                smallest *= 1 - usual[moment / Activity.slotsAnHour - 1]
            }
            guard smallest < Self.smallChance else { continue }
            let slots = earlier ?? Activity(joining: own).slots.filter { $0 <= start }
            earlier = slots
            // The last event may be from the end of its slot.
            let quiet = moment == end ? now - last : .seconds(600 * (moment - start - 1))
            let judged = judge(start..<moment, quiet, slots, usual, beside: others)
            guard judged.state > finding.state else { continue }
            (finding.state, finding.longest) = (judged.state, judged.longest)
            if judged.state == .silent { break }
        }
        return finding
    }

    /// The state of a silence, by the slots since its beginning and those with earlier events, and the
    /// longest quiet spell before it.
    private func judge(
        _ slots: Range<Int>, _ duration: Duration, _ earlier: [Int], _ usual: UsualHours,
        beside others: [(Activity, UsualHours?)]
    ) -> (state: Finding.State, longest: Duration) {
        let first = slots.lowerBound / Activity.slotsAnHour + 1
        let hours = first..<max(slots.upperBound / Activity.slotsAnHour, first)
        let factor = liveliness(of: others, in: hours.suffix(24))
        let chance = hours.reduce(1) { $0 * (1 - factor * usual[$1]) }
        guard chance < Self.smallChance else { return (.usual, .zero) }
        let longest = Duration.seconds(600 * longestSpell(in: earlier, around: slots, usual.days))
        // As in a lively house: two hours of half the usual life are as one.
        let quiet = duration * factor
        // A few days do not show how quiet a quiet day is.
        let isKnown = usual.dayCount >= Self.manyDays
        let isLong = quiet > longest * 2 || chance < 1e-4 && quiet > longest * 1.75
        if isLong, isKnown || quiet > .seconds(86400) { return (.silent, longest) }
        return (chance < 1e-3 && quiet > longest ? .unusual : .usual, longest)
    }

    /// The share of their usual activity that other cameras had in these hours, 0 to 1: the mean of
    /// theirs.
    private func liveliness(
        of others: [(activity: Activity, usual: UsualHours?)], in hours: some Collection<Int>
    ) -> Double {
        let shares: [Double] = others.compactMap { other in
            guard let own = other.usual, own.dayCount >= Self.fewestDays else { return nil }
            let days = Set(hours.map { $0 / 24 })
            let active = Dictionary(
                uniqueKeysWithValues: days.map { ($0, other.activity.hours(of: $0)) })
            let seen = hours.count { active[$0 / 24]?.contains($0 % 24) == true }
            return min(1, Double(seen + 1) / (hours.reduce(0) { $0 + own[$1] } + 1))
        }
        let share = shares.reduce(0, +) / Double(max(shares.count, 1))
        return shares.isEmpty || share > Self.usualShare ? 1 : share
    }

    /// The longest quiet spell, in slots, that touched the same slots of an earlier day: of days of the
    /// same kind, if there are enough.
    private func longestSpell(in slots: [Int], around range: Range<Int>, _ days: [Int]) -> Int {
        let length = min(range.count, 8 * Activity.slotsADay)
        let span = -(length / Activity.slotsADay + 1)...0
        let last = range.upperBound / Activity.slotsADay
        let known = days.filter { $0 < last }
        let alike = known.filter { day in
            span.allSatisfy { (day + $0).isWeekend == (last + $0).isWeekend }
        }
        return (alike.count < Self.fewestAlike ? known : alike).map { day in
            let end = range.upperBound - (last - day) * Activity.slotsADay
            return slots.longestGap(touching: end - length...end)
        }.max() ?? 0
    }
}

/// The share of days on which there was an event, for each hour of a day, weekends apart.
private struct UsualHours: Sendable {
    /// The days since the camera's first event, without those on which the house was silent.
    let days: [Int]
    private let weekdays: [Double]
    private let weekends: [Double]

    var dayCount: Int { days.count }

    init(of camera: Activity, on days: [Int]) {
        let known = days.filter { $0 >= camera.firstDay ?? .max }
        func shares(_ days: [Int]) -> [Double] {
            // One day shows nothing of others of its kind.
            guard days.count > 1 else { return Array(repeating: 0, count: 24) }
            var counts = Array(repeating: 0, count: 24)
            for day in days { for hour in camera.hours(of: day) { counts[hour] += 1 } }
            return counts.map { Double($0) / Double(days.count + 1) }
        }
        self.days = known
        weekdays = shares(known.filter { !$0.isWeekend })
        weekends = shares(known.filter { $0.isWeekend })
    }

    /// The share of an hour, numbered since 1970-01-01 in local time.
    subscript(hour: Int) -> Double {
        ((hour / 24).isWeekend ? weekends : weekdays)[hour % 24]
    }
}

extension Int {
    /// True for a local day, numbered since 1970-01-01, that is a Saturday or Sunday.
    fileprivate var isWeekend: Bool {
        // 1970-01-01 was a Thursday, and Saturday and Sunday are the days 2 and 3 after one.
        [2, 3].contains(self % 7)
    }
}

extension [Int] {
    /// The longest distance between neighbours of a sorted list that touches a range; the list's ends
    /// count as neighbours of nothing.
    fileprivate func longestGap(touching range: ClosedRange<Int>) -> Int {
        var (longest, index) = (0, partitioningIndex { $0 > range.lowerBound })
        while index < count {
            if index > 0 { longest = Swift.max(longest, self[index] - self[index - 1]) }
            if self[index] >= range.upperBound { break }
            index += 1
        }
        return longest
    }
}
