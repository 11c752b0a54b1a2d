/// A point in time in whole microseconds since 1970-01-01T00:00:00Z, the finest a server tells.
package struct Timestamp: Hashable, Comparable, Sendable {
    /// Microseconds since the Unix epoch, negative before it.
    package var microseconds: Int64

    package init(microseconds: Int64) {
        self.microseconds = microseconds
    }

    /// Makes a point in time from whole seconds since the Unix epoch.
    package init(seconds: Int64) {
        self.microseconds = seconds * 1_000_000
    }

    /// Whole seconds since the Unix epoch, rounded down.
    package var seconds: Int64 {
        microseconds >= 0 ? microseconds / 1_000_000 : (microseconds - 999_999) / 1_000_000
    }

    package static func < (left: Timestamp, right: Timestamp) -> Bool {
        left.microseconds < right.microseconds
    }
}
