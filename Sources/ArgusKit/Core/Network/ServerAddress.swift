import Glibc

/// The base URL of a server's API: its origin and the path prefix of a reverse proxy.
package struct ServerAddress: Hashable, Sendable, CustomStringConvertible {
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
    /// `https://x.example/argus/`, by default as https.
    /// - Throws: `ServerAddressError`, which never holds the text: it may contain a password.
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

    /// The same host, port and path by plain http.
    package var asPlainHTTP: ServerAddress {
        var address = self
        address.origin.scheme = .http
        return address
    }

    /// The request target: base path, segments and query, percent-encoded.
    ///
    /// `target(["api", "v1", "events"], query: [("limit", "20")])` is `/api/v1/events?limit=20`.
    package func target(
        _ segments: [String], query: [(name: String, value: String)] = []
    ) -> String {
        let target = basePath + "/" + segments.map(Self.encode(segment:)).joined(separator: "/")
        return query.isEmpty ? target : "\(target)?\(PercentEncoding.query(query))"
    }

    /// Encodes a segment; `.` and `..` would be steps in the path.
    private static func encode(segment: String) -> String {
        segment == "." || segment == ".."
            ? segment.map { _ in "%2E" }.joined() : PercentEncoding.encode(segment)
    }

    /// The address as a URL without a trailing slash; parsing it gives the same address.
    package var description: String { origin.description + basePath }

    /// Splits off the scheme; `server:8000` has none, since a port is not a path.
    static func splitScheme(
        _ text: String
    ) throws(ServerAddressError) -> (Origin.Scheme, Substring) {
        guard let mark = text.firstRange(of: "://") else {
            guard !text.hasPrefix("/"), !looksLikeOtherScheme(text) else { throw .otherScheme }
            return (.https, text[...])
        }
        // A path may contain `://` too; the scheme comes first.
        guard let scheme = Origin.Scheme(rawValue: text[..<mark.lowerBound].lowercased()) else {
            throw .otherScheme
        }
        return (scheme, text[mark.upperBound...])
    }

    /// True for `mailto:someone` or `https:server`, where no port follows the colon.
    private static func looksLikeOtherScheme(_ text: String) -> Bool {
        guard !text.hasPrefix("["), let colon = text.firstIndex(of: ":") else { return false }
        let word = text[..<colon].lowercased()
        return Origin.Scheme(rawValue: word) != nil
            || ["file", "ftp", "mailto", "ws", "wss"].contains(word)
    }

    /// Splits an authority into the host, without brackets, and the text of the port.
    static func splitPort(
        _ authority: Substring
    ) throws(ServerAddressError) -> (host: Substring, port: Substring?) {
        if authority.hasPrefix("[") {
            guard let end = authority.firstIndex(of: "]") else { throw .badHost }
            let host = authority[authority.startIndex..<authority.index(after: end)]
            let rest = authority[authority.index(after: end)...]
            guard !rest.isEmpty else { return (host, nil) }
            guard rest.hasPrefix(":") else { throw .badHost }
            return (host, rest.dropFirst())
        }
        let parts = authority.split(separator: ":", omittingEmptySubsequences: false)
        // More colons mean an IPv6 address without brackets, whose port would be ambiguous.
        guard parts.count <= 2, let host = parts.first else { throw .badHost }
        return (host, parts.count == 2 ? parts[1] : nil)
    }

    static func parsePort(_ text: Substring) throws(ServerAddressError) -> UInt16 {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let port = UInt16(text), port > 0
        else { throw .badPort }
        return port
    }

    static func normalise(_ host: Substring) throws(ServerAddressError) -> String {
        host.hasPrefix("[")
            ? try normalise(address6: host.dropFirst().dropLast()) : try normalise(name: host)
    }

    /// Normalises an IPv6 address; in a URL the zone follows `%25`, but users write `%` (RFC 6874).
    private static func normalise(address6 text: Substring) throws(ServerAddressError) -> String {
        let parts = text.split(separator: "%", maxSplits: 1, omittingEmptySubsequences: false)
        var bytes = [UInt8](repeating: 0, count: 16)
        guard let address = parts.first, inet_pton(AF_INET6, String(address), &bytes) == 1 else {
            throw .badHost
        }
        guard parts.count == 2 else {
            guard !HostAddress.v6(bytes).isLinkLocal else { throw .linkLocalWithoutInterface }
            return address.lowercased()
        }
        let zone = parts[1].hasPrefix("25") ? parts[1].dropFirst(2) : parts[1]
        guard !zone.isEmpty, zone.utf8.count < 16,
            zone.utf8.allSatisfy({ PercentEncoding.isUnreserved($0) })
        else { throw .badHost }
        return "\(address.lowercased())%\(zone)"
    }

    /// Normalises a name or an IPv4 address; names beyond ASCII stay, since libcurl encodes them.
    private static func normalise(name text: Substring) throws(ServerAddressError) -> String {
        let name = text.lowercased()
        guard !name.isEmpty, name.utf8.count <= 253 else { throw .badHost }
        let labels = name.split(separator: ".", omittingEmptySubsequences: false)
        // A trailing dot is legal: it marks a fully qualified name.
        let inner = labels.count > 1 && labels.last == "" ? labels.dropLast() : labels[...]
        guard inner.allSatisfy(isLabel) else { throw .badHost }
        // Resolvers read `127.1` and `0x7f000001` as addresses, which no user expects.
        if let last = inner.last, looksNumeric(last) {
            guard case .v4 = HostAddress(name) else { throw .badHost }
        }
        return name
    }

    private static func isLabel(_ label: Substring) -> Bool {
        !label.isEmpty && label.utf8.count <= 63 && !label.hasPrefix("-") && !label.hasSuffix("-")
            && label.unicodeScalars.allSatisfy { scalar in
                scalar == "-" || scalar == "_" || scalar.isLetterOrDigitInName
            }
    }

    /// True if a resolver would read the last label as part of a number.
    private static func looksNumeric(_ label: Substring) -> Bool {
        let isHex = label.hasPrefix("0x") && label.dropFirst(2).allSatisfy(\.isHexDigit)
        return isHex || label.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }

    /// Removes trailing slashes and percent-encodes characters that a path may not contain.
    static func normalise(path text: Substring) throws(ServerAddressError) -> String {
        var path = text
        while path.hasSuffix("/") { path = path.dropLast() }
        guard PercentEncoding.decode(path) != nil else { throw .badPath }
        let segments = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        var normal = ""
        for segment in segments {
            let plain = PercentEncoding.decode(segment)
            guard let plain, !plain.isEmpty, plain != ".", plain != "..",
                plain.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
            else { throw .badPath }
            normal += "/" + encodeKeepingEscapes(segment)
        }
        return normal
    }

    private static func encodeKeepingEscapes(_ segment: Substring) -> String {
        segment.split(separator: "%", omittingEmptySubsequences: false)
            .map { PercentEncoding.encode($0) }.joined(separator: "%")
    }
}

