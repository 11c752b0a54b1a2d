/// The clocks of a run and its pauses, which tests replace.
package struct RunClock: Sendable {
    /// The time of day.
    package var now: @Sendable () -> Timestamp
    /// The time since the machine was started, asleep or not (clock_gettime(2), CLOCK_BOOTTIME).
    package var monotonic: @Sendable () -> Duration
    /// Waits; throws if the task is cancelled meanwhile.
    package var sleep: @Sendable (Duration) async throws -> Void

    package init(
        now: @escaping @Sendable () -> Timestamp, monotonic: @escaping @Sendable () -> Duration,
        sleep: @escaping @Sendable (Duration) async throws -> Void
    ) {
        (self.now, self.monotonic, self.sleep) = (now, monotonic, sleep)
    }
}
