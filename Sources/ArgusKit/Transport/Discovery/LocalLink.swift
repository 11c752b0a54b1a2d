import ArgusCore
import Glibc

/// The name of a network interface (if_indextoname(3)); nil if it no longer exists.
func interfaceName(of index: Int32) -> String? {
    var name = [CChar](repeating: 0, count: Int(IF_NAMESIZE))
    guard index > 0, if_indextoname(UInt32(index), &name) != nil else { return nil }
    return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self)
}

/// The networks that this machine's interfaces are directly on.
package struct LocalLink: Sendable {
    private struct Network {
        var interface: String
        var address: HostAddress
        var length: Int
        var isLoopback: Bool
    }

    private let networks: [Network]

    /// Reads the addresses of all interfaces (getifaddrs(3)).
    package static func current() -> LocalLink {
        var first: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&first) == 0 else { return LocalLink(networks: []) }
        defer { freeifaddrs(first) }
        var networks: [Network] = []
        var next = first
        while let entry = next?.pointee {
            next = entry.ifa_next
            guard let address = HostAddress(entry.ifa_addr),
                let mask = HostAddress(entry.ifa_netmask)
            else { continue }
            networks.append(
                Network(
                    interface: String(cString: entry.ifa_name), address: address,
                    length: mask.bytes.reduce(0) { $0 + $1.nonzeroBitCount },
                    isLoopback: entry.ifa_flags & UInt32(IFF_LOOPBACK) != 0))
        }
        return LocalLink(networks: networks)
    }

    /// True if an address is reachable on an interface without a router, a loopback address only on
    /// the loopback interface.
    package func reaches(_ address: String, on interface: String) -> Bool {
        guard let wanted = HostAddress(address) else { return false }
        return networks.contains { network in
            network.interface == interface && network.isLoopback == wanted.isLoopback
                && network.address.shares(prefix: network.length, with: wanted)
        }
    }
}

extension HostAddress {
    /// Reads the address of a socket; nil for families other than IP.
    fileprivate init?(_ address: UnsafePointer<sockaddr>?) {
        guard let address else { return nil }
        let raw = UnsafeRawPointer(address)
        switch Int32(address.pointee.sa_family) {
        case AF_INET:
            let bytes = raw.loadUnaligned(as: sockaddr_in.self).sin_addr
            self = withUnsafeBytes(of: bytes) { .v4(Array($0)) }
        case AF_INET6:
            let bytes = raw.loadUnaligned(as: sockaddr_in6.self).sin6_addr
            self = withUnsafeBytes(of: bytes) { .v6(Array($0)) }
        default: return nil
        }
    }
}
