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
        let folder = try options.archive.folder(in: context)
        // An archive that is not there is known before the server is asked.
        _ = try await options.archive.changing(in: context)
        let server = try await server(in: context)
        let interruption = SyncInterruption()
        let run = ServiceRun(context.system.clock)
        let watch = ArchiveWatch(
            run, announcedBy: FeedStream(of: server.session.client, to: run), scope: options.scope
        ) { scope async throws(ArchiveError) in
            try await interruption.run { () async throws(ArchiveError) in
                // Others may change the archive until the next sync.
                let archive = try await ArchiveOptions.changing(folder, in: context)
                return try await sync(
                    archive, from: server, scope, endedBy: interruption.cancellation, in: context)
            }
        }
        var hasWarned = false
        for try await item in watch.explained(by: { await failure($0, of: server) }) {
            switch item {
            case .synced(let report):
                try write(report, with: printer, in: context)
                guard !hasWarned else { continue }
                do throws(Failure) {
                    try server.expectComplete(report.unreadableRows, report.gaps)
                } catch {
                    hasWarned = true
                    context.console.warn(error.message)
                }
            case .retrying(let error):
                let message = await failure(error, of: server).message
                context.console.warn(message + "; trying again")
            case .recovered: context.console.notice("'\(server.name)' answers again")
            }
        }
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
            if let cancel { cancel() } else { signal.map(Signals.repeatRequest) }
        }
    }

    func run(
        _ sync: @escaping @Sendable () async throws(ArchiveError) -> ArchiveReport
    ) async throws(ArchiveError) -> ArchiveReport {
        let task = Task {
            await result(of: sync)
        }
        state.withLock { state in
            state.cancel = { [cancellation] in
                // A wait for the server's rate limit, and requests of tasks of their own.
                task.cancel()
                cancellation.cancel()
            }
        }
        let outcome = await task.value
        let signal = state.withLock { state in
            state.cancel = nil
            return state.signal
        }
        if let signal {
            Signals.repeatRequest(signal)
            try? await Task.sleep(for: .seconds(60))
        }
        return try outcome.get()
    }
}
