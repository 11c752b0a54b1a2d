package import ArgusCore
package import ArgusEvents
package import ArgusPush
import ArgusTransport
import Synchronization

/// Stores a marked event and follows it to everything on this machine that should react to it, then
/// deletes it again.
package struct Drill: Sendable {
    /// A watch that should hand the event over.
    package struct Watch: Sendable {
        /// The name of its state.
        package var state: String
        /// Its filter as typed; empty if it has none.
        package var filterText: String
        /// Its filter with the ids of cameras; nil if it is unknown, or every event matches.
        package var filter: EventFilter?
        /// The program that it runs for each event; nil if it runs none.
        package var command: String?

        package init(
            _ state: String, filterText: String = "", filter: EventFilter? = nil,
            command: String? = nil
        ) {
            (self.state, self.filterText) = (state, filterText)
            (self.filter, self.command) = (filter, command)
        }

        fileprivate func takes(_ event: Event) -> Bool {
            guard let filter else { return true }
            let search = filter.search.map(EventSearch.init)
            return filter.matches(event) && search?.matches(event.description ?? "") ?? true
        }
    }

    /// A receiver to which argus should push the event.
    package struct Receiver: Hashable, Sendable {
        /// Its id in the registry.
        package var id: String
        /// The name of its device, or the beginning of its id.
        package var name: String

        package init(id: String, name: String) { (self.id, self.name) = (id, name) }
    }

    /// The parts of this machine that should react.
    package struct Followers: Sendable {
        package var watches: [Watch]
        package var receivers: [Receiver]
        fileprivate let states: WatchStates
        fileprivate let deliveries: DeliveryLog

        package init(
            watches: [Watch], in states: WatchStates, receivers: [Receiver] = [],
            in deliveries: DeliveryLog
        ) {
            (self.watches, self.states) = (watches, states)
            (self.receivers, self.deliveries) = (receivers, deliveries)
        }
    }

    /// The default time for the whole chain.
    package static let usualTimeout = Duration.seconds(60)
    /// The longest wait for the stream of announcements before the event is stored.
    private static let streamTimeout = Duration.seconds(10)
    /// The pause between two looks at files of this machine.
    private static let pause = Duration.milliseconds(100)
    /// The pause between two requests.
    private static let requestPause = Duration.milliseconds(500)

    private let server: any DrillServer
    private let followers: Followers
    private let clock: RunClock
    private let timeout: Duration
    private let keepsEvent: Bool
    private let stop: DrillStop
    private let stream = AnnouncementLog()

    package init(
        on server: any DrillServer, _ followers: Followers, _ clock: RunClock,
        timeout: Duration = usualTimeout, keepsEvent: Bool = false, endedBy stop: DrillStop
    ) {
        (self.server, self.followers, self.clock) = (server, followers, clock)
        (self.timeout, self.keepsEvent, self.stop) = (timeout, keepsEvent, stop)
    }

    /// The description of a drill's event with this mark.
    package static func description(mark: String) -> String {
        "argus drill \(mark): this is a test"
    }

    /// Makes a mark, such as `7f3a`.
    package static func newMark() -> String {
        String(UInt16.random(in: 0x1000...UInt16.max), radix: 16)
    }

    /// Runs the drill; `report` gets each link once its result is known.
    ///
    /// `setsOffAlert` is true if the server's rules will mark the event. The event is deleted whatever
    /// happens, unless it is to be kept or the server refuses.
    package func run(
        _ new: NewEvent, setsOffAlert: Bool = false, report: @escaping (DrillLink) async -> Void
    ) async -> DrillReport {
        let following = Task { [stream, server] in
            let reason = await server.followAnnouncements(
                whenOpen: stream.open, { stream.add($0) })
            stream.end(reason)
        }
        defer { following.cancel() }
        await waitForStream()
        guard !stop.isRequested else { return DrillReport() }
        var chain = Chain(followers, clock, report)
        do throws(APIError) {
            var event = try await server.store(new)
            event.alertTriggered = event.alertTriggered == true || setsOffAlert
            chain.event = event
            await chain.add(.stored, .done)
        } catch {
            await chain.add(.stored, .broken(.api(error)))
            if error.leavesDoubt { await deleteStored(new, &chain) }
            return chain.whole
        }
        guard let event = chain.event else { return chain.whole }
        await follow(event, &chain)
        if !keepsEvent { await delete(event.id, &chain) }
        return chain.whole
    }

    /// Waits until the stream is open, or known to be closed.
    private func waitForStream() async {
        let deadline = clock.monotonic() + Self.streamTimeout
        while !stream.isDecided, !stop.isRequested, clock.monotonic() < deadline {
            try? await clock.sleep(.milliseconds(10))
        }
    }

    private func follow(_ event: Event, _ chain: inout Chain) async {
        let deadline = clock.monotonic() + timeout
        let timer = Task { [clock, stop, timeout] in
            guard (try? await clock.sleep(timeout)) != nil else { return }
            stop.cancellation.cancel()
        }
        defer { timer.cancel() }
        await withTaskGroup(of: [Outcome].self) { group in
            func add(
                _ step: DrillLink.Step, every pause: Duration = Self.pause,
                _ look: @escaping @Sendable () async -> Look<DrillLink.Result>
            ) {
                group.addTask {
                    await wait(every: pause, until: deadline, late: \.self, look)
                        .map { [(step, $0)] } ?? []
                }
            }
            func addDeliveries(to receivers: [Receiver]) {
                guard !receivers.isEmpty else { return }
                group.addTask {
                    await wait(every: Self.requestPause, until: deadline) { result in
                        receivers.map { (.pushed($0), result) }
                    } _: {
                        let verdicts = verdicts(about: event, for: receivers)
                        return verdicts.isEmpty ? .nothingYet(nil) : .found(verdicts)
                    } ?? []
                }
            }
            add(.listed, every: Self.requestPause) { await lookForListing(of: event) }
            add(.announced) { lookForAnnouncement(of: event) }
            for watch in followers.watches {
                add(.handedOver(state: watch.state)) { lookForHandover(of: event, by: watch) }
            }
            addDeliveries(to: followers.receivers)
            while let outcomes = await group.next() {
                for outcome in outcomes { await chain.add(outcome.step, outcome.result) }
                switch outcomes.first {
                case (.handedOver(let state), .done)? where hasCommand(state):
                    add(.commandEnded(state: state)) { lookForCommand(on: event, of: state) }
                case (.pushed, _)?:
                    addDeliveries(to: followers.receivers.filter { !chain.has(.pushed($0)) })
                default: break
                }
            }
        }
    }

    private func hasCommand(_ state: String) -> Bool {
        followers.watches.contains { $0.state == state && $0.command != nil }
    }

    private func delete(_ id: String, _ chain: inout Chain) async {
        do throws(APIError) {
            try await server.delete(id)
            await chain.add(.deleted, .done)
        } catch {
            return await chain.add(.deleted, .broken(.api(error)))
        }
        // Commands would be tried again for an event that is gone.
        for watch in followers.watches where watch.command != nil {
            _ = try? await HookStore(followers.states.hooks(of: watch.state)).drop(id)
        }
    }

    /// Deletes the event whose request had no usable answer, if the server has it.
    private func deleteStored(_ new: NewEvent, _ chain: inout Chain) async {
        do throws(APIError) {
            guard let id = try await server.find(new) else { return }
            chain.event = Event(id: id)
            if !keepsEvent { await delete(id, &chain) }
        } catch {
            await chain.add(.deleted, .broken(.api(error)))
        }
    }
}

