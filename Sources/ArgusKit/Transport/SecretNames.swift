/// Which header fields and query keys are taken for secrets whatever their value's type says.
///
/// The list errs towards hiding: a trace that lacks a word costs a question, a leaked token an
/// account (contract section 6).
package enum SecretNames {
    /// What stands in a secret's place.
    package static let mask = "<redacted>"

    /// Whether a header field, query key or JSON member of that name may hold a secret.
    package static func contains(_ name: String) -> Bool {
        let name = name.lowercased()
        return whole.contains(name) || parts.contains { name.contains($0) }
    }

    /// The target of a request or a redirect with the values of secret query keys masked.
    package static func masking(target: String) -> String {
        guard let mark = target.firstIndex(of: "?") else { return target }
        let pairs = target[target.index(after: mark)...].split(
            separator: "&", omittingEmptySubsequences: false)
        let masked = pairs.map { pair -> String in
            guard let equals = pair.firstIndex(of: "=") else { return String(pair) }
            return contains(String(pair[..<equals])) ? "\(pair[...equals])\(mask)" : String(pair)
        }
        return target[...mark] + masked.joined(separator: "&")
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
