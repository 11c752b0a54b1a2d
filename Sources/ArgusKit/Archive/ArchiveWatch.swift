import ArgusCore
package import ArgusEvents

/// The syncs of an archive that is kept up to date: one when the server announces events, one now and
/// then, and one of everything each day.
///
/// One task at a time takes items with `for try await`; the sequence ends once a stop was signalled.
package final class ArchiveWatch: AsyncSequence, AsyncIteratorProtocol {
    package enum Item: Sendable {
        case synced(ArchiveReport)
        /// The sync failed, and so may the next ones; the watch goes on trying.
        case retrying(ArchiveError)
        /// A sync has succeeded again.
        case recovered
    }

    package typealias Element = Item
    package typealias Failure = ArchiveError

    /// A sync of so much.
    package typealias Sync = (EventArchiver.Scope) async throws(ArchiveError) -> ArchiveReport

    /// The pause after an announcement, so that several events are read at once.
    private static let settling = Duration.seconds(5)
    /// The longest pause: while a connected stream announces nothing, and after failures.
    private static let longestPause = Duration.seconds(600)
    /// The pause while no stream is connected.
    private static let pollPause = Duration.seconds(60)
    /// The pause after which everything is compared again.
    private static let fullPause = Duration.seconds(86400)

    private let pause: any ServicePause
    private let stream: FeedStream?
    /// The task that follows the stream, from the first item on.
    private var following: Task<Void, Never>?
    private let sync: Sync
    private var scope: EventArchiver.Scope
    private var isConnected = false
    /// The pause after a failed sync; nil after one that succeeded.
    private var backOff: Duration?
    private var hasSynced = false
    /// The report of the sync that has succeeded again.
    private var report: ArchiveReport?

    /// Makes a watch that begins with a sync of `scope`; `stream` signals what it announces.
    package init(
        _ pause: any ServicePause, announcedBy stream: FeedStream? = nil,
        scope: EventArchiver.Scope,
        sync: @escaping Sync
    ) {
        (self.pause, self.stream, self.sync) = (pause, stream, sync)
        self.scope = scope
        self.scope.fullPause = Self.fullPause
    }

    deinit { following?.cancel() }

    package func makeAsyncIterator() -> ArchiveWatch { self }

    /// Returns the result of the next sync.
    ///
    /// - Throws: `ArchiveError` if no retry can help.
    package func next(
        isolation actor: isolated (any Actor)? = #isolation
    ) async throws(ArchiveError) -> Item? {
        if let report = report.take() { return .synced(report) }
        if following == nil, let stream { following = Task { await stream.follow() } }
        while true {
            if hasSynced, await !wait() { return nil }
            hasSynced = true
            do throws(ArchiveError) {
                let report = try await sync(scope)
                scope.isFull = false
                guard backOff.take() != nil else { return .synced(report) }
                self.report = report
                return .recovered
            } catch {
                guard error.mayPass else { throw error }
                let isFirst = backOff == nil
                backOff = Backoff(from: Self.settling, to: Self.longestPause).pause(after: backOff)
                if isFirst { return .retrying(error) }
            }
        }
    }

    /// Waits for the next sync; false once a stop was signalled.
    ///
    /// After failures no announcement shortens the pause.
    private func wait() async -> Bool {
        let calm = isConnected ? Self.longestPause : Self.pollPause
        var due = await pause.now() + (backOff ?? calm)
        while let signal = await pause.wait(until: due) {
            let now = await pause.now()
            var next = due
            switch signal {
            case .stop: return false
            case .connected:
                // Nothing was announced until now.
                isConnected = true
                next = now + Self.settling
            case .disconnected:
                isConnected = false
                next = now + Self.pollPause
            case .announced, .overflow, .ring: next = now + Self.settling
            }
            if backOff == nil { due = Swift.min(due, next) }
        }
        return true
    }
}

extension ArchiveError {
    /// True if a later sync may succeed without the user.
    fileprivate var mayPass: Bool {
        switch self {
        case .running: true
        case .api(let error): !error.isFinal
        default: false
        }
    }
}
