import Synchronization

/// Something of the machine that changes now and then, read again when a second has passed.
///
/// A command asks for it several times at its beginning, and a long one at every request.
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
            // After reading, which may take longer than a value lives.
            last = (value, now())
            return value
        }
    }
}
