import Synchronization

/// A value that is made when it is first asked for, and kept.
final class Lazy<Value: Sendable>: Sendable {
    private let state = Mutex<Value?>(nil)

    /// The value; `make` runs at most once.
    func value(_ make: () -> Value) -> Value {
        state.withLock { state in
            let value = state ?? make()
            state = value
            return value
        }
    }
}

/// Tells whether something comes up for the first time.
final class SeenSet<Value: Hashable & Sendable>: Sendable {
    private let seen = Mutex<Set<Value>>([])

    /// Whether nobody has asked about this value before.
    func insert(_ value: Value) -> Bool {
        seen.withLock { $0.insert(value).inserted }
    }
}

/// Values that several parts of a run put together.
final class Collected<Value: Sendable>: Sendable {
    private let state = Mutex<[Value]>([])

    /// Everything so far, in the order it came.
    var all: [Value] { state.withLock { $0 } }

    /// Adds a value.
    func add(_ value: Value) {
        state.withLock { $0.append(value) }
    }

    /// Gives everything so far away.
    func take() -> [Value] {
        state.withLock { values in
            defer { values = [] }
            return values
        }
    }
}
