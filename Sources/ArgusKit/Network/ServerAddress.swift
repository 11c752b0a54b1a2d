/// Where a server's API begins: its origin and the path that a reverse proxy puts before it.
package struct ServerAddress: Hashable, Sendable {
    package var origin: Origin
    /// Percent-encoded, such as `/argus`, without a slash at its end; empty for most servers.
    package private(set) var basePath: String

    package init(_ origin: Origin) {
        self.origin = origin
        self.basePath = ""
    }

    /// Reads what a person types: `https://home.example`, `home.local:8000`, `192.168.1.5`,
    /// `[fe80::1%25eth0]:8000`, `https://x.example/argus/`.
    ///
    /// Without a scheme https is meant. The host becomes lower case; slashes at the end are dropped.
    ///
    /// - Throws: `ServerAddressError`; it never holds the text, which may contain a password.
    package init(parsing text: String) throws(ServerAddressError) {
        guard !text.isEmpty else { throw .empty }
        guard text.utf8.count <= 2048 else { throw .tooLong }
        guard text.unicodeScalars.allSatisfy({ !$0.isUnwelcomeInAddress }) else {
            throw .forbiddenCharacter
        }
        let (scheme, rest) = try Self.splitScheme(text)
        if rest.contains("?") { throw .hasQuery }
        if rest.contains("#") { throw .hasFragment }
        let slash = rest.firstIndex(of: "/") ?? rest.endIndex
        let authority = rest[..<slash]
        if authority.contains("@") { throw .hasUser }
        let (host, port) = try Self.splitPort(authority)
        origin = Origin(
            scheme: scheme, host: try Self.normalise(host),
            port: try port.map(Self.parsePort) ?? scheme.defaultPort)
        basePath = try Self.normalise(path: rest[slash...])
    }

    /// The target of a request: the base path, the segments and the query, percent-encoded.
    ///
    /// `target(["api", "v1", "events"], query: [("limit", "20")])` is `/api/v1/events?limit=20`.
    package func target(
        _ segments: [String], query: [(name: String, value: String)] = []
    ) -> String {
        var target = basePath
        for segment in segments { target += "/\(Self.encode(segment: segment))" }
        if segments.isEmpty { target += "/" }
        return query.isEmpty ? target : "\(target)?\(PercentEncoding.query(query))"
    }

    /// The target of a request for an API path that is written out, such as `/api/v1/events`; it is
    /// percent-encoded and begins with `/`.
    package func target(
        path: String, query: [(name: String, value: String)] = []
    ) -> String {
        let target = basePath + path
        return query.isEmpty ? target : "\(target)?\(PercentEncoding.query(query))"
    }

    /// A segment that is `.` or `..` would be taken for a step in the path, encoded or not.
    private static func encode(segment: String) -> String {
        segment == "." || segment == ".."
            ? segment.map { _ in "%2E" }.joined() : PercentEncoding.encode(segment)
    }
}

extension ServerAddress: CustomStringConvertible {
    /// The address as a URL without a slash at its end; parsing it gives the same address.
    package var description: String { origin.description + basePath }
}

/// Why a text is no address of a server.
package enum ServerAddressError: Error, Hashable, Sendable {
    case empty, tooLong, forbiddenCharacter, otherScheme, hasUser, hasQuery, hasFragment
    case badHost, badPort, badPath
}

extension ServerAddressError: CustomStringConvertible {
    /// What is wrong, in the words of a usage error.
    package var description: String {
        switch self {
        case .empty: "the server address is empty"
        case .tooLong: "the server address is too long"
        case .forbiddenCharacter: "the server address has blanks or control characters"
        case .otherScheme: "a server address begins with https:// or http://"
        case .hasUser: "a server address holds no user name or password"
        case .hasQuery: "a server address holds no '?'"
        case .hasFragment: "a server address holds no '#'"
        case .badHost: "the server address has no valid host name"
        case .badPort: "the port of a server address is a number from 1 to 65535"
        case .badPath: "the path of the server address is malformed"
        }
    }
}
