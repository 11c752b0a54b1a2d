import ArgusKit
import Synchronization

/// Ends a sync at the first signal, once what it has read is stored; then the signal kills.
final class SyncInterruption: Sendable {
    private struct State {
        var cancel: (@Sendable () -> Void)?
        var signal: Int32?
    }

    /// Ends the requests of a sync.
    let cancellation = RequestCancellation()
    private let state = Mutex(State())

    /// Takes signals from now on.
    init() {
        // A reader of stdout that leaves ends nothing: what changes an archive is completed.
        EndSignals.watch(onlySignals: true) { [self] signal in
            let cancel = state.withLock { state in
                state.signal = signal
                return state.cancel
            }
            // Between two syncs there is nothing to store.
            if let cancel { cancel() } else { signal.map(EndSignals.repeatSignal) }
        }
    }

    /// Runs a sync.
    ///
    /// - Throws: `Failure`.
    func run(
        _ work: @escaping @Sendable () async throws(Failure) -> ArchiveReport
    ) async throws(Failure) -> ArchiveReport {
        let task = Task { () async -> Result<ArchiveReport, Failure> in
            do throws(Failure) {
                return .success(try await work())
            } catch {
                return .failure(error)
            }
        }
        state.withLock { state in
            state.cancel = { [cancellation] in
                // A wait for the server's rate limit, and requests of tasks of their own.
                task.cancel()
                cancellation.cancel()
            }
        }
        let result = await task.value
        let signal = state.withLock { state in
            state.cancel = nil
            return state.signal
        }
        if let signal {
            EndSignals.repeatSignal(signal)
            try? await Task.sleep(for: .seconds(60))
        }
        return try result.get()
    }
}
