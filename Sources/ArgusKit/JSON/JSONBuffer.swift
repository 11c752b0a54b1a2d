/// The bytes of one well-formed JSON text, and where each of its containers ends.
///
/// Made by `JSONView.parse`; views share it, nothing is copied.
package final class JSONBuffer: Sendable {
    let bytes: [UInt8]
    /// One entry for each object and array, in the order in which they open.
    let containers: [JSONContainer]

    init(bytes: [UInt8], containers: [JSONContainer]) {
        self.bytes = bytes
        self.containers = containers
    }
}

/// What lets a reader step over an object or array without looking into it.
///
/// While the scanner is inside, the fields hold where it began and the entry around it, so that
/// the list is also the scanner's stack.
struct JSONContainer {
    /// The offset just after the closing bracket.
    var end: UInt32
    /// The entry of the first container that opens after this one has closed.
    var next: UInt32
}

/// Why a text is not JSON, and at which byte (RFC 8259).
package struct JSONError: Error, Hashable, Sendable {
    /// The ways in which a text can fail.
    package enum Reason: Hashable, Sendable {
        /// The text stops inside a value, or there is none.
        case truncated
        /// A byte that may not stand there.
        case unexpectedByte
        /// More than `JSONError.depthLimit` objects and arrays inside each other.
        case tooDeep
        /// 2 GiB or more, or more than `JSONError.valueLimit` values.
        case tooLarge
    }

    /// In which way it failed.
    package var reason: Reason
    /// Bytes before the place of the failure.
    package var offset: Int

    package init(reason: Reason, offset: Int) {
        self.reason = reason
        self.offset = offset
    }

    /// How many values a text may hold, so that what is made of a hostile one stays small.
    ///
    /// A page of 500 events has some 33,000.
    package static let valueLimit = 1 << 17

    /// How deep objects and arrays may be nested.
    package static let depthLimit = 512
}

extension JSONError: CustomStringConvertible {
    /// A part of a sentence, without any of the text.
    package var description: String {
        switch reason {
        case .truncated: "the JSON ends too early, after \(offset) bytes"
        case .unexpectedByte: "not JSON at byte \(offset)"
        case .tooDeep: "the JSON is nested more than \(Self.depthLimit) levels deep"
        case .tooLarge: "the JSON is too large"
        }
    }
}
