/// Which header fields and query keys are taken for secrets whatever their value's type says.
///
/// The list errs towards hiding: a trace that lacks a word costs a question, a leaked token an
/// account (contract section 6).
package enum SecretNames {
    /// What stands in a secret's place.
    package static let mask = SecretMask.replacement

    /// The members by which secrets are given, which no text of the same answer may show.
    static let given: Set<String> = [
        "access_token", "refresh_token", "token", "api_key", "key", "secret", "auth", "password",
        "current_password", "new_password", "push_token", "device_token",
    ]

    /// Whether a header field, query key or JSON member of that name may hold a secret.
    package static func contains(_ name: String) -> Bool {
        let name = name.lowercased()
        return whole.contains(name) || parts.contains { name.contains($0) }
    }

    /// The target of a request or a redirect with the values of secret query keys masked, and with
    /// the pairing code where it is a part of the path.
    package static func masking(target: String) -> String {
        guard let mark = target.firstIndex(of: "?") else { return masking(path: target) }
        let pairs = target[target.index(after: mark)...].split(
            separator: "&", omittingEmptySubsequences: false)
        let masked = pairs.map { pair -> String in
            guard let equals = pair.firstIndex(of: "=") else { return String(pair) }
            return contains(String(pair[..<equals])) ? "\(pair[...equals])\(mask)" : String(pair)
        }
        return masking(path: String(target[..<mark])) + "?" + masked.joined(separator: "&")
    }

    /// Servers take pairing codes as the last part of these paths (backend-facts 3).
    private static func masking(path: String) -> String {
        for folder in ["/mobile/auth/status/", "/mobile/auth/pending/"] {
            guard let end = path.indices.first(where: { path[$0...].hasPrefix(folder) }) else {
                continue
            }
            return path[..<end] + folder + mask
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
