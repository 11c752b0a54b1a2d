internal import Synchronization

/// A secret that prints as `<redacted>` when described, interpolated or dumped.
///
/// Only `reveal()` returns the value, so `grep reveal` lists every use of a secret. `HeldSecrets`
/// records each value, so that what argus says masks echoes of it too; results are data, and show them.
package struct Redacted<Value: SecretValue>: Sendable {
    private let value: Value

    /// Wraps a secret and masks it in what argus says.
    package init(_ value: Value) {
        self.value = value
        HeldSecrets.hold(value)
    }

    /// Wraps a value with secret parts, such as the path of a push endpoint.
    ///
    /// With no parts the value prints as `<redacted>` but is not masked in other text: the six
    /// digits of a pairing code appear in any timestamp.
    package init(_ value: Value, masking parts: [any SecretValue]) {
        self.value = value
        for part in parts { HeldSecrets.hold(part) }
    }

    /// Returns the secret, only to send it to its server or write it to a store.
    package func reveal() -> Value { value }
}

extension Redacted: Equatable where Value: Equatable {}
extension Redacted: Hashable where Value: Hashable {}

extension Redacted: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { SecretMask.replacement }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}

/// A value that can be secret: text or bytes.
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

/// The secrets that this process has held so far, for the mask of its messages and traces.
///
/// The one global list of argus, since a caller that had to pass it along could forget to.
package enum HeldSecrets {
    private struct State {
        var mask = SecretMask()
        // The mask gets them when it is used: most runs mask nothing, and adding a token is slow.
        var added: Set<[UInt8]> = []
    }

    private static let state = Mutex(State())

    /// Remembers a secret until the process ends.
    package static func hold(_ value: some SecretValue) {
        let secret = value.secretBytes
        state.withLock { _ = $0.added.insert(secret) }
    }

    fileprivate static func masking(_ text: String) -> String {
        let mask = state.withLock { state in
            for secret in state.added { state.mask.add(secret) }
            state.added = []
            return state.mask
        }
        return mask.masking(text)
    }
}

extension String {
    /// The text with held secrets masked, for what argus says: messages, traces, reasons of failures.
    package var masked: String { HeldSecrets.masking(self) }
}
