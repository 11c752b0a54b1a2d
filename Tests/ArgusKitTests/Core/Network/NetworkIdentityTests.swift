import ArgusTestSupport
import Glibc
import Testing

@testable import ArgusCore

@Suite("NetworkIdentity")
struct NetworkIdentityTests {
    @Test("gateways are read from the kernel's tables, the preferred one first")
    func readsTables() throws {
        let folder = try TemporaryFolder()
        try folder.plant(
            """
            Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT
            wlan0\t00000000\t0101A8C0\t0003\t0\t0\t600\t00000000\t0\t0\t0
            eth0\t00000000\tFE01A8C0\t0003\t0\t0\t100\t00000000\t0\t0\t0
            tun0\t00000000\t00000000\t0001\t0\t0\t50\t00000000\t0\t0\t0
            eth0\t0001A8C0\t00000000\t0001\t0\t0\t100\t00FFFFFF\t0\t0\t0
            """, "route")
        try folder.plant(
            """
            IP address       HW type     Flags       HW address            Mask     Device
            192.168.1.254    0x1         0x2         AA:BB:CC:DD:EE:FF     *        eth0
            192.168.1.1      0x1         0x0         00:00:00:00:00:00     *        wlan0
            """, "arp")
        let identity = NetworkIdentity.current(procNet: folder.path)
        #expect(
            identity.gateways == [
                .init(interface: "tun0", mac: nil),
                .init(interface: "eth0", mac: "aa:bb:cc:dd:ee:ff"),
                .init(interface: "wlan0", mac: nil, isSilent: true),
            ])
        #expect(identity.hasSilentGateway && !identity.isSettled)
        #expect(identity.mac == "aa:bb:cc:dd:ee:ff")
        #expect(identity.contains(mac: "AA:BB:CC:DD:EE:FF"))
    }

    @Test("without tables or routes the network is unknown")
    func unknown() throws {
        let folder = try TemporaryFolder()
        let identity = NetworkIdentity.current(procNet: folder.path)
        #expect(identity.mac == nil && !identity.isSettled && !identity.hasSilentGateway)
        try folder.plant("garbage\nmore garbage\n\u{0}\n", "route")
        #expect(NetworkIdentity.current(procNet: folder.path).gateways.isEmpty)
    }

    private static let routes = """
        Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT
        eth0\t00000000\tFE01A8C0\t0003\t0\t0\t100\t00000000\t0\t0\t0
        tun0\t00000000\t00000000\t0001\t0\t0\t200\t00000000\t0\t0\t0
        """
    private static let arp = "IP address HW type Flags HW address Mask Device\n"
    private static let entry = "192.168.1.254 0x1 0x2 aa:bb:cc:dd:ee:ff * eth0\n"

    @Test("a gateway that the kernel has forgotten is looked up, and waited for")
    func lookedUp() async throws {
        let folder = try TemporaryFolder()
        try folder.plant(Self.routes, "route")
        try folder.plant(Self.arp, "arp")
        var (sought, waits) = ([String](), 0)
        let identity = await NetworkIdentity.lookedUp(procNet: folder.path) { address, interface in
            sought.append("\(address.s_addr) \(interface)")
            return true
        } wait: {
            waits += 1
            if waits == 3 {
                #expect(throws: Never.self) { try folder.plant(Self.arp + Self.entry, "arp") }
            }
        }
        // 192.168.1.254 as the table has it; the tunnel has no gateway that could be looked up.
        #expect(sought == ["\(0xFE01_A8C0) eth0"])
        #expect(waits == 3)
        #expect(identity.mac == "aa:bb:cc:dd:ee:ff")
    }

    @Test("nothing is waited for where all is known, or where no answer can come")
    func nothingToLookUp() async throws {
        let folder = try TemporaryFolder()
        try folder.plant(Self.routes, "route")
        for (table, mac) in [(Self.arp + Self.entry, "aa:bb:cc:dd:ee:ff"), (Self.arp, nil)] {
            try folder.plant(table, "arp")
            let identity = await NetworkIdentity.lookedUp(procNet: folder.path) { _, _ in
                false
            } wait: {
                Issue.record("waited")
            }
            #expect(identity.mac == mac)
        }
    }

    @Test("a gateway that does not answer is waited for a bounded time")
    func deadGateway() async throws {
        let folder = try TemporaryFolder()
        try folder.plant(Self.routes, "route")
        try folder.plant(Self.arp, "arp")
        var waits = 0
        let identity = await NetworkIdentity.lookedUp(procNet: folder.path) { _, _ in
            true
        } wait: {
            waits += 1
        }
        #expect(identity.mac == nil && identity.hasSilentGateway)
        #expect(waits == 15)
    }
}
