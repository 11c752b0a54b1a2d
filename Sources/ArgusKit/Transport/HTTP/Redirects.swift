import ArgusCore

extension HTTPResponse {
    /// True for the statuses of RFC 9110, section 15.4, that name another address.
    var isRedirect: Bool { [301, 302, 303, 307, 308].contains(status) }
}

extension HTTPRequest {
    /// The request that a redirect asks for: GET only, never to plain http, and without the user's
    /// data to another origin.
    /// - Throws: `.redirectRefused`, without the target's path, which may contain a token.
    func redirected(by response: HTTPResponse) throws(TransportError) -> HTTPRequest {
        guard let location = response.headers["Location"] else {
            throw .refusedRedirect("the server redirects without an address")
        }
        guard let next = RedirectTarget(location, from: origin, target) else {
            throw .refusedRedirect("the server redirects to a malformed address")
        }
        guard method == .get else {
            let place = next.origin == origin ? "" : " to \(next.origin)"
            throw .refusedRedirect("the server redirects a \(method.rawValue)\(place)")
        }
        var request = self
        request.origin = next.origin
        request.target = next.target
        guard next.origin != origin else { return request }

        // Any other field may be a credential or the user's own.
        request.headers.removeAll { header in
            !Self.carriedFields.contains { header.name.equalsWithoutCase($0) }
        }
        request.headers = request.headers.map(\.withoutDevice)
        request.proof = try proof(forHopTo: next.origin)
        return request
    }

    private func proof(forHopTo next: Origin) throws(TransportError) -> ServerProof {
        if next.scheme == .https {
            return ServerProof(
                .publicCertificate(authorities: nil), avoidsProxies: proof.avoidsProxies)
        }
        // Plain http is allowed to this machine, but no other machine may redirect there.
        guard origin.scheme == .http, origin.isLoopback, next.isLoopback else {
            throw .refusedRedirect("the server redirects to plain http")
        }
        return ServerProof(.plain, avoidsProxies: true)
    }

    private static var carriedFields: [String] {
        ["Accept", "Accept-Language", "User-Agent", "Range", "If-Range"]
    }
}

extension HTTPHeader {
    /// The field with the name and version of the program, but not its device.
    fileprivate var withoutDevice: HTTPHeader {
        guard name.equalsWithoutCase("User-Agent"), case .plain(let text) = value else {
            return self
        }
        return HTTPHeader(name, String(text.prefix { $0 != " " }))
    }
}

extension TransportError {
    /// The failure of a hop to another origin, after a request that has been sent.
    func of(_ other: Origin) -> TransportError {
        var error = self
        error.redirectedTo = other
        error.nothingSent = false
        return error
    }

    static func refusedRedirect(_ words: String) -> TransportError {
        TransportError(.redirectRefused, words)
    }
}

/// The target of a `Location` field (RFC 3986, section 5).
struct RedirectTarget: Hashable {
    var origin: Origin
    /// Path and query, percent-encoded, beginning with `/`.
    var target: String

    /// Resolves an absolute or relative reference and drops its fragment; nil if it is malformed, has
    /// a user name, or a scheme other than http and https.
    init?(_ location: String, from base: Origin, _ baseTarget: String) {
        guard location.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
        else { return nil }
        var rest = location.prefix { $0 != "#" }
        origin = base

        if let scheme = Self.takeScheme(&rest) {
            guard let scheme = Origin.Scheme(rawValue: scheme), rest.hasPrefix("//") else {
                return nil
            }
            origin.scheme = scheme
        }
        let hasAuthority = rest.hasPrefix("//")
        if hasAuthority {
            rest = rest.dropFirst(2)
            let authority = rest.prefix { $0 != "/" && $0 != "?" }
            rest = rest[authority.endIndex...]
            let address = "\(origin.scheme.rawValue)://\(authority)"
            guard let named = try? ServerAddress(parsing: address) else { return nil }
            origin = named.origin
        }
        let (path, query) = Self.splitQuery(rest)
        let (basePath, baseQuery) = Self.splitQuery(baseTarget[...])
        let resolved: (path: String, query: Substring?) =
            if path.isEmpty, !hasAuthority {
                (String(basePath), query ?? baseQuery)
            } else if path.hasPrefix("/") || hasAuthority {
                (Self.removingDotSegments(path), query)
            } else {
                (Self.removingDotSegments(Self.directory(of: basePath) + path), query)
            }
        let tail = resolved.query.map { "?\($0)" } ?? ""
        target = PercentEncoding.encodeForeign(
            (resolved.path.isEmpty ? "/" : resolved.path) + tail)
    }

    /// Removes `scheme:` and returns it in lower case (RFC 3986, section 3.1).
    private static func takeScheme(_ text: inout Substring) -> String? {
        guard let colon = text.firstIndex(of: ":") else { return nil }
        let scheme = text[..<colon]
        guard let first = scheme.first, first.isASCII, first.isLetter,
            scheme.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) })
        else { return nil }
        text = text[text.index(after: colon)...]
        return scheme.lowercased()
    }

    private static func splitQuery(_ text: Substring) -> (path: Substring, query: Substring?) {
        guard let mark = text.firstIndex(of: "?") else { return (text, nil) }
        return (text[..<mark], text[text.index(after: mark)...])
    }

    /// The path up to its last slash (RFC 3986, section 5.2.3).
    private static func directory(of path: Substring) -> Substring {
        guard let slash = path.lastIndex(of: "/") else { return "/" }
        return path[...slash]
    }

    /// The path without `.` and `..` (RFC 3986, section 5.2.4).
    private static func removingDotSegments(_ path: Substring) -> String {
        var kept: [Substring] = []
        let segments = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        for (index, segment) in segments.enumerated() {
            if segment == ".." { _ = kept.popLast() }
            if segment != ".", segment != ".." {
                kept.append(segment)
            } else if index == segments.count - 1 {
                kept.append("")
            }
        }
        return "/" + kept.joined(separator: "/")
    }
}
