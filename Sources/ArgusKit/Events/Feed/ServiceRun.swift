package import ArgusCore
package import ArgusTransport

/// A service that runs for long: its clock, the signals that wake it, its signs of life and its end.
package actor ServiceRun: ServicePause {
    /// Signals that wait, of some 100 bytes each; a pass finds what was announced beyond that.
    static let capacity = 4096

    /// How a signal, such as that of Ctrl-C, ends a run.
    package enum SignalRule: Sendable {
        /// It kills, as it kills other commands.
        case kills
        /// It requests a stop, and so does a reader of stdout that has left.
        case stops
        /// As `stops`, but a run whose reader takes nothing is killed.
        case stopsUnlessBlocked
    }

    /// Cancels the requests of the run once it has to end.
    package nonisolated let cancellation = RequestCancellation()
    package nonisolated let clock: RunClock
    private nonisolated let watchdog: Watchdog?
    /// A slice, whose first signal is removed without moving the others.
    private var signals: ArraySlice<ServiceSignal> = []
    private var waiter: CheckedContinuation<ServiceSignal?, Never>?
    /// Counts the pauses, so that a timer ends only its own.
    private var number = 0
    private var hasStopped = false

    /// Makes a run; `watchdog` gets a sign at each step, and in long pauses.
    ///
    /// The signs come from the task of the work, so a run that hangs gives none.
    package init(_ clock: RunClock, watchdog: Watchdog? = nil) {
        (self.clock, self.watchdog) = (clock, watchdog)
    }

    /// Makes the run of a part of this one's work, which has signals of its own, also that of a stop.
    package nonisolated func makePart() -> ServiceRun { ServiceRun(clock, watchdog: watchdog) }

    /// Gives a sign of life.
    package nonisolated func beat() { watchdog?.beat() }

    package func now() -> Duration {
        beat()
        return clock.monotonic()
    }

    package func isStopped() -> Bool {
        beat()
        return hasStopped
    }

    /// Delivers a signal; after a stop, only the stop remains.
    package func send(_ signal: ServiceSignal) {
        if signal == .stop {
            hasStopped = true
            cancellation.cancel()
        }
        if waiter != nil { return resume(signal) }
        if case .announced = signal, signals.count >= Self.capacity {
            if signals.last != .overflow { signals.append(.overflow) }
        } else {
            signals.append(signal)
        }
    }

    package func wait(until deadline: Duration) async -> ServiceSignal? {
        while true {
            let now = now()
            let part = watchdog.map { min(deadline, now + $0.interval) } ?? deadline
            if let signal = await waitOnce(until: part) { return signal }
            if part == deadline { return nil }
        }
    }

    private func waitOnce(until deadline: Duration) async -> ServiceSignal? {
        if hasStopped { return .stop }
        if !signals.isEmpty {
            // A slice keeps what was removed from it.
            defer { if signals.isEmpty { signals = [] } }
            return signals.removeFirst()
        }
        let rest = deadline - clock.monotonic()
        guard rest > .zero else { return nil }
        number += 1
        let own = number
        let timer = Task { [clock] in
            try? await clock.sleep(rest)
            self.expire(own)
        }
        defer { timer.cancel() }
        return await withCheckedContinuation { waiter = $0 }
    }

    private func expire(_ own: Int) { if own == number { resume(nil) } }

    private func resume(_ signal: ServiceSignal?) {
        let waiting = waiter
        waiter = nil
        waiting?.resume(returning: signal)
    }
}

// The work of a run.
extension ServiceRun {
    /// Runs work to its end; a request to stop, or the limit, sends `.stop` and calls `onStop`.
    ///
    /// `onSignal` is called even if all tasks are blocked.
    package nonisolated func perform<Value, Failure>(
        for limit: Duration?, signals rule: SignalRule,
        onSignal: @escaping @Sendable () -> Void, onStop: @escaping @Sendable () async -> Void,
        _ work: () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let requestStop = { @Sendable [self] in
            await send(.stop)
            await onStop()
        }
        if rule != .kills {
            Signals.onEndRequest { signal in
                Task { await requestStop() }
                if rule == .stopsUnlessBlocked, let signal {
                    OutputReader.killIfBlocked(by: signal)
                }
                // Last, since it may have to wait for the reader of a message.
                onSignal()
            }
        }
        let timer = limit.map { limit in
            Task { [clock] in
                try? await clock.sleep(limit)
                if !Task.isCancelled { await requestStop() }
            }
        }
        defer { timer?.cancel() }
        return try await work()
    }

    /// Repeats work until it succeeds, with the pauses of `Backoff.ofRequests`; nil if a stop is
    /// requested first.
    ///
    /// - Throws: The error of work if `canRetry` returns false for it; it reports the others.
    package nonisolated func retrying<Value, Failure>(
        _ work: () async throws(Failure) -> Value, canRetry: (Failure) -> Bool
    ) async throws(Failure) -> Value? {
        var pause: Duration?
        while await !isStopped() {
            do throws(Failure) {
                return try await work()
            } catch {
                // The end cancels requests.
                if await isStopped() { return nil }
                guard canRetry(error) else { throw error }
                let next = Backoff.ofRequests.pause(after: pause)
                pause = next
                if await wait(until: await now() + next) == .stop { return nil }
            }
        }
        return nil
    }
}
