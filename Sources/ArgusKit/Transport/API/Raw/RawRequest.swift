package import ArgusCore

/// A request written by the user: any route, any method.
package struct RawRequest: Sendable {
    package var method: HTTPRequest.Method
    /// Path and query below the server's address, percent-encoded, beginning with `/`.
    package var target: String
    /// Fields that are added to argus's own, or replace them.
    package var headers: [HTTPHeader] = []
    package var body: HTTPRequest.Body?

    package init(_ method: HTTPRequest.Method, _ target: String) {
        self.method = method
        self.target = target
    }

    /// True if the request presents other credentials, as a sign-in does.
    package var signsIn: Bool {
        let path = target.prefix { $0 != "?" }
        return ["login", "refresh", "exchange", "verify"].contains { path.hasSuffix("/auth/\($0)") }
    }

    /// Adds names and values to the query.
    package mutating func addQuery(_ pairs: [(name: String, value: String)]) {
        guard !pairs.isEmpty else { return }
        target += (target.contains("?") ? "&" : "?") + PercentEncoding.query(pairs)
    }

    /// Sets a name of the query to a value, and replaces its earlier ones.
    package mutating func setQuery(_ name: String, to value: String) {
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let pairs = (parts.count > 1 ? parts[1] : "").split(separator: "&").filter {
            PercentEncoding.decode($0.prefix { $0 != "=" }) != name
        }
        target =
            parts[0] + "?"
            + (pairs + [PercentEncoding.query([(name, value)])[...]])
            .joined(separator: "&")
    }

    /// The value of a name in the query.
    package func query(_ name: String) -> String? {
        guard let mark = target.firstIndex(of: "?") else { return nil }
        for pair in target[target.index(after: mark)...].split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if PercentEncoding.decode(parts[0]) == name {
                return PercentEncoding.decode(parts.count > 1 ? parts[1] : "")
            }
        }
        return nil
    }

    /// The target for a path as users write it: `/x` and `api/x` are below the server's address,
    /// `x` is below its `/api/v1`, and a URL must be on this server.
    /// - Returns: Nil for a URL of another server or one written differently from the address, and
    ///   for a path with a `#`.
    package static func target(_ path: String, at address: ServerAddress) -> String? {
        guard !path.contains("#") else { return nil }
        if path.prefix(while: { $0 != "?" }).contains("://") {
            let root = address.description
            guard path.hasPrefix(root),
                let found = try? ServerAddress(parsing: String(path.prefix { $0 != "?" })),
                found.origin == address.origin
            else { return nil }
            let below = path.dropFirst(root.count)
            guard let next = below.first else { return "/" }
            return next == "/" ? PercentEncoding.encodeForeign(String(below)) : nil
        }
        if path.hasPrefix("/") { return PercentEncoding.encodeForeign(path) }
        return PercentEncoding.encodeForeign((path.hasPrefix("api/") ? "/" : "/api/v1/") + path)
    }
}

extension APIClient {
    /// Sends a request unchanged; returns an answer of any status, and passes a good body to
    /// `receive` in pieces.
    package func send(
        _ raw: RawRequest, receive: BodyReceiver? = nil
    ) async throws(APIError) -> HTTPResponse {
        var request = httpRequest(RouteRequest(raw.method, "/"))
        request.target = address.basePath + raw.target
        request.body = raw.body
        request.headers.removeAll { header in
            raw.headers.contains { $0.name.equalsWithoutCase(header.name) }
        }
        request.headers += raw.headers
        request.isForeign = { answer in
            // The user may ask for what is not JSON.
            !(200..<300).contains(answer.status)
                && APIError(answer: answer, to: raw.method).isForeign
        }
        if receive != nil {
            // The limit on time without a byte applies.
            request.deadlines.total = nil
            request.limits.body = .max / 2
        }
        return try await rethrowing(
            awaiting: try await transport.send(request, receive: receive),
            as: APIError.init(transport:))
    }
}
