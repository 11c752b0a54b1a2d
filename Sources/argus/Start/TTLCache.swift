import Synchronization

/// A value that is read again after a second, such as the state of the network.
///
/// Commands need it several times at the start, and then at every request.
final class TTLCache<Value: Sendable>: Sendable {
    private static var life: Duration { .seconds(1) }

    private let read: @Sendable () -> Value
    private let now: @Sendable () -> ContinuousClock.Instant
    private let last = Mutex<(value: Value, at: ContinuousClock.Instant)?>(nil)

    init(
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
        _ read: @escaping @Sendable () -> Value
    ) {
        self.now = now
        self.read = read
    }

    /// The value, read at most a second ago.
    var value: Value {
        last.withLock { last in
            if let last, now() - last.at < Self.life { return last.value }
            let value = read()
            // The time after reading, which may take longer than a value lives.
            last = (value, now())
            return value
        }
    }
}