// Looks at one link.
extension Drill {
    private typealias Outcome = (step: DrillLink.Step, result: DrillLink.Result)

    private enum Look<Found> {
        case found(Found)
        /// Nothing can be said yet; the reason is that of a look that failed.
        case nothingYet(DrillLink.Reason?)
    }

    /// Looks again and again until the deadline, with `late` for what is then missing; nil once a stop
    /// was requested.
    private func wait<Found>(
        every pause: Duration, until deadline: Duration, late: (DrillLink.Result) -> Found,
        _ look: () async -> Look<Found>
    ) async -> Found? {
        // The last look may be cut off.
        var reason: DrillLink.Reason?
        while !stop.isRequested {
            let rest = deadline - clock.monotonic()
            switch await look() {
            case .found(let found): return found
            case .nothingYet(let new):
                reason = new ?? reason
                guard rest <= .zero else { break }
                return stop.isRequested ? nil : late(reason.map { .broken($0) } ?? .late)
            }
            try? await clock.sleep(min(pause, rest))
        }
        return nil
    }

    private func lookForListing(of event: Event) async -> Look<DrillLink.Result> {
        do throws(APIError) {
            return try await server.lists(event) ? .found(.done) : .nothingYet(nil)
        } catch {
            if error.isFinal { return .found(.broken(.api(error))) }
            if case .transport(let cause) = error.kind, cause.kind == .cancelled {
                return .nothingYet(nil)
            }
            return .nothingYet(.api(error))
        }
    }

    private func lookForAnnouncement(of event: Event) -> Look<DrillLink.Result> {
        if stream.has(event.id) { return .found(.done) }
        return stream.endReason.map { .found(.broken(.stream($0))) } ?? .nothingYet(nil)
    }

