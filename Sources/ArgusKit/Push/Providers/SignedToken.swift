import ArgusCore

/// A signed token in its compact form (RFC 7515, section 3.1; RFC 7519).
enum SignedToken {
    /// Makes a token of a header and claims, written as members of objects; nil if `sign` cannot sign it.
    static func make(
        header: (inout JSONWriter) -> Void, claims: (inout JSONWriter) -> Void,
        sign: ([UInt8]) -> [UInt8]?
    ) -> Redacted<String>? {
        let text =
            Base64.encodeForURL(JSONWriter.object(header)) + "."
            + Base64.encodeForURL(JSONWriter.object(claims))
        guard let signature = sign(Array(text.utf8)) else { return nil }
        return Redacted("\(text).\(Base64.encodeForURL(signature))")
    }
}
