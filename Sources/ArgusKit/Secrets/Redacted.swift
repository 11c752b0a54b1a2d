/// A secret that prints as `<redacted>` wherever it is described, interpolated or dumped.
///
/// The value leaves only through `reveal()`, so `grep reveal` lists every place that uses a secret.
/// `HeldSecrets` knows each value from here on: text that a server made of it is masked as well.
package struct Redacted<Value: SecretValue>: Sendable {
    private let value: Value

    /// Wraps a secret, which is masked wherever it appears in output.
    package init(_ value: Value) {
        self.value = value
        HeldSecrets.hold(value)
    }

    /// Wraps a value of which only some parts are secret, such as the path of a push endpoint.
    ///
    /// A value without secret parts prints as `<redacted>`, and is not masked in other text: six
    /// digits of a pairing code appear in any time stamp.
    package init(_ value: Value, masking parts: [any SecretValue]) {
        self.value = value
        for part in parts { HeldSecrets.hold(part) }
    }

    /// Hands out the secret, to be sent to its server or written to a store and nowhere else.
    package func reveal() -> Value { value }
}

extension Redacted: Equatable where Value: Equatable {}
extension Redacted: Hashable where Value: Hashable {}

extension Redacted: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { SecretMask.replacement }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}

/// What a secret can be made of: text or bytes.
package protocol SecretValue: Sendable {
    /// The bytes to look for in output; text is UTF-8.
    var secretBytes: [UInt8] { get }
}

extension String: SecretValue {
    package var secretBytes: [UInt8] { Array(utf8) }
}

extension Array: SecretValue where Element == UInt8 {
    package var secretBytes: [UInt8] { self }
}
