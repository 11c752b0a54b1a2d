package import ArgusCore

/// Runs the hook of each event of a watch, several at a time, and retries those that fail.
///
/// An event is taken over with `add` once it is in the store: whatever happens then, this watch or
/// the next one runs its hook until it ends with status 0 or was set aside. Without a store events
/// live in memory.
package actor HookDispatcher {
    /// The hook of an event; runs until it ends or the task is cancelled.
    package typealias Hook = @Sendable () async -> HookEnding

    /// The events that may wait in memory for a first try, and for any try if there is no store; also
    /// those set aside whose reasons are kept.
    static let capacity = 1000
    /// How long running hooks may continue at the end of a watch.
    static let lastTime = Duration.seconds(10)
    /// The pause between two checks for changes by `argus queue`.
    private static let lookPause = Duration.seconds(1)

    private let limits: Limits
    private let clock: RunClock
    private let store: HookStore?
    private let prepare: @Sendable (HookEntry) async -> Hook
    private let report: @Sendable (HookReport) -> Void

    /// Events that wait for their first try.
    private var fresh: [HookEntry] = []
    /// Events that wait for another try, the next one last.
    private var waiting: [(entry: HookEntry, due: Duration)] = []
    private var running: [String: Task<Void, Never>] = [:]
    /// Events that this watch has set aside, by id; without a store the first ones, and no more of them
    /// than their ids and reasons.
    private var setAside: [String: HookEntry] = [:]
    /// The number of events set aside that were dropped from `setAside`.
    private var forgotten = 0
    /// The number of events set aside in the store.
    private var storedAside = 0
    /// Events that only memory has, and that had no success when the watch ended.
    private var lost: [HookEntry] = []
    /// Events that the store could not take yet, so that the feed must keep offering them.
    private var unstored: [String: HookEntry] = [:]
    /// Events that the feed still offers and may take as handed over.
    private var settled: Set<String> = []
    private var revision = ""
    /// The time at which `pump` is called next; nil if nothing waits for a time.
    private var alarm: (time: Duration, task: Task<Void, Never>)?
    private var phase = Phase.running
    /// Tasks that wait for room in `fresh`, or for the last hook.
    private var waiters: [CheckedContinuation<Void, Never>] = []

    private enum Phase: Comparable {
        case running
        /// No more events are accepted.
        case ending
        /// Running hooks have their grace period.
        case stopping
        /// Running hooks were signalled to end.
        case cut
        /// Hooks that still run are left alone.
        case over
    }

    /// Makes a dispatcher; `prepare` makes the hook of an event, which is run once.
    package init(
        _ limits: Limits, _ clock: RunClock, store: HookStore?,
        prepare: @escaping @Sendable (HookEntry) async -> Hook,
        report: @escaping @Sendable (HookReport) -> Void
    ) {
        (self.limits, self.clock, self.store) = (limits, clock, store)
        (self.prepare, self.report) = (prepare, report)
    }

    /// Takes up what an earlier watch left in the store.
    /// - Throws: `FileSystemError` if the store cannot be read.
    package func begin() throws(FileSystemError) {
        guard let store else { return }
        revision = store.revision
        let (entries, damaged) = try store.all()
        for path in damaged { report(.damaged(path)) }
        for entry in entries {
            settled.insert(entry.id)
            schedule(entry)
        }
        pump()
    }

    /// Accepts an event once there is room for it; false if the feed must offer it again.
    ///
    /// `variables` are further ones of its hook, by their names without the prefix.
    package func add(_ event: Event, _ variables: [String: String] = [:]) async -> Bool {
        if settled.remove(event.id) != nil { return true }
        if let entry = unstored[event.id] {
            guard let store, (try? store.add(entry)) != nil else { return false }
            unstored[event.id] = nil
            return true
        }
        while fresh.count >= Self.capacity, phase == .running {
            await withCheckedContinuation { waiters.append($0) }
        }
        guard phase == .running else { return false }
        let entry = HookEntry(event, variables, at: clock.now())
        do throws(FileSystemError) {
            try store?.add(entry)
        } catch {
            report(.notStored(error))
            unstored[event.id] = entry
        }
        makeRoom()
        fresh.append(entry)
        pump()
        return unstored[event.id] == nil
    }

    /// Starts the grace period of running hooks; no more events are accepted.
    package func stop() {
        guard phase < .stopping else { return }
        phase = .stopping
        pump()
        Task {
            try? await clock.sleep(Self.lastTime)
            phase = .cut
            for task in running.values { task.cancel() }
            pump()
            try? await clock.sleep(HookCommand.grace + .seconds(2))
            phase = .over
            pump()
        }
    }

    /// Waits for the end of the hooks and returns what is left.
    ///
    /// Failed ones are repeated only if they are in memory alone, and until `stop`.
    package func finish() async -> HookSummary {
        phase = max(phase, .ending)
        pump()
        while !isIdle { await withCheckedContinuation { waiters.append($0) } }
        let left = lost + fresh + waiting.map(\.entry)
        return HookSummary(
            setAside: setAside.values.sorted { ($0.addedAt, $0.id) < ($1.addedAt, $1.id) },
            forgotten: forgotten, lost: store == nil ? left : [],
            kept: store == nil ? 0 : left.count)
    }

    private var isIdle: Bool {
        phase == .over
            || running.isEmpty && (fresh.isEmpty || !startsFresh)
                && (waiting.isEmpty || !repeatsFailed)
    }

    /// At the end of a watch, events in the store are left to the next one.
    private var repeatsFailed: Bool { phase == .running || (phase == .ending && store == nil) }

    /// After a stop, events in the store are left to the next watch.
    private var startsFresh: Bool { phase < .stopping || (phase == .stopping && store == nil) }
}

