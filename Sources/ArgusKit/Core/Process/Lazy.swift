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

/// A few values, to recognise those that occur for the first time.
///
/// A list, because to make a set's type the runtime searches all conformances of the program.
package final class SeenSet<Value: Sendable>: Sendable {
    private let seen = Mutex<[Value]>([])

    package init() {}
}

extension SeenSet where Value: Equatable {
    /// Adds a value; false when it is there already.
    package func insert(_ value: Value) -> Bool {
        seen.withLock { seen in
            guard !seen.contains(value) else { return false }
            seen.append(value)
            return true
        }
    }
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
