/// Names of header fields and query keys that are treated as secrets.
///
/// The list errs on the side of hiding.
package enum SecretNames {
    /// The members that carry issued secrets, which no text of the same answer may show.
    package static let given: Set<String> = [
        "access_token", "refresh_token", "token", "api_key", "key", "secret", "auth", "password",
        "current_password", "new_password", "push_token", "device_token",
    ]

    /// True if a header field, query key or JSON member with this name may hold a secret.
    package static func contains(_ name: String) -> Bool {
        let name = name.lowercased()
        return whole.contains(name) || parts.contains { name.contains($0) }
    }

    /// The target of a request or redirect, with secret query values and pairing codes masked.
    package static func masking(target: String) -> String {
        guard let mark = target.firstIndex(of: "?") else { return masking(path: target) }
        let pairs = target[target.index(after: mark)...].split(
            separator: "&", omittingEmptySubsequences: false)
        let masked = pairs.map { pair -> String in
            guard let equals = pair.firstIndex(of: "=") else { return String(pair) }
            let isSecret = contains(String(pair[..<equals]))
            return isSecret ? "\(pair[...equals])\(SecretMask.replacement)" : String(pair)
        }
        return masking(path: String(target[..<mark])) + "?" + masked.joined(separator: "&")
    }

    /// Masks pairing codes, which are the last segment of these paths.
    private static func masking(path: String) -> String {
        for folder in ["/mobile/auth/status/", "/mobile/auth/pending/"] {
            guard let end = path.indices.first(where: { path[$0...].hasPrefix(folder) }) else {
                continue
            }
            return path[..<end] + folder + SecretMask.replacement
        }
        return path
    }

    private static let whole: Set<String> = [
        "auth", "authorization", "code", "cookie", "endpoint", "link", "p256dh", "pairing_code",
        "pin", "proxy-authorization", "set-cookie", "sig",
    ]

    private static let parts = [
        "credential", "key", "otp", "passphrase", "password", "passwd", "secret", "session",
        "signature", "token",
    ]
}
