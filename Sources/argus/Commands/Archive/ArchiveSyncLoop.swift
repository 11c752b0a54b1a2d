import ArgusKit

/// Syncs again and again, until argus is killed or a failure is final.
struct ArchiveSyncLoop {
    let options: ArchiveSync.Options
    let context: Context

    /// Reports each sync that changed something; each day one is full.
    ///
    /// - Throws: `Failure` that no retry can help.
    func run(_ printer: Printer<ArchiveReport>) async throws(Failure) {
        // An archive that is not there is known before the server is asked.
        _ = try await options.archive.changing(in: context)
        let server = try await ArchiveSync.server(in: context)
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
                    return try await ArchiveSync.sync(
                        archive, from: server, scope, endedBy: interruption.cancellation,
                        in: context)
                }
                if isFailing { context.console.notice("'\(server.name)' answers again") }
                isFailing = false
                try write(report, with: printer)
                if report.unreadableRows > 0, !hasWarned {
                    hasWarned = true
                    context.console.warn("'\(server.name)' sent rows that are not events")
                }
                scope.isFull = false
            } catch {
                guard error.kind.isRetryable || error.reason == "archive_in_use" else {
                    throw error
                }
                if !isFailing { context.console.warn(error.message + "; trying again") }
                isFailing = true
            }
            ProcessMemory.shrinkForWaiting()
        } while await watch.wait(afterFailure: isFailing)
    }

    private func write(
        _ report: ArchiveReport, with printer: Printer<ArchiveReport>
    ) throws(Failure) {
        guard report != ArchiveReport() else { return }
        guard try context.isForMachines() else {
            return context.console.notice(ArchiveView.sentence(report))
        }
        try printer.write(report)
        try printer.endPage()
    }
}
