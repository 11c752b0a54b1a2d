/// Generates past and new events.
enum History {
    private static let span: Int64 = 14 * 86_400

    /// Fills a store with events of the 14 days before `now`.
    static func fill(
        _ store: inout EventStore, with count: Int, cameras: [Camera],
        _ generator: inout SeededGenerator, until now: Moment
    ) {
        guard count > 0, !cameras.isEmpty else { return }
        store.reserve(count)
        let step = span * 1_000_000 / Int64(count)
        let start = now.microseconds - span * 1_000_000
        var time = Moment(microseconds: start)
        for number in 0..<count {
            // Every fortieth event has the time of the one before: paging must handle ties.
            let isTied = number % 40 == 20
            if !isTied { time = moment(start + Int64(number + 1) * step, step, &generator) }
            var event = event(at: time, cameras, &store, &generator)
            let isStopped = cameras[Int(event.camera)].fault == .stopped
            if isStopped, time > now + -86_400 { continue }
            if isTied, store.rows.last?.time == time {
                event.marks.insert(.correlated)
                store.mark(at: store.rows.count - 1, .correlated)
            }
            store.insert(event)
        }
    }

    /// Generates one event without inserting it.
    static func event(
        at time: Moment, _ cameras: [Camera], _ store: inout EventStore,
        _ generator: inout SeededGenerator
    ) -> Event {
        let number = Int(generator.next() % UInt64(cameras.count))
        let camera = cameras[number]
        let kind = kind(for: camera, generator.next() % 100)
        let text = Phrases.describe(kind, at: camera.name, &generator)
        let chance = generator.next()
        let analyses = kind == .package ? Analysis.ofPackages : Analysis.ofOthers
        var event = Event(
            id: Identifier(&generator), time: time,
            created: Moment(
                microseconds: time.microseconds + 1_000_000 + Int64(chance % 5_000_000)),
            kind: kind, objects: objects(of: kind), source: camera.source,
            confidence: UInt8(45 + chance % 55), camera: Int32(camera.number),
            description: store.number(ofDescription: text))
        if chance >> 8 % 12 > 0 {
            event.analysis = UInt8(analyses[Int(chance >> 16 % UInt64(analyses.count))])
        }
        if chance >> 24 % 10 > 0 { event.marks.insert(.thumbnail) }
        if chance >> 32 % 5 == 0 { event.marks.insert(.alert) }
        return event
    }

    /// A random time; half have no fraction, as from cameras that report whole seconds.
    private static func moment(
        _ latest: Int64, _ step: Int64, _ generator: inout SeededGenerator
    ) -> Moment {
        let exact = latest - Int64(generator.next() % UInt64(max(step / 2, 1)))
        let isWhole = generator.next() % 2 == 0 && step > 2_000_000
        return Moment(microseconds: isWhole ? exact / 1_000_000 * 1_000_000 : exact)
    }

    private static func kind(for camera: Camera, _ chance: UInt64) -> Event.Kind? {
        switch chance {
        case ..<34: .person
        case ..<54: .vehicle
        case ..<66: .package
        case ..<78: .animal
        case ..<88: .motion
        case ..<94: camera.isDoorbell ? .ring : .person
        case ..<97: .licensePlate
        case ..<98: .manualTrigger
        default: nil
        }
    }

    private static func objects(of kind: Event.Kind?) -> Event.Objects {
        switch kind {
        case .person, .ring: Event.Objects(["person"])
        case .vehicle, .licensePlate: Event.Objects(["vehicle"])
        case .package: Event.Objects(["person", "package"])
        case .animal: Event.Objects(["animal"])
        case .motion, .manualTrigger, nil: Event.Objects(["unknown"])
        }
    }
}
