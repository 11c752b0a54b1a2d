import Synchronization

/// Something that happens once; tasks wait for it without polling.
package final class Signal: Sendable {
    private struct State {
        var isRaised = false
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    package init() {}

    /// Lets every waiting task go on, now and later.
    package func raise() {
        let waiters = state.withLock { state in
            defer { state.waiters = [] }
            state.isRaised = true
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Waits until the signal is raised.
    package func wait() async {
        await withCheckedContinuation { waiter in
            let isRaised = state.withLock { state in
                if !state.isRaised { state.waiters.append(waiter) }
                return state.isRaised
            }
            if isRaised { waiter.resume() }
        }
    }
}
