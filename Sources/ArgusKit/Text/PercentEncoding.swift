/// Percent-encoding of the parts of a URL (RFC 3986, section 2).
package enum PercentEncoding {
    /// Encodes a path segment or a query's name or value: everything but unreserved characters.
    ///
    /// That includes `+`, which servers read as a blank in a query.
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

    /// Joins names and values to a query without its `?`, such as `limit=20&since=now`.
    package static func query(_ pairs: [(name: String, value: String)]) -> String {
        var query = ""
        for pair in pairs {
            if !query.isEmpty { query += "&" }
            query += "\(encode(pair.name))=\(encode(pair.value))"
        }
        return query
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
            guard let high = rest.popFirst().flatMap(value),
                let low = rest.popFirst().flatMap(value)
            else { return nil }
            bytes.append(high << 4 | low)
        }
        return String(validating: bytes, as: UTF8.self)
    }

    /// True for letters, digits and `-._~` (RFC 3986, section 2.3).
    static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default:
            "-._~".utf8.contains(byte)
        }
    }

    private static let hexDigits = Array("0123456789ABCDEF".utf8)

    private static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
