import ArgusAccount
import ArgusCore
package import ArgusEvents

/// Delivers the events of a feed, many at once, so that receivers that hang or are throttled delay
/// neither the feed nor the next alarm.
package actor DeliveryWatch {
    /// The events that may be in delivery; the feed keeps further ones.
    private static let capacity = 128
    /// The time for which the feed waits for the verdicts about a new event before it goes on; it
    /// offers the event again later.
    static let timeout = Duration.milliseconds(100)
    /// How long deliveries may continue at the end.
    private static let lastTime = Duration.seconds(10)

    private let dispatcher: DeliveryDispatcher
    private let sleep: @Sendable (Duration) async throws -> Void
    private var running: [String: Task<Void, Never>] = [:]
    /// Events with all verdicts that were not yet reported to the feed.
    private var complete: Set<String> = []
    private var isEnding = false
    /// True while the registry cannot be read.
    private var isUnreadable = false
    private var alerts = ProviderAlerts()
    /// The task that waits for a change of `running`.
    private var waiter: CheckedContinuation<Void, Never>?

    package init(
        _ dispatcher: DeliveryDispatcher,
        sleep: @escaping @Sendable (Duration) async throws -> Void
    ) {
        (self.dispatcher, self.sleep) = (dispatcher, sleep)
    }

    /// Takes an event of the feed; true once every receiver has its verdict, else the feed must offer
    /// it again.
    ///
    /// `held` is the reason why nobody gets it. One task at a time calls this.
    package func add(_ event: Event, held: AlarmHold? = nil) async -> Bool {
        if complete.remove(event.id) != nil { return true }
        guard !isEnding, running[event.id] == nil, running.count < Self.capacity else {
            return false
        }
        running[event.id] = Task { await deliver(event, held) }
        let limit = Task { [sleep] in
            try? await sleep(Self.timeout)
            if !Task.isCancelled { self.stopWaiting(for: event.id) }
        }
        while running[event.id] != nil, !isEnding, timedOut != event.id { await change() }
        limit.cancel()
        timedOut = nil
        return complete.remove(event.id) != nil
    }

    /// The event whose verdicts the feed waits for no longer.
    private var timedOut: String?

    private func stopWaiting(for id: String) {
        timedOut = id
        wake()
    }

    /// Takes no more events.
    package func stop() {
        isEnding = true
        wake()
    }

    /// Waits for the deliveries in progress, and cancels those that take longer than ten seconds.
    ///
    /// Events without a verdict are left to the next watch with the state.
    package func finish() async {
        stop()
        let cut = Task { [sleep] in
            try? await sleep(Self.lastTime)
            if !Task.isCancelled { self.cancel() }
        }
        while !running.isEmpty { await change() }
        cut.cancel()
    }

    private func cancel() {
        for task in running.values { task.cancel() }
    }

    private func deliver(_ event: Event, _ held: AlarmHold?) async {
        do throws(AccountError) {
            let (records, isComplete) = try await dispatcher.dispatch(event, held: held)
            isUnreadable = false
            if isComplete { complete.insert(event.id) }
            dispatcher.setup.report(.dispatched(event, records))
            for change in alerts.changes(after: records) { dispatcher.setup.report(change) }
        } catch .storeFile(let error) where error.reason == .locked {
            // Another dispatch is handling the event; the feed will offer it again.
        } catch {
            if !isUnreadable { dispatcher.setup.report(.unread(error)) }
            isUnreadable = true
        }
        running[event.id] = nil
        wake()
    }

    private func change() async {
        await withCheckedContinuation { waiter = $0 }
    }

    private func wake() {
        waiter?.resume()
        waiter = nil
    }
}

/// The services whose deliveries fail for all receivers.
struct ProviderAlerts {
    private var failing: Set<DeliveryService> = []

    mutating func changes(after records: [DeliveryRecord]) -> [DeliveryReport] {
        var changes: [DeliveryReport] = []
        for service in DeliveryService.allCases {
            let attempts = records.filter { $0.service == service && $0.isAttempt }
            guard let first = attempts.first else { continue }
            if attempts.allSatisfy({ $0.cause.isProviders }) {
                guard failing.insert(service).inserted else { continue }
                changes.append(.failing(service, first.reason ?? "it gave no reason"))
            } else if attempts.contains(where: \.isDelivered), failing.remove(service) != nil {
                changes.append(.recovered(service))
            }
        }
        return changes
    }
}

extension Optional<DeliveryRecord.Cause> {
    /// True if all receivers of a service have the same failure.
    var isProviders: Bool {
        switch self {
        case .provider: true
        case .unsent(let error): error.kind != .rejected
        case .token, nil: false
        }
    }
}
