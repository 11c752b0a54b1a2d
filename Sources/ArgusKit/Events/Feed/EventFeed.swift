package import ArgusCore
import ArgusTransport

/// The events of a server as they become known, with the gaps between them and the changes of its
/// state: each event that matches is handed over at least once, and exactly once unless argus is killed
/// between handing it over and noting that (docs/watching.md, "The promise").
///
/// One task at a time takes items with `for try await`, and confirms each event with `accept`. The
/// sequence ends once a stop was signalled.
package final class EventFeed: AsyncSequence, AsyncIteratorProtocol {
    /// The next thing to hand over or report.
    package enum Item: Sendable {
        /// An event that matches; `isLate` if a newer one was handed over before.
        case event(Event, isLate: Bool)
        /// A range that cannot be read without loss.
        case gap(EventGap)
        /// The server sent a row that is not an event, for the first time.
        case malformedRow
        case notice(FeedNotice)
    }

    package typealias Element = Item
    package typealias Failure = FilterError

    private let server: any FeedServer
    private let pause: any ServicePause
    private let stream: FeedStream?
    /// The task that follows the stream, from the first item on.
    private var following: Task<Void, Never>?
    private let file: LedgerFile?
    private var ledger: EventLedger
    private var schedule: FeedSchedule
    /// The first capture time that counts, for a ledger without a complete pass.
    private let start: Timestamp?
    /// The monotonic time at which the feed began, perhaps in an earlier process.
    private let startedAt: Duration
    /// A request has failed, perhaps in an earlier process: without `start`, the first pass then hands
    /// over the events captured from `startedAt` on, whenever it completes.
    private var hasFailed = false
    /// Items that `next` returns before it does anything else.
    private var items: ArraySlice<Item> = []
    /// The announced events that no pass has found yet.
    private var announced: Set<String> = []
    private var newest: Timestamp?
    private var pass: FeedPass?
    /// The ranges for which the server fails, in order; each deep pass tries them again.
    private var unreadable: [EventGap] = []
    private var reported: [EventGap] = []
    private var heard: Set<EventNotice> = []
    private var isPrepared = false
    private var isUnreachable = false
    private var hasCompletedPass = false
    private var hasMalformedRow = false
    /// True if a range could not be read without loss.
    private(set) package var hasGap = false
    private var isRateLimited = false
    /// Changes that the file could not take yet.
    private var unwritten: [EventLedger.Entry] = []

    /// Makes a feed that goes on from a ledger, or begins at `start` (nil: now).
    ///
    /// `stream` signals what it announces; `file` keeps the ledger; `poll` fixes the pause between quick
    /// passes. A ledger without a complete pass may have `waited` for a server that failed, in an
    /// earlier process.
    package init(
        _ server: any FeedServer, _ pause: any ServicePause, announcedBy stream: FeedStream? = nil,
        from ledger: EventLedger = EventLedger(), keptIn file: LedgerFile? = nil,
        start: Timestamp? = nil, waited: Duration = .zero, poll: Duration? = nil
    ) async {
        (self.server, self.pause, self.stream) = (server, pause, stream)
        self.file = file
        self.ledger = ledger
        self.start = start
        let now = await pause.now()
        startedAt = now - waited
        hasFailed = waited > .zero
        schedule = FeedSchedule(at: now, poll: poll)
    }

    deinit { following?.cancel() }

    package func makeAsyncIterator() -> EventFeed { self }

    /// True if a pass was completed, and the server answers since then.
    package var isCurrent: Bool { hasCompletedPass && !isUnreachable }

    /// True if `next` returns an event without a request.
    package var hasEventAtHand: Bool {
        if case .event = items.first { true } else { false }
    }

    /// Returns the next item; nil once a stop was signalled.
    ///
    /// - Throws: `FilterError` if no retry can help: an unknown camera, a refused sign-in, a failed
    ///   identity, a missing permission or route.
    package func next(
        isolation actor: isolated (any Actor)? = #isolation
    ) async throws(FilterError) -> Item? {
        try await nextItem()
    }

    private func nextItem() async throws(FilterError) -> Item? {
        if following == nil, let stream { following = Task { await stream.follow() } }
        while items.isEmpty {
            // A slice keeps what was removed from it.
            items = []
            await takeSignals()
            if await pause.isStopped() { return nil }
            guard items.isEmpty else { break }
            if pass != nil {
                try await attempt { () throws(APIError) in try await readSlice() }
                continue
            }
            switch schedule.next(at: await pause.now()) {
            case .pass where !isPrepared: try await prepare()
            case .pass(let kind):
                try await attempt { () throws(APIError) in
                    try await begin(kind)
                    try await readSlice()
                }
            case .read(let id, let isLast):
                try await attempt { () throws(APIError) in try await read(id, isLast: isLast) }
            case .wait(let deadline):
                guard let signal = await pause.wait(until: deadline) else { break }
                guard signal != .stop else { return nil }
                await handle(signal)
            }
        }
        return items.popFirst()
    }

    /// Removes and returns the next item that is known already; nil if there is none.
    func takeItemAtHand() -> Item? { items.popFirst() }

    /// Records that an event was handed over.
    package func accept(_ event: Event) async {
        let now = event.timestamp == nil ? try? await server.clock() : nil
        record([.event(.init(event.id), capturedAt: event.timestamp ?? now ?? .latest)])
    }

    private func record(_ entries: [EventLedger.Entry]) {
        for entry in entries { ledger.apply(entry) }
        guard let file else { return }
        let wasKept = unwritten.isEmpty
        unwritten += entries
        do throws(FileSystemError) {
            try file.append(unwritten, to: ledger)
            unwritten = []
        } catch {
            if wasKept { items.append(.notice(.notStored(error))) }
        }
    }

    /// Takes new events up, in the order of their capture.
    private func add(_ events: [Event]) {
        let timed = events.map { (time: $0.timestamp ?? .latest, event: $0) }
        for (time, event) in timed.sorted(by: { ($0.time, $0.event.id) < ($1.time, $1.event.id) }) {
            schedule.found(wasAnnounced: announced.remove(event.id) != nil)
            items.append(.event(event, isLate: newest.map { time < $0 } ?? false))
            if event.timestamp != nil { newest = Swift.max(newest ?? time, time) }
        }
    }

    /// Handles the signals that wait, so that a burst of announcements is read by one pass.
    private func takeSignals() async {
        for _ in 0..<ServiceRun.capacity {
            let signal = await pause.wait(until: await pause.now())
            guard let signal, signal != .stop else { return }
            await handle(signal)
        }
    }

    private func handle(_ signal: ServiceSignal) async {
        let now = await pause.now()
        switch signal {
        case .connected:
            schedule.setConnected(true, at: now)
            items.append(.notice(.connected))
        case .disconnected(let reason):
            schedule.setConnected(false, at: now)
            items.append(.notice(.disconnected(reason)))
        case .announced(let id):
            guard !ledger.contains(id) else { return }
            announced.insert(id)
            schedule.announce(id, at: now)
        case .overflow: schedule.announceUnknown(at: now)
        case .ring: schedule.ring(at: now)
        case .stop: break
        }
    }

    private func prepare() async throws(FilterError) {
        do throws(FilterError) {
            items += try await server.prepare().map { .notice(.filter($0)) }
            succeeded()
            isPrepared = true
            items.append(.notice(.ready))
        } catch {
            try await failed(error)
        }
    }

    /// Runs a step against the server, and plans another try after a failure that may pass.
    private func attempt(
        _ step: () async throws(APIError) -> Void
    ) async throws(FilterError) {
        do throws(APIError) {
            try await step()
            succeeded()
        } catch {
            try await failed(.events(error))
        }
    }

    private func succeeded() {
        if isUnreachable { items = [.notice(.reachable)] + items }
        if isRateLimited { items = [.notice(.rateLimitEnded)] + items }
        (isUnreachable, isRateLimited) = (false, false)
    }

    private func failed(_ error: FilterError) async throws(FilterError) {
        pass = nil
        hasFailed = true
        // The end cancels requests.
        if await pause.isStopped() { return }
        guard let cause = error.cause, !cause.isFinal else { throw error }
        let now = await pause.now()
        guard cause.kind != .rateLimited else {
            if schedule.backOff == nil { items.append(.notice(.rateLimited)) }
            isRateLimited = true
            return schedule.limited(
                at: now, retryAfter: cause.retryAfterSeconds.map { .seconds($0) })
        }
        schedule.failed(at: now)
        if !isUnreachable { items.append(.notice(.retrying(error))) }
        isUnreachable = true
    }

    private func read(_ id: String, isLast: Bool) async throws(APIError) {
        guard !ledger.contains(id) else { return }
        do throws(APIError) {
            guard let (event, matches) = try await server.event(id, isSettled: isLast) else {
                announced.remove(id)
                return items.append(.notice(.vanished(id)))
            }
            schedule.answered()
            if matches {
                add([event])
            } else if !isLast {
                schedule.readAgain(id, at: await pause.now())
            }
        } catch {
            // A pass will find the event.
            announced.remove(id)
            throw error
        }
    }

    private func begin(_ kind: FeedPassKind) async throws(APIError) {
        if kind == .deep { unreadable = [] }
        let clock = try await server.clock()
        let now = await pause.now()
        let first = start ?? (hasFailed ? clock - (now - startedAt) : nil)
        pass = FeedPass(kind, startedAt: now, clock, of: ledger, beginningAt: first)
    }

    private func readSlice() async throws(APIError) {
        guard var current = pass else { return }
        let isFirst = current.hasReadNothing
        var slice = try await current.readSlice(of: server, notIn: ledger, except: unreadable)
        // The first answer may show that the clock went back, and the window with it.
        if let moved = current.moved(to: try await server.clock(), of: ledger) {
            pass = moved
            return
        }
        if ledger.lastPass == nil { await leaveAnnounced(to: &slice) }
        if isFirst {
            if let last = ledger.lastPass, let kept = try await keptSince(current, last) {
                current.skip(to: kept - FeedWindow.deep)
                if kept > last {
                    slice.gaps.insert(EventGap(reason: .deleted, from: last, until: kept), at: 0)
                }
            }
            if let gap = current.window.gap { slice.gaps.insert(gap, at: 0) }
        }
        let gaps = slice.gaps.filter { gap in !reported.contains { gap.isPart(of: $0) } }
        for notice in slice.notices where heard.insert(notice).inserted {
            items.append(.notice(.listing(notice)))
        }
        if slice.hasMalformedRow, !hasMalformedRow {
            (hasMalformedRow, hasGap) = (true, true)
            items.append(.malformedRow)
        }
        if slice.isUnsettled { schedule.passSoon(at: await pause.now()) }
        if !gaps.isEmpty { hasGap = true }
        items += gaps.map(Item.gap)
        reported += gaps
        unreadable = (unreadable + slice.gaps.filter { $0.reason == .unreadable })
            .sorted { $0.until < $1.until }
        record(slice.recorded)
        add(slice.events)
        guard let until = slice.until else { return await finish(current) }
        // A pass that is killed in a long range goes on from here, and the ledger stays short.
        if current.isLong, until - current.window.since >= FeedWindow.deep {
            recordPass(current, until: until)
        }
        pass = current
    }

    /// Leaves events that were announced since the beginning out of the ledger, since they are new.
    private func leaveAnnounced(to slice: inout FeedPass.Slice) async {
        await takeSignals()
        let new = Set(announced.map(EventLedger.Key.init))
        slice.recorded.removeAll { entry in
            if case .event(let key, _) = entry { new.contains(key) } else { false }
        }
    }

    private func finish(_ done: FeedPass) async {
        (pass, hasCompletedPass) = (nil, true)
        // Events that did not match or were deleted are not remembered for ever.
        if done.kind == .deep { announced = [] }
        recordPass(done, until: done.start)
        schedule.passed(done.kind, from: done.startedAt, at: await pause.now())
    }

    /// Records a pass as complete up to a time, as if it had begun then.
    private func recordPass(_ pass: FeedPass, until time: Timestamp) {
        var entries = [EventLedger.Entry.pass(time)]
        if pass.kind == .deep { entries.append(.deepPass(time)) }
        if ledger.horizon == nil || pass.window.gap != nil {
            entries.append(.horizon(pass.window.since))
        }
        if let horizon = ledger.horizon(after: time) { entries.append(.horizon(horizon)) }
        record(entries)
    }

    /// The time from which on the server keeps events, if it may have deleted some since the last
    /// complete pass, or need not be asked for all of a long range.
    private func keptSince(
        _ pass: FeedPass, _ last: Timestamp
    ) async throws(APIError) -> Timestamp? {
        guard pass.isLong || pass.start - last > .seconds(3600) else { return nil }
        return try await server.keptSince()
    }
}
