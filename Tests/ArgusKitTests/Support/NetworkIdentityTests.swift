import ArgusKit
import ArgusTestSupport
import Testing

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
                .init(interface: "wlan0", mac: nil),
            ])
        #expect(identity.mac == "aa:bb:cc:dd:ee:ff")
        #expect(identity.contains(mac: "AA:BB:CC:DD:EE:FF"))
    }

    @Test("without tables or routes the network is unknown")
    func unknown() throws {
        let folder = try TemporaryFolder()
        #expect(NetworkIdentity.current(procNet: folder.path).mac == nil)
        try folder.plant("garbage\nmore garbage\n\u{0}\n", "route")
        #expect(NetworkIdentity.current(procNet: folder.path).gateways.isEmpty)
    }
}
