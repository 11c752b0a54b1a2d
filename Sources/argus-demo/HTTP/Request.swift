import FoundationEssentials

struct Request: Sendable {
    var method: Method
    /// Path and query as sent.
    var target: String
    /// The path with its percent escapes resolved, as the server's framework routes it.
    var path: String
    var query: [(name: String, value: String)]
    /// Names are in lower case.
    var headers: [(name: String, value: String)]
    var body: [UInt8]
    /// The address by which limits count.
    var peer: String
    var now: Moment
    /// The segments matched by the route's `{name}` patterns.
    var parameters: [String: String] = [:]
    /// The owner of the credentials; nil on open routes and for an API key.
    var user: User?
    /// The accepted access token.
    var token: String?

    init(
        method: Method, target: String, headers: [(name: String, value: String)] = [],
        body: [UInt8] = [], peer: String = "127.0.0.1", now: Moment
    ) {
        self.method = method
        self.target = target
        // In a query a plus is a blank.
        let escaped = target.replacing("+", with: "%20")
        let parts = URLComponents(string: escaped)
        path = parts?.path ?? ""
        query = (parts?.queryItems ?? []).map { ($0.name, $0.value ?? "") }
        self.headers = headers.map { ($0.name.lowercased(), $0.value) }
        self.body = body
        // The real server believes the header because its peer is the loopback address.
        let forwarded = self.headers.first { $0.name == "x-forwarded-for" }?.value
        self.peer = forwarded?.split(separator: ",").first?.filter { $0 != " " } ?? peer
        self.now = now
    }

    /// The value of a query parameter; the last of several, as in the framework.
    func queryValue(_ name: String) -> String? {
        query.last { $0.name == name }?.value
    }

    func field(_ name: String) -> Validation.Field {
        Validation.Field(text: queryValue(name), location: ["query", .text(name)])
    }

    /// The first header with this lower-case name.
    func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }

    func parameter(_ name: String) -> String { parameters[name] ?? "" }

    func cookie(_ name: String) -> String? {
        for header in headers where header.name == "cookie" {
            for pair in header.value.split(separator: ";") {
                let parts = pair.drop { $0 == " " }.split(separator: "=", maxSplits: 1)
                if parts.count == 2, parts[0] == name { return String(parts[1]) }
            }
        }
        return nil
    }
}

/// An HTTP method (RFC 9110, section 9).
struct Method: RawRepresentable, Hashable, Sendable {
    let rawValue: String

    static let GET = Method(rawValue: "GET")
    static let HEAD = Method(rawValue: "HEAD")
    static let POST = Method(rawValue: "POST")
    static let PUT = Method(rawValue: "PUT")
    static let DELETE = Method(rawValue: "DELETE")
}
