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
    /// `[0]`, constructed: the version before a certificate's fields.
    static let version: UInt8 = 0xA0

    /// The elements inside; nil if the content is not a sequence of whole elements.
    var children: [DERElement]? { Self.all(in: content) }

    /// The successive elements of some bytes; nil if they are anything else.
    static func all(in bytes: ArraySlice<UInt8>) -> [DERElement]? {
        var rest = bytes
        var elements: [DERElement] = []
        while !rest.isEmpty {
            guard let element = DERElement(beginning: rest) else { return nil }
            elements.append(element)
            rest = rest[element.whole.endIndex...]
        }
        return elements
    }

    /// Reads the first element; nil for anything but DER with a length below 2^24.
    private init?(beginning bytes: ArraySlice<UInt8>) {
        var cursor = bytes
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
        self.tag = tag
        content = cursor.prefix(length)
        whole = bytes[..<content.endIndex]
    }
}
