/// The tokens that an answer hands out in cookies (RFC 6265, section 5.2).
///
/// They are read once, where the body has no token; no cookie is kept or sent back by itself, since
/// servers believe a stale cookie before a fresh header (backend-facts 1).
struct TokenCookies {
    /// A token and the cookie that it came in.
    struct Token {
        var name: String
        var value: Redacted<String>
        /// Seconds, by `Max-Age`, else by `Expires` and the server's clock.
        var lifetime: Int?
    }

    private(set) var access: Token?
    private(set) var refresh: Token?

    /// Reads the `Set-Cookie` fields of an answer; of several cookies of a name the last one holds.
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
    /// Reads one field, such as `access_token=…; HttpOnly; Max-Age=86400; Path=/`.
    ///
    /// Nil for a cookie that is taken back, and for a value that is no token.
    fileprivate init?(_ field: String, serverTime: Timestamp?) {
        let parts = field.split(separator: ";", omittingEmptySubsequences: false)
            .map { part -> (name: Substring, value: Substring) in
                let equals = part.firstIndex(of: "=") ?? part.endIndex
                return (part[..<equals].trimmed, part[equals...].dropFirst().trimmed)
            }
        guard let (name, text) = parts.first else { return nil }
        var value = text
        if value.utf8.count >= 2, value.first == "\"", value.last == "\"" {
            value = value.dropFirst().dropLast()
        }
        // What a cookie's value may not hold although a token might (RFC 6265, section 4.1.1).
        guard SecretText.isToken(value), !value.utf8.contains(where: "\",;\\".utf8.contains)
        else { return nil }
        func attribute(_ wanted: String) -> Substring? {
            parts.dropFirst().last { String($0.name).equalsWithoutCase(wanted) }?.value
        }
        self.name = String(name)
        self.value = Redacted(String(value))
        if let seconds = attribute("max-age").flatMap({ Int($0) }) {
            lifetime = seconds
        } else if let end = attribute("expires").flatMap({ HTTPDate.parse(String($0)) }),
            let serverTime
        {
            lifetime = Int((end - serverTime).components.seconds)
        }
        if let lifetime, lifetime <= 0 { return nil }
    }
}

extension Substring {
    fileprivate var trimmed: Substring {
        var text = self
        while text.first == " " || text.first == "\t" { text.removeFirst() }
        while text.last == " " || text.last == "\t" { text.removeLast() }
        return text
    }
}
