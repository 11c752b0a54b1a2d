import ArgusCore
import Synchronization

/// An event from the thread of a browse.
enum AvahiEvent: Sendable {
    case found(DiscoveredServer)
    /// The browse has ended with this error.
    case failed(DiscoveryError)
}

/// The state shared by a browse's task and thread; every member is thread-safe.
final class AvahiRun: Sendable {
    /// The state of the daemon as seen by a browse.
    enum Daemon { case unknown, answering, lost }

    private struct State {
        var isStopped = false
        var daemon = Daemon.unknown
        /// Wakes the thread; nil while it does not sleep in libavahi.
        var wake: (@Sendable () -> Void)?
    }

    let events: AsyncStream<AvahiEvent>
    private let continuation: AsyncStream<AvahiEvent>.Continuation
    private let state = Mutex(State())

    init() { (events, continuation) = AsyncStream.makeStream() }

    var isStopped: Bool { state.withLock { $0.isStopped } }

    var daemon: Daemon {
        get { state.withLock { $0.daemon } }
        set { state.withLock { $0.daemon = newValue } }
    }

    /// Ends the events now, and the thread as soon as libavahi returns.
    func stop() {
        state.withLock { state in
            state.isStopped = true
            state.wake?()
        }
        continuation.finish()
    }

    func deliver(_ event: AvahiEvent) { continuation.yield(event) }

    /// Sets the function that wakes the thread; nil before its target is freed.
    func setWake(_ wake: (@Sendable () -> Void)?) { state.withLock { $0.wake = wake } }
}

/// Starts the thread of a browse, which opens libavahi and ends when the run is stopped.
func startAvahiThread(_ run: AvahiRun, _ target: DiscoveryTarget) {
    do throws(Errno) {
        try startDetachedThread {
            do throws(DiscoveryError) {
                try search(target, run)
            } catch {
                run.deliver(.failed(error))
            }
        }
    } catch {
        run.deliver(.failed(.failed("no thread: \(error)")))
    }
}

private func search(_ target: DiscoveryTarget, _ run: AvahiRun) throws(DiscoveryError) {
    let avahi = try AvahiLibrary.shared.get()
    guard let poll = avahi.pollNew() else { throw .failed("out of memory") }
    defer { avahi.pollFree(poll) }
    // Unchecked because a C pointer is not Sendable: libavahi allows this one call from any thread,
    // and the run drops it before the poll is freed.
    nonisolated(unsafe) let handle = poll
    run.setWake { avahi.pollWakeup(handle) }
    defer { run.setWake(nil) }

    let search = AvahiSearch(avahi, poll, for: target, run)
    defer { search.end() }
    try search.connect(waitingForDaemon: false)
    while !run.isStopped {
        guard avahi.pollIterate(poll, -1) == 0 else { throw .failed("libavahi's loop ended") }
        if let error = search.failure { throw error }
        if search.isDisconnected {
            run.daemon = .lost
            search.end()
            try search.connect(waitingForDaemon: true)
        }
    }
}