    private func lookForHandover(of event: Event, by watch: Watch) -> Look<DrillLink.Result> {
        guard watch.takes(event) else { return .found(.skipped(.filter(watch.filterText))) }
        do {
            guard case .none = try followers.states.handover(of: event.id, in: watch.state) else {
                return .found(.done)
            }
            return try nothingYetIfRunning(watch.state)
        } catch { return .found(.broken(.state(error))) }
    }

    private func lookForCommand(on event: Event, of state: String) -> Look<DrillLink.Result> {
        do {
            guard case .done(let entry?) = try followers.states.handover(of: event.id, in: state)
            else { return .found(.done) }
            if entry.tries > 0 { return .found(.broken(.command(entry))) }
            return try nothingYetIfRunning(state)
        } catch { return .found(.broken(.state(error))) }
    }

    private func nothingYetIfRunning(_ state: String) throws(UnreadableFile)
        -> Look<DrillLink.Result>
    {
        let states = followers.states
        let isRunning = try rethrowing(states.isRunning(state), as: UnreadableFile.init)
        return isRunning ? .nothingYet(nil) : .found(.broken(.notRunning))
    }

    /// The last verdict for each receiver that has one.
    private func verdicts(
        about event: Event, for receivers: [Receiver]
    ) -> [Outcome] {
        // A file that cannot be read now is looked at again.
        let records = (try? followers.deliveries.records(of: event.id)) ?? []
        return receivers.compactMap { receiver in
            guard let record = records.last(where: { $0.tokenID == receiver.id }) else {
                return nil
            }
            return (.pushed(receiver), DrillLink.Result(record))
        }
    }
}

extension DrillLink.Result {
    /// Reads a verdict: a receiver that does not want such events is no broken link.
    fileprivate init(_ record: DeliveryRecord) {
        switch record.outcome {
        case .sent, .silent: self = .done
        case .skipped where record.isByPreference: self = .skipped(.verdict(record))
        case .skipped, .failed, .removed, .deactivated: self = .broken(.verdict(record))
        }
    }
}

extension DeliveryRecord {
    /// True if it was skipped because of what its receiver has chosen.
    fileprivate var isByPreference: Bool {
        switch reason.flatMap(DeliveryFilter.Rule.init(rawValue:)) {
        case .camera, .type, .quietHours: true
        case .inactive, nil: false
        }
    }
}

extension APIError {
    /// True if the request may have succeeded, since no usable answer of the server came.
    fileprivate var leavesDoubt: Bool {
        switch kind {
        case .transport(let error): !error.nothingSent
        case .serverError, .malformedAnswer, .foreign: true
        case .unauthorized, .forbidden, .notFound, .rejected, .rateLimited, .unsteady,
            .renewalBroken, .storeFailed, .unsupported:
            false
        }
    }
}

/// The links that have a result so far.
private struct Chain {
    var event: Event?
    private let followers: Drill.Followers
    private let clock: RunClock
    private let start: Duration
    private let report: (DrillLink) async -> Void
    private var links: [DrillLink.Step: DrillLink] = [:]

    init(
        _ followers: Drill.Followers, _ clock: RunClock,
        _ report: @escaping (DrillLink) async -> Void
    ) {
        (self.followers, self.clock, self.report) = (followers, clock, report)
        start = clock.monotonic()
    }

    func has(_ step: DrillLink.Step) -> Bool { links[step] != nil }

    mutating func add(_ step: DrillLink.Step, _ result: DrillLink.Result) async {
        let link = DrillLink(
            step, result, of: event?.id, at: clock.now(), after: clock.monotonic() - start)
        links[step] = link
        await report(link)
    }

    var whole: DrillReport {
        var steps: [DrillLink.Step] = [.stored, .listed, .announced]
        for watch in followers.watches {
            steps += [.handedOver(state: watch.state), .commandEnded(state: watch.state)]
        }
        steps += followers.receivers.map { .pushed($0) } + [.deleted]
        return DrillReport(event: event, links: steps.compactMap { links[$0] })
    }
}

/// What the stream of announcements has told.
private final class AnnouncementLog: Sendable {
    private struct State {
        var isOpen = false
        var endReason: String?
        var ids: Set<String> = []
    }

    private let state = Mutex(State())

    /// True once the stream is open, or cannot be.
    var isDecided: Bool { state.withLock { $0.isOpen || $0.endReason != nil } }

    /// The reason for which the stream is closed; nil if it is open.
    var endReason: String? { state.withLock(\.endReason) }

    func has(_ id: String) -> Bool { state.withLock { $0.ids.contains(id) } }

    func open() { state.withLock { $0.isOpen = true } }
    func add(_ id: String) { _ = state.withLock { $0.ids.insert(id) } }
    func end(_ reason: String) { state.withLock { $0.endReason = reason } }
}
