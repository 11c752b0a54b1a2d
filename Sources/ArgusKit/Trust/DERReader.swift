/// One element of DER: its tag, its content and its whole encoding (ITU-T X.690, section 10).
struct DERElement {
    var tag: UInt8
    var content: ArraySlice<UInt8>
    /// Tag, length and content.
    var whole: ArraySlice<UInt8>

    static let integer: UInt8 = 0x02
    static let objectIdentifier: UInt8 = 0x06
    static let utcTime: UInt8 = 0x17
    static let generalizedTime: UInt8 = 0x18
    static let sequence: UInt8 = 0x30
    static let set: UInt8 = 0x31
    /// `[0]`, constructed: the version before a certificate's fields.
    static let version: UInt8 = 0xA0

    /// The elements inside; nil if the content is not a sequence of whole elements.
    var children: [DERElement]? {
        var reader = DERReader(content)
        var elements: [DERElement] = []
        while !reader.isAtEnd {
            guard let element = reader.next() else { return nil }
            elements.append(element)
        }
        return elements
    }
}

/// Reads elements of DER one after the other, never beyond its bytes.
struct DERReader {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) {
        rest = bytes
    }

    var isAtEnd: Bool { rest.isEmpty }

    /// The next element; nil at the end, and for anything but DER with lengths below 2^24.
    mutating func next() -> DERElement? {
        var cursor = rest
        // Tags of several bytes do not occur in certificates.
        guard let tag = cursor.popFirst(), tag & 0x1F != 0x1F, let first = cursor.popFirst() else {
            return nil
        }
        var length = Int(first)
        if first >= 0x80 {
            let count = Int(first & 0x7F)
            guard (1...3).contains(count), cursor.count >= count else { return nil }
            length = cursor.prefix(count).reduce(0) { $0 << 8 | Int($1) }
            cursor = cursor.dropFirst(count)
        }
        guard cursor.count >= length else { return nil }
        let content = cursor.prefix(length)
        let whole = rest[rest.startIndex..<content.endIndex]
        rest = rest[content.endIndex...]
        return DERElement(tag: tag, content: content, whole: whole)
    }
}
