import Synchronization

@testable package import ArgusCore
@testable package import ArgusEvents

/// A clock that stands still until a test moves it.
package final class ManualClock: Sendable {
    private struct Sleeper {
        var due: Duration
        var continuation: CheckedContinuation<Bool, Never>
    }

    private struct State {
        var now = Duration.zero
        var number = 0
        var sleepers: [Int: Sleeper] = [:]
        var watchers: [(due: Duration, continuation: CheckedContinuation<Void, Never>)] = []
    }

    /// 2026-11-21, 12:00:00 UTC.
    package static let origin = Timestamp(seconds: 1_795_262_400)

    private let state = Mutex(State())

    package init() {}

    package var now: Timestamp { Self.origin + state.withLock { $0.now } }

    package var clock: RunClock {
        RunClock(
            now: { self.now }, monotonic: { self.state.withLock { $0.now } },
            sleep: { try await self.sleep($0) })
    }

    /// Moves the clock, and wakes those whose time has come.
    package func advance(to time: Duration) {
        let woken = state.withLock { state in
            state.now = time
            let due = state.sleepers.filter { $0.value.due <= time }
            for number in due.keys { state.sleepers[number] = nil }
            return due.values.map(\.continuation)
        }
        for sleeper in woken { sleeper.resume(returning: true) }
    }

    /// Waits until a task sleeps to exactly this time, and moves the clock there, or further.
    package func wake(at time: Duration, movingTo end: Duration? = nil) async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                let isThere = state.sleepers.values.contains { $0.due == time }
                if !isThere { state.watchers.append((time, continuation)) }
                return isThere
            }
            if isThere { continuation.resume() }
        }
        advance(to: end ?? time)
    }

    package func sleep(_ duration: Duration) async throws {
        let number = state.withLock { state in
            state.number += 1
            return state.number
        }
        let isOver = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let watchers = state.withLock { state in
                    let due = state.now + duration
                    // The handler has run before, and found nobody.
                    guard !Task.isCancelled else {
                        return nil as [CheckedContinuation<Void, Never>]?
                    }
                    state.sleepers[number] = Sleeper(due: due, continuation: continuation)
                    let watchers = state.watchers.filter { $0.due == due }.map(\.continuation)
                    state.watchers.removeAll { $0.due == due }
                    return watchers
                }
                guard let watchers else { return continuation.resume(returning: false) }
                for watcher in watchers { watcher.resume() }
            }
        } onCancel: {
            let sleeper = state.withLock { $0.sleepers.removeValue(forKey: number) }
            sleeper?.continuation.resume(returning: false)
        }
        if !isOver { throw CancellationError() }
    }
}

/// Hooks whose ends a test decides.
package final class ScriptedHooks: Sendable {
    private struct State {
        var running: [String: CheckedContinuation<HookEnding, Never>] = [:]
        var started: [String] = []
        var waiter: CheckedContinuation<String, Never>?
    }

    private let state = Mutex(State())

    package init() {}

    /// The events whose hooks run now, sorted.
    package var running: [String] { state.withLock { $0.running.keys.sorted() } }

    /// Waits for the next start of a hook, and returns its event.
    package func next() async -> String {
        await withCheckedContinuation { continuation in
            let first = state.withLock { state in
                if state.started.isEmpty {
                    state.waiter = continuation
                    return nil as String?
                }
                return state.started.removeFirst()
            }
            if let first { continuation.resume(returning: first) }
        }
    }

    /// Ends the hook of an event.
    package func end(_ id: String, _ ending: HookEnding = .done) {
        state.withLock { $0.running.removeValue(forKey: id) }?.resume(returning: ending)
    }

    package func prepare(_ event: Event) -> HookDispatcher.Hook {
        { [self] in
            await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    let waiter = state.withLock { state in
                        state.running[event.id] = continuation
                        let waiter = state.waiter
                        state.waiter = nil
                        if waiter == nil { state.started.append(event.id) }
                        return waiter
                    }
                    waiter?.resume(returning: event.id)
                    if Task.isCancelled { end(event.id, .failed("was ended by signal 15")) }
                }
            } onCancel: {
                end(event.id, .failed("was ended by signal 15"))
            }
        }
    }
}
