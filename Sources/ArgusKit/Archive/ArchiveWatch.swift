package import ArgusEvents

/// The pauses between the syncs of an archive that is kept up to date.
package struct ArchiveWatch: Sendable {
    /// The pause after an announcement, so that several events are read at once.
    private static let settling = Duration.seconds(5)
    /// The longest pause: while a connected stream announces nothing, and after failures.
    private static let longestPause = Duration.seconds(600)
    /// The pause while no stream is connected.
    private static let pollPause = Duration.seconds(60)
    /// The pause after which everything is compared again.
    package static let fullPause = Duration.seconds(86400)

    private let pause: any FeedPause
    private var isConnected = false
    /// The syncs that failed in a row.
    private var failures = 0

    package init(_ pause: any FeedPause) { self.pause = pause }

    /// Waits for the next sync; false once a stop was signalled.
    ///
    /// After failures the pauses are 5, 10, 20 … 600 seconds, whatever is announced.
    package mutating func wait(afterFailure hasFailed: Bool) async -> Bool {
        failures = hasFailed ? failures + 1 : 0
        let start = await pause.now()
        let calm = isConnected ? Self.longestPause : Self.pollPause
        let delay = min(Self.settling * (1 << min(max(failures - 1, 0), 10)), Self.longestPause)
        var due = start + (hasFailed ? delay : calm)
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
            if !hasFailed { due = min(due, next) }
        }
        return true
    }
}
