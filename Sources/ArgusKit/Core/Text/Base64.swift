import FoundationEssentials

/// Base64 in the variants that servers and users write (RFC 4648, RFC 2397).
package enum Base64 {
    /// The bytes of `data:image/jpeg;base64,…` or of bare base64; nil if the text is neither.
    package static func decodeDataURI(_ text: String) -> [UInt8]? {
        var payload = Substring(text)
        if payload.hasPrefix("data:"), let comma = payload.firstIndex(of: ",") {
            payload = payload[payload.index(after: comma)...]
        }
        guard !payload.isEmpty else { return nil }
        return Data(base64Encoded: String(payload)).map(Array.init)
    }

    /// The bytes of base64 or base64url, padded or not; nil for anything else, blanks included.
    package static func decodeEitherAlphabet(_ text: String) -> [UInt8]? {
        let body = text.utf8.reversed().drop { $0 == UInt8(ascii: "=") }
        let padding = text.utf8.count - body.count
        guard !body.isEmpty, padding <= 2, padding == 0 || text.utf8.count % 4 == 0 else {
            return nil
        }
        var letters = body.reversed().map { byte -> UInt8 in
            switch byte {
            case UInt8(ascii: "-"): UInt8(ascii: "+")
            case UInt8(ascii: "_"): UInt8(ascii: "/")
            default: byte
            }
        }
        while letters.count % 4 != 0 { letters.append(UInt8(ascii: "=")) }
        return Data(base64Encoded: Data(letters)).map(Array.init)
    }

    /// Base64 with padding, on one line (RFC 4648, section 4).
    package static func encode(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }

    /// Base64url without padding (RFC 4648, section 5).
    package static func encodeForURL(_ bytes: [UInt8]) -> String {
        let letters = Data(bytes).base64EncodedData().compactMap { letter -> UInt8? in
            switch letter {
            case UInt8(ascii: "+"): UInt8(ascii: "-")
            case UInt8(ascii: "/"): UInt8(ascii: "_")
            case UInt8(ascii: "="): nil
            default: letter
            }
        }
        return String(decoding: letters, as: UTF8.self)
    }
}
