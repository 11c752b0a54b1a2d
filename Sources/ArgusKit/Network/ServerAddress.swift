/// The base URL of a server's API: its origin and the path prefix of a reverse proxy.
package struct ServerAddress: Hashable, Sendable {
    package var origin: Origin
    /// Percent-encoded, such as `/argus`, without a trailing slash; usually empty.
    package private(set) var basePath: String

    package init(_ origin: Origin) {
        self.origin = origin
        self.basePath = ""
    }

    /// Parses an address as users type it.
    ///
    /// Accepts `https://cam.example`, `cam.local:8000`, `192.168.1.5`, `[fe80::1%25eth0]:8000` and
    /// `https://x.example/argus/`. The scheme defaults to https. The host becomes lower case;
    /// trailing slashes are dropped.
    /// - Throws: `ServerAddressError`, which never holds the text, since that may contain a
    ///   password.
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

    /// The request target: base path, segments and query, percent-encoded.
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

    /// The request target for a literal API path, such as `/api/v1/events`.
    ///
    /// The path is percent-encoded and begins with `/`.
    package func target(
        path: String, query: [(name: String, value: String)] = []
    ) -> String {
        let target = basePath + path
        return query.isEmpty ? target : "\(target)?\(PercentEncoding.query(query))"
    }

    /// Encodes a segment; `.` and `..` would act as steps in the path, encoded or not.
    private static func encode(segment: String) -> String {
        segment == "." || segment == ".."
            ? segment.map { _ in "%2E" }.joined() : PercentEncoding.encode(segment)
    }
}

extension ServerAddress: CustomStringConvertible {
    /// The address as a URL without a trailing slash; parsing it gives the same address.
    package var description: String { origin.description + basePath }
}

/// The reason why a text is not a server address.
package enum ServerAddressError: Error, Hashable, Sendable {
    case empty, tooLong, forbiddenCharacter, otherScheme, hasUser, hasQuery, hasFragment
    case badHost, badPort, badPath
}

extension ServerAddressError: CustomStringConvertible {
    /// The problem, worded for a usage error.
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
