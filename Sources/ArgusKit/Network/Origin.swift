/// Scheme, host and port of a server: what a credential may be sent to (RFC 6454, section 4).
package struct Origin: Hashable, Sendable {
    /// The two schemes that argus speaks.
    package enum Scheme: String, Hashable, Sendable {
        case http, https

        /// The port that is meant when a URL names none.
        package var defaultPort: UInt16 { self == .http ? 80 : 443 }
    }

    package var scheme: Scheme
    /// A host name or address, lower case; an IPv6 address stands without brackets, a zone after
    /// a plain `%`.
    package var host: String
    package var port: UInt16

    package init(scheme: Scheme, host: String, port: UInt16) {
        self.scheme = scheme
        self.host = host
        self.port = port
    }
}

extension Origin: CustomStringConvertible {
    /// The origin as a URL without a path, the port only where it is not the scheme's own.
    package var description: String {
        port == scheme.defaultPort
            ? "\(scheme.rawValue)://\(hostInURL)" : "\(scheme.rawValue)://\(hostInURL):\(port)"
    }

    /// The host as a URL writes it: IPv6 in brackets, its zone after `%25` (RFC 6874).
    package var hostInURL: String {
        guard host.contains(":") else { return host }
        guard let percent = host.firstIndex(of: "%") else { return "[\(host)]" }
        return "[\(host[..<percent])%25\(host[host.index(after: percent)...])]"
    }
}
