import Synchronization

/// A value that is made when it is first asked for, and kept.
final class Once<Value: Sendable>: Sendable {
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

/// Values that several parts of a run put together.
final class Collected<Value: Sendable>: Sendable {
    private let state = Mutex<[Value]>([])

    /// Everything so far, in the order it came.
    var all: [Value] { state.withLock { $0 } }

    /// Adds a value.
    func add(_ value: Value) {
        state.withLock { $0.append(value) }
    }
}
