package import Glibc

/// The address of this machine from which a host is reached.
package enum FacingAddress {
    /// Returns the numeric address from which packets to a host leave, of IPv4 if possible.
    ///
    /// Nothing is sent: a datagram socket only chooses its route when it is connected (connect(2)).
    package static func of(_ host: String, port: UInt16) async -> String? {
        // Today's server cannot sign a push to an IPv6 address.
        await onOwnThread { find(host, port, AF_INET) ?? find(host, port, AF_UNSPEC) }
    }

    private static func find(_ host: String, _ port: UInt16, _ family: Int32) -> String? {
        var hints = addrinfo()
        hints.ai_family = family
        hints.ai_socktype = Int32(SOCK_DGRAM.rawValue)
        hints.ai_flags = AI_NUMERICSERV
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, "\(port)", &hints, &list) == 0 else { return nil }
        defer { freeaddrinfo(list) }
        var next = list
        while let found = next?.pointee {
            if let address = facing(found) { return address }
            next = found.ai_next
        }
        return nil
    }

    private static func facing(_ target: addrinfo) -> String? {
        let number = socket(
            target.ai_family, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard number >= 0 else { return nil }
        let socket = OwnedDescriptor(owning: number)
        guard connect(socket.rawValue, target.ai_addr, target.ai_addrlen) == 0 else { return nil }
        return SocketName.local(of: socket.rawValue)?.host
    }
}

/// The address and the port of a socket (getsockname(2)).
package struct SocketName: Equatable {
    /// A numeric address; a zone follows a plain `%`.
    package var host: String
    /// The port in the order of this machine.
    package var port: UInt16

    /// The own end of a socket; nil if it has none.
    package static func local(of descriptor: Int32) -> SocketName? {
        var storage = sockaddr_storage()
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutableBytes(of: &storage) { bytes in
            guard let address = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self),
                getsockname(descriptor, address, &size) == 0
            else { return nil }
            return SocketName(address, size)
        }
    }

    /// Reads an address of the kernel's (getnameinfo(3)); nil for one of another kind.
    package init?(_ address: UnsafePointer<sockaddr>, _ size: socklen_t) {
        var (host, port) = ([CChar](repeating: 0, count: 128), [CChar](repeating: 0, count: 8))
        guard
            getnameinfo(
                address, size, &host, socklen_t(host.count), &port, socklen_t(port.count),
                NI_NUMERICHOST | NI_NUMERICSERV) == 0
        else { return nil }
        let number = UInt16(
            String(decoding: port.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self))
        self.host = String(decoding: host.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self)
        self.port = number ?? 0
    }
}
