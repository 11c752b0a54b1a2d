import Glibc

/// The network of this machine, by the MAC addresses of its gateways; an attacker can imitate it.
package struct NetworkIdentity: Hashable, Sendable {
    /// The router of a default route.
    package struct Gateway: Hashable, Sendable {
        package var interface: String
        /// `aa:bb:cc:dd:ee:ff`; nil if the kernel does not know it, as for a tunnel.
        package var mac: String?
        /// True if the kernel does not know the MAC at the moment, and could learn it.
        package var isSilent: Bool

        package init(interface: String, mac: String?, isSilent: Bool = false) {
            self.interface = interface
            self.mac = mac
            self.isSilent = isSilent
        }
    }

    /// The gateways in the kernel's order of preference.
    package var gateways: [Gateway]

    package init(gateways: [Gateway]) { self.gateways = gateways }

    /// The MAC by which to remember this network; nil if it cannot be recognised.
    package var mac: String? { gateways.lazy.compactMap(\.mac).first }

    /// True if the MAC of a gateway may be known soon.
    package var hasSilentGateway: Bool { gateways.contains(where: \.isSilent) }

    /// False if it may soon turn out to be another network: a gateway is silent, or there is none yet.
    package var isSettled: Bool { !gateways.isEmpty && !hasSilentGateway }

    /// True if one of the gateways has this MAC.
    package func contains(mac: String) -> Bool {
        gateways.contains { $0.mac == mac.lowercased() }
    }

    /// Reads the kernel's tables of routes and neighbours (proc(5)), which have IPv4 only.
    package static func current(procNet: String = "/proc/net") -> NetworkIdentity {
        NetworkIdentity(gateways: routes(procNet).map(\.gateway))
    }

    /// The number of pauses to wait for a gateway, which answers at once or not for a second.
    private static let (timeout, pause) = (15, Duration.milliseconds(20))

    /// The network after a lookup of gateways whose MAC the kernel forgot in minutes without traffic.
    package static func lookedUp() async -> NetworkIdentity {
        await lookedUp(procNet: "/proc/net", lookUp: NeighbourLookup.begin) {
            try? await Task.sleep(for: pause)
        }
    }

    static func lookedUp(
        procNet: String, lookUp: (in_addr, String) -> Bool, wait: () async -> Void
    ) async -> NetworkIdentity {
        var routes = routes(procNet)
        let sought = routes.filter { $0.gateway.isSilent }.filter {
            lookUp($0.address, $0.gateway.interface)
        }
        for _ in 0..<timeout where !sought.isEmpty {
            let isMissing = sought.contains { sought in
                routes.contains { route in
                    route.gateway == sought.gateway && route.address.s_addr == sought.address.s_addr
                }
            }
            guard isMissing else { break }
            await wait()
            routes = Self.routes(procNet)
        }
        return NetworkIdentity(gateways: routes.map(\.gateway))
    }

    /// The default routes in the kernel's order of preference.
    private static func routes(_ procNet: String) -> [Route] {
        func table(_ name: String) -> [[Substring]] {
            FileContents.text(of: "\(procNet)/\(name)", limit: 8 << 20).split(separator: "\n")
                .map { $0.split { $0 == " " || $0 == "\t" } }
        }
        let routes = table("route").dropFirst().filter(isDefault)
        guard !routes.isEmpty else { return [] }
        let neighbours = table("arp").dropFirst()
        return routes.compactMap { route($0, neighbours) }.sorted { $0.metric < $1.metric }
    }

    /// RTF_UP and RTF_GATEWAY of linux/route.h.
    private static let (isUp, isByGateway): (UInt32, UInt32) = (0x0001, 0x0002)

    private struct Route {
        var metric: UInt32
        var gateway: Gateway
        /// Zero if packets go to the interface and not to a particular machine.
        var address: in_addr
    }

    private static func isDefault(_ columns: [Substring]) -> Bool {
        columns.count >= 8 && columns[1] == "00000000" && columns[7] == "00000000"
    }

    /// Parses `Iface Destination Gateway Flags RefCnt Use Metric Mask …`, with little-endian hex.
    private static func route(
        _ columns: [Substring], _ neighbours: ArraySlice<[Substring]>
    ) -> Route? {
        guard let address = UInt32(columns[2], radix: 16),
            let flags = UInt32(columns[3], radix: 16), flags & isUp != 0,
            let metric = UInt32(columns[6])
        else { return nil }
        let interface = String(columns[0])
        let dotted = [0, 8, 16, 24].map { String(address >> $0 & 0xFF) }.joined(separator: ".")
        // `IP HWtype Flags HWaddress Mask Device`; flag 2 marks a complete entry.
        let neighbour = neighbours.first { entry in
            entry.count >= 6 && entry[0] == dotted && entry[5] == columns[0]
                && (UInt32(entry[2].dropFirst(2), radix: 16) ?? 0) & 2 != 0
        }
        var mac = neighbour.map { $0[3].lowercased() }
        if mac == "00:00:00:00:00:00" { mac = nil }
        let isSilent =
            mac == nil && flags & isByGateway != 0 && NeighbourLookup.isPossible(on: interface)
        return Route(
            metric: metric, gateway: Gateway(interface: interface, mac: mac, isSilent: isSilent),
            address: in_addr(s_addr: address))
    }
}

/// Makes the kernel look up the MAC address of a machine in the local network (arp(7)).
enum NeighbourLookup {
    /// Starts the lookup with an empty datagram to the discard port (RFC 863); false if no answer can
    /// come.
    static func begin(_ address: in_addr, on interface: String) -> Bool {
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
    static func isPossible(on interface: String) -> Bool {
        let text = FileContents.text(of: "/sys/class/net/\(interface)/flags")
            .filter { !$0.isWhitespace }
        return (UInt32(text.dropFirst(2), radix: 16) ?? 0) & 0x80 == 0
    }
}
