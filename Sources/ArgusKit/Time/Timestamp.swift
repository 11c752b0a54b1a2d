internal import Glibc

/// A point in time in whole microseconds since 1970-01-01T00:00:00Z, the finest unit of servers.
package struct Timestamp: Hashable, Comparable, Sendable {
    /// Microseconds since the Unix epoch, negative before it.
    package var microseconds: Int64

    package init(microseconds: Int64) {
        self.microseconds = microseconds
    }

    /// Makes a point in time from whole seconds since the Unix epoch.
    ///
    /// Servers supply seconds too (`exp` of a token), so those that do not fit are clamped.
    package init(seconds: Int64) {
        let (product, overflowed) = seconds.multipliedReportingOverflow(by: 1_000_000)
        microseconds = overflowed ? (seconds < 0 ? .min : .max) : product
    }

    /// The system's clock (clock_gettime(2), CLOCK_REALTIME).
    ///
    /// Code that can take a time as a parameter does that instead.
    package static func current() -> Timestamp {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000)
    }

    /// Whole seconds since the Unix epoch, rounded down.
    package var seconds: Int64 { microseconds.dividedDown(by: 1_000_000) }

    package static func < (left: Timestamp, right: Timestamp) -> Bool {
        left.microseconds < right.microseconds
    }

    /// The time after a duration, clamped to the range of Int64.
    package static func + (time: Timestamp, duration: Duration) -> Timestamp {
        let offset = duration.wholeMicroseconds
        let (sum, overflowed) = time.microseconds.addingReportingOverflow(offset)
        return Timestamp(microseconds: overflowed ? (offset < 0 ? .min : .max) : sum)
    }

    /// The time from `right` to `left`; negative if `left` is earlier.
    package static func - (left: Timestamp, right: Timestamp) -> Duration {
        .microseconds(left.microseconds) - .microseconds(right.microseconds)
    }
}

extension Duration {
    /// The duration in microseconds, truncated towards zero and clamped to Int64.
    fileprivate var wholeMicroseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, overflowed) = seconds.multipliedReportingOverflow(by: 1_000_000)
        let (sum, overflowedAgain) = product.addingReportingOverflow(
            attoseconds / 1_000_000_000_000)
        return overflowed || overflowedAgain ? (seconds < 0 ? .min : .max) : sum
    }
}