/// The reason why a text is not a server address.
package enum ServerAddressError: Error, Hashable, Sendable, CustomStringConvertible {
    case empty, tooLong, forbiddenCharacter, otherScheme, hasUser, hasQuery, hasFragment
    case badHost, badPort, badPath
    /// Every interface may have the address.
    case linkLocalWithoutInterface

    /// The problem, worded for a usage error.
    package var description: String {
        switch self {
        case .empty: "the server address is empty"
        case .tooLong: "the server address is too long"
        case .forbiddenCharacter: "the server address has blanks or control characters"
        case .otherScheme: "a server address begins with https:// or http://"
        case .hasUser: "a server address must not contain a user name or password"
        case .hasQuery: "a server address must not contain '?'"
        case .hasFragment: "a server address must not contain '#'"
        case .badHost: "the server address has no valid host name"
        case .badPort: "the port of a server address is a number from 1 to 65535"
        case .badPath: "the path of the server address is malformed"
        case .linkLocalWithoutInterface:
            "a link-local address needs its interface, such as [fe80::1%eth0]"
        }
    }
}

extension Unicode.Scalar {
    /// True for characters that can disguise an address: blanks, controls, bidi and invisible ones.
    var isUnwelcomeInAddress: Bool {
        switch properties.generalCategory {
        case .control, .format, .surrogate, .spaceSeparator, .lineSeparator, .paragraphSeparator:
            true
        default:
            self == "\\"
        }
    }

    /// True if a host name may contain the character.
    ///
    /// Wide forms of ASCII are excluded: IDNA would turn them into another, plain name (UTS 46).
    fileprivate var isLetterOrDigitInName: Bool {
        switch properties.generalCategory {
        case .lowercaseLetter, .modifierLetter, .otherLetter, .nonspacingMark, .spacingMark,
            .decimalNumber:
            !("\u{FF00}"..."\u{FFEF}").contains(self)
        default:
            false
        }
    }
}