// Running hooks.
extension HookDispatcher {
    private func pump() {
        while running.count < limits.parallel, let entry = takeNext() {
            running[entry.id] = Task { await run(entry) }
        }
        let woken = waiters
        waiters = []
        for waiter in woken { waiter.resume() }
        arm()
    }

    /// Takes a new event, else one that is due again.
    private func takeNext() -> HookEntry? {
        if !fresh.isEmpty, startsFresh { return fresh.removeFirst() }
        guard repeatsFailed, let next = waiting.last, next.due <= clock.monotonic() else {
            return nil
        }
        waiting.removeLast()
        return next.entry
    }

    /// Sets the alarm for the next retry or the next check of the store, whichever is first.
    private func arm() {
        guard repeatsFailed else { return }
        let (now, never) = (clock.monotonic(), Duration.seconds(Int64.max))
        var next = never
        if let first = waiting.last, running.count < limits.parallel { next = max(first.due, now) }
        if store != nil, storedAside > 0 || !waiting.isEmpty {
            next = min(next, now + Self.lookPause)
        }
        guard next < (alarm?.time ?? never) else { return }
        alarm?.task.cancel()
        let pause = next - now
        let task = Task {
            do { try await clock.sleep(pause) } catch { return }
            if alarm?.time == next { alarm = nil }
            look()
            pump()
        }
        alarm = (next, task)
    }

    private func run(_ entry: HookEntry) async {
        // `argus queue` may have dropped it.
        if store?.contains(entry.id) ?? true || unstored[entry.id] != nil {
            let hook = await prepare(entry)
            await settle(entry, Task.isCancelled ? .interrupted : await hook())
        }
        running[entry.id] = nil
        pump()
    }

    private func settle(_ entry: HookEntry, _ ending: HookEnding) async {
        switch ending {
        case .done:
            if unstored.removeValue(forKey: entry.id) != nil { settled.insert(entry.id) }
            do throws(FileSystemError) {
                try await store?.remove(entry.id)
            } catch {
                report(.notStored(error))
            }
        case .interrupted: lost.append(entry)
        case .failed(let reason, let done):
            var entry = entry
            entry.done.formUnion(done)
            guard Task.isCancelled else { return await fail(entry, reason) }
            // The end of the watch is no failure of the hook.
            if !done.isEmpty { _ = await keep(entry) }
            lost.append(entry)
        }
    }

    private func fail(_ entry: HookEntry, _ reason: String) async {
        var entry = entry
        let now = clock.now()
        entry.fail(reason, at: now, tries: limits.tries)
        guard await keep(entry) else { return }
        recordFailure(of: entry, at: now)
        makeRoom()
        schedule(entry)
    }

    private func recordFailure(of entry: HookEntry, at now: Timestamp) {
        if store == nil, entry.isSetAside, setAside.count >= Self.capacity {
            forgotten += 1
        } else if entry.isSetAside {
            var short = entry
            short.event = Event(id: entry.id)
            setAside[entry.id] = short
        }
        report(.failed(entry, at: now))
    }

    /// Without a store, sets aside the oldest events that wait for a retry until memory has room.
    private func makeRoom() {
        while store == nil, fresh.count + waiting.count >= Self.capacity,
            let place = waiting.indices.reversed().min(by: {
                waiting[$0].entry.addedAt < waiting[$1].entry.addedAt
            })
        {
            var entry = waiting.remove(at: place).entry
            entry.nextTry = nil
            recordFailure(of: entry, at: clock.now())
            schedule(entry)
        }
    }

    /// Keeps a changed entry in the store; false if it was dropped meanwhile.
    private func keep(_ entry: HookEntry) async -> Bool {
        guard let store else { return true }
        do throws(FileSystemError) {
            guard unstored[entry.id] != nil else { return try await store.replace(entry) }
            try store.add(entry)
            unstored[entry.id] = nil
            settled.insert(entry.id)
        } catch {
            report(.notStored(error))
            if unstored[entry.id] != nil { unstored[entry.id] = entry }
        }
        return true
    }

    /// Puts an entry where it waits, at most for the longest pause if a clock jumped.
    private func schedule(_ entry: HookEntry) {
        guard let next = entry.nextTry else { return storedAside += 1 }
        let pause = min(max(next - clock.now(), .zero), HookEntry.longestPause)
        let due = clock.monotonic() + pause
        let place = waiting.firstIndex { $0.due <= due } ?? waiting.count
        waiting.insert((entry, due), at: place)
    }

    /// Checks the store for changes by `argus queue`.
    private func look() {
        guard let store, store.revision != revision else { return }
        revision = store.revision
        guard let entries = try? store.all().entries else { return }
        let busy = Set(running.keys).union(fresh.map(\.id))
        waiting.removeAll { unstored[$0.entry.id] == nil }
        storedAside = 0
        for entry in entries where !busy.contains(entry.id) { schedule(entry) }
        let aside = Set(entries.filter(\.isSetAside).map(\.id))
        setAside = setAside.filter { aside.contains($0.key) || unstored[$0.key] != nil }
    }
}
