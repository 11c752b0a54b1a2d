import FoundationEssentials

/// Pictures in answers of servers, which come as bare base64 or as a data URI (RFC 2397).
enum Base64 {
    /// The bytes of `data:image/jpeg;base64,…` or of bare base64; nil when it is neither.
    static func decodeDataURI(_ text: String) -> [UInt8]? {
        var payload = Substring(text)
        if payload.hasPrefix("data:"), let comma = payload.firstIndex(of: ",") {
            payload = payload[payload.index(after: comma)...]
        }
        guard !payload.isEmpty else { return nil }
        return Data(base64Encoded: String(payload)).map(Array.init)
    }
}
