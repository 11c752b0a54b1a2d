/// Where a `Location` field points to, seen from the request it answers (RFC 3986, section 5).
struct RedirectTarget: Hashable {
    var origin: Origin
    /// Path and query, percent-encoded, beginning with `/`.
    var target: String

    /// Resolves a reference, absolute or relative; its fragment is dropped.
    ///
    /// Nil when it is malformed, holds a user name, or has another scheme than http and https.
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
            guard let named = Self.origin(origin.scheme, authority) else { return nil }
            origin = named
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
        target = Self.encodingForeign((resolved.path.isEmpty ? "/" : resolved.path) + tail)
    }

    /// Takes `scheme:` from the front, lower-cased (RFC 3986, section 3.1).
    private static func takeScheme(_ text: inout Substring) -> String? {
        guard let colon = text.firstIndex(of: ":") else { return nil }
        let scheme = text[..<colon]
        guard let first = scheme.first, first.isASCII, first.isLetter,
            scheme.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) })
        else { return nil }
        text = text[text.index(after: colon)...]
        return scheme.lowercased()
    }

    private static func origin(_ scheme: Origin.Scheme, _ authority: Substring) -> Origin? {
        let text = "\(scheme.rawValue)://\(authority)"
        return (try? ServerAddress(parsing: text))?.origin
    }

    private static func splitQuery(_ text: Substring) -> (path: Substring, query: Substring?) {
        guard let mark = text.firstIndex(of: "?") else { return (text, nil) }
        return (text[..<mark], text[text.index(after: mark)...])
    }

    /// The path up to its last slash, which a relative path follows (RFC 3986, section 5.2.3).
    private static func directory(of path: Substring) -> Substring {
        guard let slash = path.lastIndex(of: "/") else { return "/" }
        return path[...slash]
    }

    /// The path without `.` and `..` (RFC 3986, section 5.2.4).
    private static func removingDotSegments(_ path: Substring) -> String {
        var kept: [Substring] = []
        let segments = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        for (index, segment) in segments.enumerated() {
            let isLast = index == segments.count - 1
            switch segment {
            case ".":
                if isLast { kept.append("") }
            case "..":
                _ = kept.popLast()
                if isLast { kept.append("") }
            default:
                kept.append(segment)
            }
        }
        return "/" + kept.joined(separator: "/")
    }

    /// Encodes what may not stand in a URL, as browsers do for blanks and letters beyond ASCII.
    private static func encodingForeign(_ target: String) -> String {
        target.utf8.allSatisfy { (0x21...0x7E).contains($0) }
            ? target
            : target.unicodeScalars.map { scalar in
                ("!"..."~").contains(scalar)
                    ? String(scalar) : PercentEncoding.encode(String(scalar))
            }.joined()
    }
}
