/// Scheme, host and port of a server: the scope of a credential (RFC 6454, section 4).
package struct Origin: Hashable, Sendable {
    /// The two supported schemes.
    package enum Scheme: String, Hashable, Sendable {
        case http, https

        /// The port of a URL that names none.
        package var defaultPort: UInt16 { self == .http ? 80 : 443 }
    }

    package var scheme: Scheme
    /// A host name or address in lower case.
    ///
    /// An IPv6 address has no brackets; a zone follows a plain `%`.
    package var host: String
    package var port: UInt16

    package init(scheme: Scheme, host: String, port: UInt16) {
        self.scheme = scheme
        self.host = host
        self.port = port
    }
}

extension Origin: CustomStringConvertible {
    /// The origin as a URL without a path; the scheme's default port is omitted.
    package var description: String {
        port == scheme.defaultPort
            ? "\(scheme.rawValue)://\(hostInURL)" : "\(scheme.rawValue)://\(hostInURL):\(port)"
    }

    /// The host as a URL writes it: IPv6 in brackets, a zone after `%25` (RFC 6874).
    package var hostInURL: String {
        guard host.contains(":") else { return host }
        guard let percent = host.firstIndex(of: "%") else { return "[\(host)]" }
        return "[\(host[..<percent])%25\(host[host.index(after: percent)...])]"
    }
}
