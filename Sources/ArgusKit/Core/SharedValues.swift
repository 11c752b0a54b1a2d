import Synchronization

/// A value that is made at its first use.
package final class Lazy<Value: Sendable>: Sendable {
    private let state = Mutex<Value?>(nil)

    package init() {}

    /// Returns the value; `make` runs at most once.
    package func value(_ make: () -> Value) -> Value {
        state.withLock { state in
            let value = state ?? make()
            state = value
            return value
        }
    }
}

/// Values, to recognise those that occur for the first time.
package final class SeenSet<Value: Hashable & Sendable>: Sendable {
    private let seen = Mutex<Set<Value>>([])

    package init() {}

    /// Adds a value; false when it is there already.
    package func insert(_ value: Value) -> Bool { seen.withLock { $0.insert(value).inserted } }
}

/// A list of values to which several parts of a run add.
package final class Collected<Value: Sendable>: Sendable {
    private let state = Mutex<[Value]>([])

    package init() {}

    /// The values so far, in the order in which they came.
    package var all: [Value] { state.withLock { $0 } }

    /// Adds a value.
    package func add(_ value: Value) { state.withLock { $0.append(value) } }

    /// Removes all values and returns them.
    package func take() -> [Value] {
        state.withLock { values in
            defer { values = [] }
            return values
        }
    }
}
