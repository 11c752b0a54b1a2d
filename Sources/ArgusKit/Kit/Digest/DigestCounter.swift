import ArgusCore
package import ArgusEvents

/// Counts the events of a span for a digest.
///
/// It keeps numbers by camera, kind, person and rule, and the pictures, but no events.
package struct DigestCounter {
    /// The most pictures of a digest.
    package static let mostPictures = 24

    private typealias Camera = Digest.Camera

    /// A group of events among which visits are told apart.
    private enum Group: Hashable {
        case ring(Camera)
        case package(Camera)
        case stranger(Camera)
        case entity(server: String?, id: String)
        case alarm(rule: String?)
    }

    private struct Kind: Hashable {
        var camera: Camera
        var kind: String
    }

    private struct Members {
        var visits = VisitCount()
        var title: String?
        var cameras: Set<Camera> = []
        var carriers: Set<String> = []
    }

    /// The visits of a kind, and the picture of the one that is being read.
    private struct KindVisits {
        var visits = VisitCount()
        var start: Timestamp?
        var picture: Digest.Picture?
    }

    private var digest: Digest
    private let rules: RuleSet?
    private var kinds: [Kind: KindVisits] = [:]
    private var groups: [Group: Members] = [:]
    private var names: [Camera: String] = [:]
    /// The events in each hour of a camera, numbered since 1970-01-01 in local time.
    private var hours: [Camera: [Int: Int]] = [:]
    private var knowsAlarms: Bool
    private var knowsEntities = false

    /// Begins a digest of the events of a span; `rules` are those whose alarms count.
    package init(_ digest: Digest, rules: RuleSet? = nil) {
        (self.digest, self.rules) = (digest, rules)
        knowsAlarms = rules != nil
    }

    /// Counts an event; they come in order of time, up or down.
    ///
    /// `thumbnail` is asked for where the picture may be shown.
    package mutating func add(
        _ event: Event, thumbnail: @autoclosure () -> ThumbnailReference?
    ) {
        guard let time = event.timestamp, digest.span.contains(time) else { return }
        digest.events += 1
        let camera = Digest.Camera(server: event.server, id: event.cameraID ?? "")
        if let name = event.cameraName { names[camera] = names[camera] ?? name }
        hours[camera, default: [:]][localHour(time), default: 0] += 1
        if event.hasEntity != nil { knowsEntities = true }
        if event.alertTriggered != nil { knowsAlarms = true }
        let matching = rules?.matching(event) ?? []
        var reason = Digest.PictureReason.visit
        func count(_ group: Group, _ groupReason: Digest.PictureReason, _ title: String? = nil) {
            reason = max(reason, groupReason)
            var members = groups[group] ?? Members()
            members.visits.add(time)
            members.title = members.title ?? title
            members.cameras.insert(camera)
            if case .package = group, let carrier = event.carrier, !carrier.isEmpty {
                members.carriers.insert(carrier)
            }
            groups[group] = members
        }
        if event.hasEntity == true, let id = event.entityID {
            count(.entity(server: event.server, id: id), .recognised, event.entityName)
        }
        if event.isOfType("package") { count(.package(camera), .package) }
        if event.isStranger { count(.stranger(camera), .stranger) }
        if event.isDoorbellRing == true { count(.ring(camera), .ring) }
        for rule in matching { count(.alarm(rule: rule.id), .alarm, rule.name) }
        if event.alertTriggered == true { count(.alarm(rule: nil), .alarm) }
        let kind = Kind(camera: camera, kind: event.type)
        var visits = kinds[kind] ?? KindVisits()
        if visits.visits.add(time) {
            finish(&visits)
            visits.start = time
        } else {
            visits.start = visits.start.map { min($0, time) }
        }
        if event.hasThumbnail != false, visits.picture.map({ $0.reason < reason }) ?? true,
            let thumbnail = thumbnail()
        {
            visits.picture = Digest.Picture(
                event: event, thumbnail: thumbnail, reason: reason, rules: matching.map(\.name))
        }
        kinds[kind] = visits
    }

    /// Takes the hour and the picture of a visit whose events were counted.
    private mutating func finish(_ visits: inout KindVisits) {
        if let start = visits.start.take() {
            digest.hours[digest.zone.fields(of: start).clock.hour] += 1
        }
        guard let picture = visits.picture.take() else { return }
        let index = digest.pictures.firstIndex { $0.reason < picture.reason }
        digest.pictures.insert(picture, at: index ?? digest.pictures.count)
        if digest.pictures.count > Self.mostPictures {
            digest.pictures.removeLast()
            digest.picturesLeftOut += 1
        }
    }

    /// The hours by the local clock since 1970-01-01.
    private func localHour(_ time: Timestamp) -> Int {
        let fields = digest.zone.fields(of: time)
        return fields.date.daysSinceEpoch * 24 + fields.clock.hour
    }

    /// The digest of what was counted; `habits` is what is known of the weeks before.
    package mutating func finish(_ habits: HouseHabits?) -> Digest {
        // Sorted, so that the choice of pictures is the same each time.
        let sorted = kinds.keys.sorted { ($0.camera.id, $0.kind) < ($1.camera.id, $1.kind) }
        for kind in sorted {
            guard var visits = kinds[kind] else { continue }
            finish(&visits)
            kinds[kind] = visits
        }
        var digest = digest
        let start = digest.span.lowerBound
        digest.pictures.sort {
            ($0.event.timestamp ?? start, $0.event.id) < ($1.event.timestamp ?? start, $1.event.id)
        }
        digest.cameras = cameraCounts
        digest.visits = digest.cameras.reduce(0) { $0 + $1.visits }
        digest.alarms = knowsAlarms || digest.events == 0 ? rows(ofAlarms) : nil
        digest.strangers = knowsEntities || digest.events == 0 ? rows(ofStrangers) : nil
        digest.entities = rows(ofEntities)
        digest.packages = rows(ofPackages)
        digest.rings = rows(ofRings)
        digest.unusualHours = habits.map(unusualHours) ?? []
        digest.silent = habits?.silent.map { $0.map(named) }
        return digest
    }

    private func named(_ camera: Camera) -> Camera {
        var camera = camera
        camera.name = camera.name ?? names[Camera(server: camera.server, id: camera.id)]
        return camera
    }

    private func named(_ silence: Digest.Silence) -> Digest.Silence {
        var silence = silence
        silence.cameras = silence.cameras.map(named)
        return silence
    }

    private var cameraCounts: [Digest.CameraCount] {
        Dictionary(grouping: kinds) { $0.key.camera }.map { camera, kinds in
            let counts = kinds.map { kind, visits in
                Digest.KindCount(
                    kind: kind.kind, visits: visits.visits.visits, events: visits.visits.events)
            }.sorted { ($1.visits, $0.kind) < ($0.visits, $1.kind) }
            return Digest.CameraCount(
                camera: named(camera), visits: counts.reduce(0) { $0 + $1.visits },
                events: counts.reduce(0) { $0 + $1.events }, kinds: counts)
        }.sorted {
            ($1.visits, $0.camera.title, $0.camera.id) < ($0.visits, $1.camera.title, $1.camera.id)
        }
    }

    // MARK: Rows

    private func ofAlarms(_ group: Group) -> (id: String?, title: String)? {
        guard case .alarm(let rule) = group else { return nil }
        return (rule, groups[group]?.title ?? "by the server")
    }

    private func ofStrangers(_ group: Group) -> (id: String?, title: String)? {
        if case .stranger(let camera) = group { (camera.id, named(camera).title) } else { nil }
    }

    private func ofEntities(_ group: Group) -> (id: String?, title: String)? {
        guard case .entity(let server, let id) = group else { return nil }
        let name = groups[group]?.title ?? "unnamed"
        // Those without a name of their own are all called alike.
        let namesakes = groups.filter { other, members in
            if case .entity = other { members.title == groups[group]?.title } else { false }
        }
        let isOnly = namesakes.count == 1
        let title = isOnly ? name : "\(name) \(id.prefix(8))"
        return (id, server.map { "\($0): \(title)" } ?? title)
    }

    private func ofPackages(_ group: Group) -> (id: String?, title: String)? {
        if case .package(let camera) = group { (camera.id, named(camera).title) } else { nil }
    }

    private func ofRings(_ group: Group) -> (id: String?, title: String)? {
        if case .ring(let camera) = group { (camera.id, named(camera).title) } else { nil }
    }

    /// The rows of the groups that `name` names, the most frequent first.
    private func rows(_ name: (Group) -> (id: String?, title: String)?) -> [Digest.Row] {
        groups.compactMap { group, members in
            name(group).map { id, title in
                Digest.Row(
                    id: id, title: title, visits: members.visits,
                    cameras: members.cameras.map { named($0).title }.sorted(),
                    carriers: members.carriers.sorted())
            }
        }.sorted {
            ($1.visits.visits, $0.title, $0.id ?? "") < ($0.visits.visits, $1.title, $1.id ?? "")
        }
    }

    /// The hours with events at which a camera usually has none; those that follow each other are one.
    private func unusualHours(_ habits: HouseHabits) -> [Digest.UnusualHours] {
        var found: [Digest.UnusualHours] = []
        for (camera, counts) in hours {
            guard let days = habits.days(of: camera) else { continue }
            var last: Int?
            for (hour, events) in counts.sorted(by: { $0.key < $1.key })
            where habits.isUnusual(hour.inDay, of: camera) {
                let start = time(ofLocalHour: hour)
                let end = time(ofLocalHour: hour + 1)
                if last == hour - 1, let index = found.indices.last {
                    found[index].span = found[index].span.lowerBound..<max(end, start)
                    found[index].events += events
                } else {
                    found.append(
                        Digest.UnusualHours(
                            camera: named(camera), span: start..<max(end, start), events: events,
                            days: days))
                }
                last = hour
            }
        }
        return found.sorted {
            ($0.span.lowerBound, $0.camera.title) < ($1.span.lowerBound, $1.camera.title)
        }
    }

    private func time(ofLocalHour hour: Int) -> Timestamp {
        let day = (hour - hour.inDay) / 24
        return digest.zone.time(
            of: TimeFields(
                date: CivilDate(daysSinceEpoch: day),
                clock: TimeOfDay(hour: hour.inDay, minute: 0)))
    }
}

extension Int {
    /// The hour of the day, 0 to 23, of hours since 1970-01-01.
    fileprivate var inDay: Int { (self % 24 + 24) % 24 }
}

extension Event {
    /// True if somebody was seen, and the server recognised nobody.
    var isStranger: Bool {
        hasEntity == false && (isOfType("person") || isOfType("face"))
    }
}
