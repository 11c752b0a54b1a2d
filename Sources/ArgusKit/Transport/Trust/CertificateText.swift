/// Formats the parts of a certificate that users read; the text is not yet safe for a terminal.
enum CertificateText {
    /// The attributes of a name in their order, such as `CN=home, O=Example`.
    ///
    /// See RFC 5280, section 4.1.2.4.
    static func name(_ element: DERElement) -> String {
        let attributes = (element.children ?? []).flatMap { $0.children ?? [] }
        return attributes.compactMap { attribute in
            guard let pair = attribute.children, pair.count == 2,
                pair[0].tag == DERElement.objectIdentifier
            else { return nil }
            let value = String(decoding: pair[1].content, as: UTF8.self)
            return "\(label(Array(pair[0].content)))=\(value)"
        }.joined(separator: ", ")
    }

    /// A validity time as `2026-11-20 22:00:05 UTC` (RFC 5280, section 4.1.2.5); nil if malformed.
    static func time(_ element: DERElement) -> String? {
        var digits = String(decoding: element.content, as: UTF8.self)
        guard digits.hasSuffix("Z"), digits.dropLast().utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else {
            return nil
        }
        digits.removeLast()
        switch (element.tag, digits.utf8.count) {
        // Two-digit years below 50 belong to this century.
        case (DERElement.utcTime, 12): digits = (digits < "50" ? "20" : "19") + digits
        case (DERElement.generalizedTime, 14): break
        default: return nil
        }
        let parts = Array(digits)
        func field(_ range: Range<Int>) -> String { String(parts[range]) }
        return "\(field(0..<4))-\(field(4..<6))-\(field(6..<8)) "
            + "\(field(8..<10)):\(field(10..<12)):\(field(12..<14)) UTC"
    }

    private static func label(_ identifier: [UInt8]) -> String {
        switch identifier {
        case [0x55, 0x04, 0x03]: "CN"
        case [0x55, 0x04, 0x06]: "C"
        case [0x55, 0x04, 0x07]: "L"
        case [0x55, 0x04, 0x08]: "ST"
        case [0x55, 0x04, 0x0A]: "O"
        case [0x55, 0x04, 0x0B]: "OU"
        default: "?"
        }
    }
}
