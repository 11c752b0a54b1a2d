/// The bytes of one well-formed JSON text and the ends of its containers, which views share.
package final class JSONBuffer: Sendable {
    let bytes: [UInt8]
    /// One entry for each object and array, in the order in which they open.
    let containers: [JSONContainer]
    /// The text has blanks between tokens.
    let hasBlanks: Bool

    init(bytes: [UInt8], containers: [JSONContainer], hasBlanks: Bool) {
        self.bytes = bytes
        self.containers = containers
        self.hasBlanks = hasBlanks
    }
}

/// The end of an object or array, or its start and its parent's entry while it is open.
struct JSONContainer {
    /// The offset just after the closing bracket.
    var end: UInt32
    /// The entry of the first container that opens after this one closes.
    var next: UInt32
}

/// The reason why a text is not JSON, and the byte where it shows (RFC 8259).
package struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Reason: Hashable, Sendable {
        /// The text is empty or stops inside a value.
        case truncated
        case unexpectedByte
        /// More than `JSONError.depthLimit` nested objects and arrays.
        case tooDeep
        /// 2 GiB or more, or more than `JSONError.valueLimit` values.
        case tooLarge
    }

    package var reason: Reason
    /// The offset of the failure in bytes.
    package var offset: Int

    /// The maximum number of values in a text, to bound memory; a page of 500 events has 33,000.
    package static let valueLimit = 1 << 19

    /// The deepest nesting of objects and arrays.
    package static let depthLimit = 512

    /// A clause for an error message; it quotes none of the text.
    package var description: String {
        switch reason {
        case .truncated: "the JSON ends too early, after \(offset) bytes"
        case .unexpectedByte: "not JSON at byte \(offset)"
        case .tooDeep: "the JSON is nested more than \(Self.depthLimit) levels deep"
        case .tooLarge: "the JSON is too large"
        }
    }
}
