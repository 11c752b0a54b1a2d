package import ArgusCore
import ArgusAccount

/// The difference between a server's clock and this machine's.
package struct ClockComparison: Sendable {
    package static let remedy = "synchronise both clocks with NTP"
    /// The largest difference of clocks that do no harm.
    static let close = Duration.seconds(5)

    /// The server's clock minus the local one; zero if they differ by less than can be told.
    private let offset: Duration
    private let tolerance: Duration

    /// Compares the time in an answer that came at `local`.
    package init(server: Timestamp, local: Timestamp, tolerance: Duration) {
        offset = ClockOffset.measured(serverTime: server, now: local)
        self.tolerance = tolerance
    }

    private var size: Duration { offset < .zero ? .zero - offset : offset }

    /// True if the difference is within the tolerance.
    package var isClose: Bool { size <= tolerance }

    /// The difference in seconds, positive for a server that is ahead.
    package var seconds: Double { Double(offset.components.seconds) }

    /// A clause, such as `the server's clock is 2 min ahead of this machine's`.
    package var words: String {
        if size == .zero { return "in step with the server" }
        let relation = "\(DurationText.short(size)) \(offset < .zero ? "behind" : "ahead of")"
        return "the server's clock is \(relation) this machine's"
    }
}

/// The age of an archive's last sync, compared with the usual time between two.
package struct ArchiveFreshness: Sendable {
    package static let remedy = "run 'argus archive sync' on a timer"
    /// The longest time between syncs whose interval is unknown.
    private static let longestPause = Duration.seconds(2 * 86400)
    /// The shortest time that counts as late: a sync may take long.
    private static let shortestPause = Duration.seconds(3600)

    /// True if the last sync is older than twice the interval, or there was none.
    package let isLate: Bool

    package init(_ sync: LocalReadings.Sync, at now: Timestamp) {
        let limit = sync.interval.map { max($0 * 2, Self.shortestPause) } ?? Self.longestPause
        isLate = sync.last.map { now - $0 > limit } ?? true
    }
}
