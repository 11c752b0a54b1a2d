/// Percent-encoding of the parts of a URL (RFC 3986, section 2).
package enum PercentEncoding {
    /// Encodes a path segment or a part of a query: all but unreserved characters, so `+` too.
    package static func encode(_ text: some StringProtocol) -> String {
        var encoded: [UInt8] = []
        encoded.reserveCapacity(text.utf8.count)
        for byte in text.utf8 {
            if isUnreserved(byte) {
                encoded.append(byte)
            } else {
                encoded += [
                    UInt8(ascii: "%"), hexDigits[Int(byte >> 4)], hexDigits[Int(byte & 15)],
                ]
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }

    /// Encodes only the blanks and the letters beyond ASCII of a target, as browsers do.
    package static func encodeForeign(_ target: String) -> String {
        target.unicodeScalars.map { scalar in
            ("!"..."~").contains(scalar) ? String(scalar) : encode(String(scalar))
        }.joined()
    }

    /// Joins names and values to a query without its `?`, such as `limit=20&since=now`.
    package static func query(_ pairs: [(name: String, value: String)]) -> String {
        pairs.map { "\(encode($0.name))=\(encode($0.value))" }.joined(separator: "&")
    }

    /// Replaces every `%XX` by its byte; nil if one is malformed or the bytes are not UTF-8.
    package static func decode(_ text: some StringProtocol) -> String? {
        var bytes: [UInt8] = []
        var rest = Substring(text).utf8
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst()?.hexDigitValue,
                let low = rest.popFirst()?.hexDigitValue
            else { return nil }
            bytes.append(high << 4 | low)
        }
        return String(validating: bytes, as: UTF8.self)
    }

    /// True for letters, digits and `-._~` (RFC 3986, section 2.3).
    static func isUnreserved(_ byte: UInt8) -> Bool {
        byte.isASCIIAlphanumeric || "-._~".utf8.contains(byte)
    }

    private static let hexDigits = Array("0123456789ABCDEF".utf8)
}
