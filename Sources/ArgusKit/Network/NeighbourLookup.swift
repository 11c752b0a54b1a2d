import Glibc

/// Makes the kernel look up the MAC address of a machine in the local network (arp(7)).
enum NeighbourLookup {
    /// Starts the lookup with an empty datagram to the discard port (RFC 863).
    ///
    /// - Returns: True if an answer may come; an interface without ARP, such as a tunnel, has none.
    static func begin(_ address: in_addr, on interface: String) -> Bool {
        guard hasARP(interface) else { return false }
        let number = socket(
            AF_INET, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
        guard number >= 0 else { return false }
        let socket = OwnedDescriptor(owning: number)
        // For two networks with the same addresses; kernels before 5.7 permit it to root only.
        setsockopt(
            socket.rawValue, SOL_SOCKET, SO_BINDTODEVICE, interface,
            socklen_t(interface.utf8.count))
        var target = sockaddr_in()
        target.sin_family = sa_family_t(AF_INET)
        target.sin_addr = address
        target.sin_port = in_port_t(9).bigEndian
        return withUnsafeBytes(of: &target) { bytes in
            guard
                let address = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self),
                connect(socket.rawValue, address, socklen_t(bytes.count)) == 0
            else { return false }
            return send(socket.rawValue, nil, 0, Int32(MSG_NOSIGNAL)) == 0
        }
    }

    /// False for IFF_NOARP of netdevice(7); assumes ARP if the flags cannot be read.
    private static func hasARP(_ interface: String) -> Bool {
        let file = try? FileContents(
            "/sys/class/net/\(interface)/flags", trust: .named, limit: 64)
        let text = String(decoding: file?.bytes ?? [], as: UTF8.self).filter { !$0.isWhitespace }
        return (UInt32(text.dropFirst(2), radix: 16) ?? 0) & 0x80 == 0
    }
}
