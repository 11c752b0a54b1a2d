/// A secret that prints as `<redacted>` wherever it is described, interpolated or dumped.
///
/// The value leaves only through `reveal()`, so `grep reveal` lists every place that uses a secret.
package struct Redacted<Value: Sendable>: Sendable {
    private let value: Value

    package init(_ value: Value) {
        self.value = value
    }

    /// Hands out the secret, to be sent to its server or written to a store and nowhere else.
    package func reveal() -> Value { value }
}

extension Redacted: Equatable where Value: Equatable {}
extension Redacted: Hashable where Value: Hashable {}

extension Redacted: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "<redacted>" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}
