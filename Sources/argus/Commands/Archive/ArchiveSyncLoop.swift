import ArgusAccount
import ArgusArchive
import ArgusCore
import ArgusEvents
import ArgusTransport
import Synchronization

extension ArchiveSync {
    /// Syncs until argus is killed, reports each sync that changed something, and compares everything
    /// once a day.
    ///
    /// - Throws: `Failure` that no retry can help.
    static func watch(
        _ options: Options, with printer: Printer<ArchiveReport>, in context: Context
    ) async throws(Failure) {
        // An archive that is not there is known before the server is asked.
        _ = try await options.archive.changing(in: context)
        let server = try await server(in: context)
        let interruption = SyncInterruption()
        let inbox = FeedInbox(monotonic: context.system.monotonic, sleep: context.system.sleep)
        let stream = FeedStream(of: server.session.client, to: inbox, sleep: context.system.sleep)
        let listening = Task { await stream.run() }
        defer { listening.cancel() }
        var watch = ArchiveWatch(inbox)
        var scope = options.scope
        scope.fullPause = ArchiveWatch.fullPause
        var isFailing = false
        var hasWarned = false
        repeat {
            do throws(Failure) {
                let report = try await interruption.run { [scope] () async throws(Failure) in
                    // Others may change the archive until the next sync.
                    let archive = try await options.archive.changing(in: context)
                    return try await sync(
                        archive, from: server, scope, endedBy: interruption.cancellation,
                        in: context)
                }
                if isFailing { context.console.notice("'\(server.name)' answers again") }
                isFailing = false
                try write(report, with: printer, in: context)
                if !hasWarned {
                    do throws(Failure) {
                        try server.expectComplete(report.unreadableRows, report.gaps)
                    } catch {
                        hasWarned = true
                        context.console.warn(error.message)
                    }
                }
                scope.isFull = false
            } catch {
                guard error.isRetryable || error.reason == "archive_in_use" else {
                    throw error
                }
                if !isFailing { context.console.warn(error.message + "; trying again") }
                isFailing = true
            }
        } while await watch.wait(afterFailure: isFailing)
    }

    private static func write(
        _ report: ArchiveReport, with printer: Printer<ArchiveReport>, in context: Context
    ) throws(Failure) {
        guard report != ArchiveReport() else { return }
        guard try context.isForMachines() else {
            return context.console.notice(ArchiveView.sentence(report))
        }
        try printer.write(report)
        try printer.endPage()
    }
}

/// Ends a sync at the first signal, once what it has read is stored; then the signal kills.
final class SyncInterruption: Sendable {
    private struct State {
        var cancel: (@Sendable () -> Void)?
        var signal: Int32?
    }

    let cancellation = RequestCancellation()
    private let state = Mutex(State())

    init() {
        // A reader of stdout that leaves ends nothing: what changes an archive is completed.
        Signals.onEndRequest(onlySignals: true) { [self] signal in
            let cancel = state.withLock { state in
                state.signal = signal
                return state.cancel
            }
            // Between two syncs there is nothing to store.
            if let cancel { cancel() } else { signal.map(Signals.end) }
        }
    }

    func run(
        _ sync: @escaping @Sendable () async throws(Failure) -> ArchiveReport
    ) async throws(Failure) -> ArchiveReport {
        let task = Task { try await sync() }
        state.withLock { state in
            state.cancel = { [cancellation] in
                // A wait for the server's rate limit, and requests of tasks of their own.
                task.cancel()
                cancellation.cancel()
            }
        }
        let result = await task.result
        let signal = state.withLock { state in
            state.cancel = nil
            return state.signal
        }
        if let signal {
            Signals.end(by: signal)
            try? await Task.sleep(for: .seconds(60))
        }
        return try attempt(result.get())
    }
}
