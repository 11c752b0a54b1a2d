/// Reading the address of a server record, as far as records need it.
enum ServerAddressText {
    /// The address without slashes at its end.
    static func trimmed(_ address: String) -> String {
        var address = address[...]
        while address.hasSuffix("/"), !address.hasSuffix("://") { address.removeLast() }
        return String(address)
    }

    /// Scheme, host and port of an http or https URL (RFC 3986, section 3.2).
    static func origin(of address: String) -> Origin? {
        guard let separator = firstRange(of: "://", in: address),
            let scheme = Origin.Scheme(rawValue: address[..<separator.lowerBound].lowercased())
        else { return nil }
        let authority = address[separator.upperBound...].prefix { !"/?#".contains($0) }
        // A user name before `@` would show one host and reach another.
        guard !authority.contains("@") else { return nil }
        guard let (host, port) = split(authority), !host.isEmpty else { return nil }
        guard let port = port.isEmpty ? scheme.defaultPort : UInt16(port), port > 0 else {
            return nil
        }
        return Origin(scheme: scheme, host: host.lowercased(), port: port)
    }

    /// Whether two addresses lead to the same origin and path.
    static func areEqual(_ left: String, _ right: String) -> Bool {
        guard let origin = origin(of: left), origin == self.origin(of: right) else { return false }
        return path(of: left) == path(of: right)
    }

    private static func split(_ authority: Substring) -> (host: Substring, port: Substring)? {
        if authority.hasPrefix("[") {
            guard let end = authority.firstIndex(of: "]") else { return nil }
            let host = authority[authority.index(after: authority.startIndex)..<end]
            let rest = authority[authority.index(after: end)...]
            guard rest.isEmpty || rest.hasPrefix(":") else { return nil }
            return (host, rest.dropFirst())
        }
        let parts = authority.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count <= 2, let host = parts.first else { return nil }
        return (host, parts.count == 2 ? parts[1] : "")
    }

    private static func path(of address: String) -> Substring {
        guard let separator = firstRange(of: "://", in: address) else { return "" }
        let rest = trimmed(address)[separator.upperBound...]
        return rest.drop { $0 != "/" }
    }

    private static func firstRange(of word: String, in text: String) -> Range<String.Index>? {
        var start = text.startIndex
        while start < text.endIndex {
            if text[start...].hasPrefix(word) {
                return start..<text.index(start, offsetBy: word.count)
            }
            start = text.index(after: start)
        }
        return nil
    }
}
