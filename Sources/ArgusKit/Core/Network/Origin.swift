import Glibc

/// Scheme, host and port of a server: the scope of a credential (RFC 6454, section 4).
package struct Origin: Hashable, Sendable, CustomStringConvertible {
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

    /// The host as a URL writes it, and the port, even a default one.
    package var hostAndPort: String { "\(hostInURL):\(port)" }

    /// True if the host can only be this machine: 127.0.0.0/8, `::1`, and `localhost` and
    /// `*.localhost`, which the transport never looks up in DNS.
    package var isLoopback: Bool { isLocalhostName || HostAddress(host)?.isLoopback == true }

    /// True for names of this machine (RFC 6761, section 6.3).
    package var isLocalhostName: Bool {
        let name = host.hasSuffix(".") ? String(host.dropLast()) : host
        return name == "localhost" || name.hasSuffix(".localhost")
    }

    /// True if the host stands for every address of a machine: `0.0.0.0`, `::`, and their other forms.
    package var isUnspecified: Bool { HostAddress(host)?.bytes.allSatisfy { $0 == 0 } ?? false }

    /// True if the host is a name, not an address.
    package var isNamed: Bool { HostAddress(host) == nil }

    /// True if the host is another machine on another network: private, link-local, unique local and
    /// shared addresses (RFC 1918, 3927, 4193, 4291, 6598), `.local` (RFC 6762), and names that only a
    /// local resolver knows.
    package var isBoundToNetwork: Bool {
        switch HostAddress(host) {
        case .v4(let bytes):
            return switch (bytes[0], bytes[1]) {
            case (10, _), (172, 16...31), (192, 168), (169, 254), (100, 64...127): true
            default: false
            }
        case .v6(let bytes):
            return bytes[0] & 0xFE == 0xFC || HostAddress.v6(bytes).isLinkLocal
        case nil:
            return !isLocalhostName && isNameBoundToNetwork
        }
    }

    /// True if the host is this machine or on a private network, also behind a translation of IPv4.
    package var isLocalAddress: Bool {
        if let embedded = HostAddress(host)?.embedded {
            return Origin(scheme: scheme, host: embedded, port: port).isLocalAddress
        }
        return isLoopback || isBoundToNetwork || isUnspecified
    }

    private var isNameBoundToNetwork: Bool {
        let name = host.hasSuffix(".") ? host.dropLast() : host[...]
        // Looks like an address but parses as none: assume the stricter case.
        guard !host.contains(":"), let last = name.split(separator: ".").last else { return true }
        return !name.contains(".") || last.hasPrefix("0x") || last.allSatisfy(\.isNumber)
            || Self.localSuffixes.contains { name.hasSuffix($0) }
    }

    private static let localSuffixes = [
        ".local", ".lan", ".home", ".home.arpa", ".internal", ".intranet", ".private", ".box",
    ]
}

/// A numeric host address, four or sixteen bytes (inet_pton(3)).
package enum HostAddress: Equatable {
    case v4([UInt8])
    case v6([UInt8])

    /// Parses dotted IPv4, and IPv6 without brackets, with or without a zone; nil for a name.
    ///
    /// An IPv4-mapped IPv6 address (RFC 4291, section 2.5.5.2) becomes IPv4.
    package init?(_ host: String) {
        var bytes = [UInt8](repeating: 0, count: 16)
        if inet_pton(AF_INET, host, &bytes) == 1 {
            self = .v4([UInt8](bytes[..<4]))
            return
        }
        let withoutZone = host.prefix { $0 != "%" }
        guard inet_pton(AF_INET6, String(withoutZone), &bytes) == 1 else { return nil }
        let mapped: [UInt8] = [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF]
        self = bytes.starts(with: mapped) ? .v4([UInt8](bytes[12...])) : .v6(bytes)
    }

    /// The 4 or 16 bytes of the address, the highest first.
    package var bytes: [UInt8] {
        switch self {
        case .v4(let bytes), .v6(let bytes): bytes
        }
    }

    /// True for 127.0.0.0/8 and `::1`.
    package var isLoopback: Bool {
        switch self {
        case .v4(let bytes): bytes[0] == 127
        case .v6(let bytes): bytes.last == 1 && bytes.dropLast().allSatisfy { $0 == 0 }
        }
    }

    /// The dotted IPv4 address to which a translator (64:ff9b::/96, RFC 6052) or a tunnel (2002::/16, RFC
    /// 3056) would pass packets on; nil for any other address.
    var embedded: String? {
        guard case .v6(let bytes) = self else { return nil }
        let isTranslated = bytes.starts(
            with: [0, 0x64, 0xFF, 0x9B] + [UInt8](repeating: 0, count: 8))
        guard isTranslated || bytes.starts(with: [0x20, 0x02]) else { return nil }
        return (isTranslated ? bytes[12...] : bytes[2..<6]).map(String.init).joined(separator: ".")
    }

    /// True for fe80::/10.
    package var isLinkLocal: Bool {
        guard case .v6(let bytes) = self else { return false }
        return bytes[0] == 0xFE && bytes[1] & 0xC0 == 0x80
    }

    /// True if the first `length` bits equal those of `other`; false between IPv4 and IPv6.
    package func shares(prefix length: Int, with other: HostAddress) -> Bool {
        let (left, right) = (bytes, other.bytes)
        guard left.count == right.count, 0...left.count * 8 ~= length else { return false }
        let whole = length / 8
        guard left[..<whole] == right[..<whole] else { return false }
        guard length % 8 != 0 else { return true }
        let mask = UInt8(truncatingIfNeeded: 0xFF00 >> (length % 8))
        return left[whole] & mask == right[whole] & mask
    }
}
