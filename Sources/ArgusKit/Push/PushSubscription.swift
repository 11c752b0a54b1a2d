package import ArgusCore
internal import Crypto

/// The URL at which a push service accepts pushes for one receiver (RFC 8030, section 5).
package struct PushEndpoint: Hashable, Sendable {
    package let text: Redacted<String>
    /// True for an APNs token in the form of a URL (sign-in document).
    package let isAPNs: Bool

    private static let maxLength = 2048

    /// Parses `https://…`, `apns://HEX`, or plain http to this machine or a private network.
    /// - Throws: `PushFieldError`, which never shows the endpoint.
    package init(_ text: String) throws(PushFieldError) {
        func refused(_ reason: String) -> PushFieldError { PushFieldError("endpoint", reason) }
        guard !text.isEmpty else { throw refused("is empty") }
        guard text.utf8.count <= Self.maxLength else {
            throw refused("is longer than \(Self.maxLength) characters")
        }
        guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw refused("contains a space, a control or a non-ASCII character")
        }
        let lower = text.lowercased()
        if lower.hasPrefix("apns://") {
            let token = String(text.dropFirst(7))
            try PushToken.checkHex(token, "endpoint")
            self.text = Redacted("apns://" + token, masking: [token])
            isAPNs = true
            return
        }
        guard lower.hasPrefix("https://") || lower.hasPrefix("http://") else {
            throw refused("is not an https URL")
        }
        guard !text.contains("#") else { throw refused("has a fragment ('#')") }
        let start = lower.hasPrefix("https://") ? 8 : 7
        let authority = text.dropFirst(start).prefix { !"/?#".contains($0) }
        guard !authority.contains("@") else { throw refused("has a user name in it") }
        guard let address = try? ServerAddress(parsing: "\(text.prefix(start))\(authority)") else {
            throw refused("has no host that can be understood")
        }
        let origin = address.origin
        guard origin.scheme == .https || origin.isLoopback || origin.isBoundToNetwork else {
            throw refused("is plain http; only endpoints on your own network may be")
        }
        // The origin names the service; the rest is secret.
        let rest = String(text.dropFirst(start + authority.count))
        self.text = Redacted(text, masking: [rest])
        isAPNs = false
    }

    /// The endpoint without its secret part: `https://push.example/…a1b2`.
    package var shown: String { Self.shown(text.reveal()) }

    /// Returns an endpoint, perhaps shortened by a server or here, without its secret part.
    package static func shown(_ text: String) -> String {
        guard let scheme = text.firstRange(of: "://") else { return "…" }
        let path = text[scheme.upperBound...].firstIndex { "/?".contains($0) }
        guard let path, !text.hasPrefix("apns:") else {
            return text.hasPrefix("apns:") ? "apns://…" + text.suffix(4) : text
        }
        let rest = text[path...]
        if rest.hasPrefix("/…") { return text }
        return text[..<path] + "/…" + (rest.count > 8 ? rest.suffix(4) : "")
    }

    /// Returns a server's own object with its endpoints shortened, since the holder of a whole one
    /// can push to its receiver.
    package static func hidden(in view: JSONView) -> JSONView {
        view.replacing { member, value in member == "endpoint" ? value.string.map(shown) : nil }
    }

    /// Returns a server's text, such as an error, without the secret part of the endpoint.
    package func hidden(in text: String) -> String {
        let whole = self.text.reveal()
        guard let scheme = whole.firstRange(of: "://"),
            let path = whole[scheme.upperBound...].firstIndex(where: { "/?".contains($0) }),
            whole[path...].count > 1
        else { return text }
        return text.replacing(whole[path...], with: "/…")
    }

    /// Returns true for the endpoint in a server's row; long ones lose their middle.
    package func matches(listed: String?) -> Bool {
        let text = text.reveal()
        return listed == text
            || (text.count > 60 && listed == "\(text.prefix(30))...\(text.suffix(20))")
    }

    /// Parses the endpoint in a server's row; nil for one without its middle.
    package init?(listed: String) {
        let isShortened = listed.count == 53 && listed.dropFirst(30).hasPrefix("...")
        guard !isShortened, let endpoint = try? PushEndpoint(listed) else { return nil }
        self = endpoint
    }
}

/// The receiver's half of the keys of Web Push (RFC 8291, section 2).
package struct PushKeys: Hashable, Sendable {
    /// A point on P-256, uncompressed, in base64url without padding.
    package let p256dh: String
    /// 16 bytes, in base64url without padding.
    package let auth: Redacted<String>

    /// Parses both from base64 or base64url, padded or not.
    package init(p256dh: String, auth: String) throws(PushFieldError) {
        guard let point = Base64.decodeEitherAlphabet(p256dh) else {
            throw PushFieldError("p256dh key", "is not base64")
        }
        guard point.count == 65, point.first == 4 else {
            throw PushFieldError("p256dh key", "is not the 65 bytes of an uncompressed point")
        }
        guard (try? P256.KeyAgreement.PublicKey(x963Representation: point)) != nil else {
            throw PushFieldError("p256dh key", "is not a point on the curve P-256")
        }
        guard let secret = Base64.decodeEitherAlphabet(auth) else {
            throw PushFieldError("auth key", "is not base64")
        }
        guard secret.count == 16 else { throw PushFieldError("auth key", "does not have 16 bytes") }
        self.init(point: point, auth: secret)
    }

    /// The keys of a receiver on this machine; `auth` has 16 bytes.
    init(_ key: P256.KeyAgreement.PublicKey, auth: [UInt8]) {
        self.init(point: Array(key.x963Representation), auth: auth)
    }

    private init(point: [UInt8], auth secret: [UInt8]) {
        p256dh = Base64.encodeForURL(point)
        let text = Base64.encodeForURL(secret)
        auth = Redacted(text, masking: [text, secret])
    }
}

/// A Web Push subscription, in the one canonical shape.
///
///     {"id":"846d1c4d-…","user_id":null,"endpoint":"http://127.0.0.1:9777/push/argus-cli-1",
///      "user_agent":"argus-cli/0.1","created_at":"2026-11-20T23:36:48Z","last_used_at":null}
package struct PushSubscription: Sendable, Equatable {
    package var id: String?
    /// The endpoint as the server shows it, perhaps without its middle.
    package var endpoint: String?
    package var userAgent: String?
    package var createdAt: Timestamp?
    package var lastUsedAt: Timestamp?

    package init(id: String?, endpoint: String?) {
        self.id = id
        self.endpoint = endpoint
    }

    /// Decodes a row of the list or the answer to its creation; nil without id and endpoint.
    package init?(_ view: JSONView) {
        id = view["id"]?.string
        endpoint = view["endpoint"]?.string
        guard id != nil || endpoint != nil else { return nil }
        userAgent = view["user_agent"]?.string
        createdAt = view["created_at"]?.timestamp
        lastUsedAt = view["last_used_at"]?.timestamp
    }
}
