/// What the text of a host tells about where it is.
package struct HostKind: Hashable, Sendable {
    /// This machine: `localhost`, 127.0.0.0/8, ::1.
    package var isLoopback = false
    /// The same text means another machine on another network: private, link-local and shared
    /// addresses (RFC 1918, 3927, 4193, 4291, 6598), `.local`, and names that only a local
    /// resolver knows.
    package var isBoundToNetwork = false

    /// Judges a host as `Origin.host` has it: lower case, an IPv6 address without brackets.
    package init(_ host: String) {
        if let bytes = IPAddressBytes.version4(host) {
            judge(bytes)
        } else if host.contains(":") {
            guard let bytes = IPAddressBytes.version6(host) else {
                isBoundToNetwork = true
                return
            }
            if bytes[..<10].allSatisfy({ $0 == 0 }), bytes[10] == 0xFF, bytes[11] == 0xFF {
                judge(Array(bytes[12...]))
            } else {
                isLoopback = bytes[..<15].allSatisfy { $0 == 0 } && bytes[15] == 1
                isBoundToNetwork =
                    bytes[0] & 0xFE == 0xFC || (bytes[0] == 0xFE && bytes[1] & 0xC0 == 0x80)
            }
        } else {
            let name = host.hasSuffix(".") ? String(host.dropLast()) : host
            isLoopback = name == "localhost"
            isBoundToNetwork =
                !isLoopback
                && (!name.contains(".") || Self.endsInNumber(name)
                    || Self.localSuffixes.contains { name.hasSuffix($0) })
        }
    }

    private static let localSuffixes = [
        ".local", ".lan", ".home", ".home.arpa", ".internal", ".intranet", ".private", ".box",
    ]

    /// Resolvers read `10.1` and `0x0a.1` as addresses; we do not, and take the careful side.
    private static func endsInNumber(_ name: String) -> Bool {
        guard let label = name.split(separator: ".").last else { return true }
        return label.hasPrefix("0x") || label.allSatisfy(\.isNumber)
    }

    private mutating func judge(_ bytes: [UInt8]) {
        switch (bytes[0], bytes[1]) {
        case (127, _): isLoopback = true
        case (10, _), (172, 16...31), (192, 168), (169, 254), (100, 64...127):
            isBoundToNetwork = true
        default: break
        }
    }
}
