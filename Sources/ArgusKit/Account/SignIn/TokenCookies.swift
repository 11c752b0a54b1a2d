import ArgusCore
import ArgusTransport

/// The tokens in the cookies of an answer (RFC 6265, section 5.2).
///
/// Used only if the body has no token; no cookie is kept or sent back, since servers prefer a stale
/// cookie to a fresh header (docs/compatibility.md, trap 2).
struct TokenCookies {
    /// A token and the name of its cookie.
    struct Token {
        var name: String
        var value: Redacted<String>
        /// The lifetime in seconds, from `Max-Age`, else from `Expires` and the server's clock.
        var lifetime: Int?
    }

    private(set) var access: Token?
    private(set) var refresh: Token?

    /// Parses the `Set-Cookie` fields of an answer; the last cookie of a name counts.
    init(_ headers: HTTPHeaders, serverTime: Timestamp?) {
        for field in headers.fields where field.name.equalsWithoutCase("set-cookie") {
            guard let token = Token(field.value, serverTime: serverTime) else { continue }
            switch token.name {
            case "access_token", "auth-token": access = token
            case "refresh_token": refresh = token
            default: break
            }
        }
    }
}

extension TokenCookies.Token {
    /// Parses one field, such as `access_token=…; HttpOnly; Max-Age=86400; Path=/`.
    ///
    /// Nil for a deleted cookie, and for a value that is not a token.
    fileprivate init?(_ field: String, serverTime: Timestamp?) {
        let parts = field.split(separator: ";", omittingEmptySubsequences: false)
            .map { part -> (name: String, value: String) in
                let equals = part.firstIndex(of: "=") ?? part.endIndex
                return (part[..<equals].trimmingBlanks, part[equals...].dropFirst().trimmingBlanks)
            }
        guard let (name, text) = parts.first else { return nil }
        var value = text[...]
        if value.utf8.count >= 2, value.first == "\"", value.last == "\"" {
            value = value.dropFirst().dropLast()
        }
        // A token may contain characters that a cookie may not (RFC 6265, section 4.1.1).
        guard SecretText.isToken(value), !value.utf8.contains(where: "\",;\\".utf8.contains)
        else { return nil }
        func attribute(_ wanted: String) -> String? {
            parts.dropFirst().last { $0.name.equalsWithoutCase(wanted) }?.value
        }
        self.name = name
        self.value = Redacted(String(value))
        if let seconds = attribute("max-age").flatMap({ Int($0) }) {
            lifetime = seconds
        } else if let end = attribute("expires").flatMap(HTTPDate.parse),
            let serverTime
        {
            lifetime = Int((end - serverTime).components.seconds)
        }
        if let lifetime, lifetime <= 0 { return nil }
    }
}
