import ArgusCore
import Testing

/// Where a host is, as its text tells: on it rest plain http, proxies and redirects.
@Suite("the locality of a host")
struct LocalityTests {
    enum Place { case thisMachine, thisNetwork, anywhere }

    private static let hosts: [(Place, [String])] = [
        (
            .thisMachine,
            [
                "localhost", "localhost.", "a.localhost", "127.0.0.1", "127.9.8.7", "127.255.1.2",
                "::1", "::ffff:127.0.0.1",
            ]
        ),
        (
            .thisNetwork,
            [
                "10.0.0.1", "172.16.0.1", "172.31.9.9", "192.168.1.5", "169.254.1.1",
                "100.64.0.1", "100.127.255.255", "fd00::1", "fc00::1", "fe80::1", "fe80::1%eth0",
                "febf::1", "::ffff:192.168.1.5", "argus.local", "argus.local.", "nas", "nas.lan",
                "nas.home.arpa", "x.internal", "localhost.lan",
                // What a resolver may read as an address, or what nobody can read.
                "10.1", "127.1", "0x7f.1", "0x7f000001", "1.2.3.0x4", "fe80::zz", ".",
            ]
        ),
        (
            .anywhere,
            [
                "home.example", "localhost.example", "notlocalhost.example", "127.0.0.1.example",
                "128.0.0.1", "11.0.0.1", "172.15.0.1", "172.32.0.1", "192.169.0.1", "100.63.0.1",
                "100.128.0.1", "0.0.0.0", "::", "::2", "2001:db8::1", "fec0::1", "local.example",
                "::ffff:8.8.8.8",
            ]
        ),
    ]

    @Test("a host is here, on this network, or the same one everywhere", arguments: hosts)
    func places(place: Place, hosts: [String]) {
        for host in hosts {
            let origin = Origin(scheme: .http, host: host, port: 8000)
            #expect(origin.isLoopback == (place == .thisMachine), "\(host)")
            #expect(origin.isBoundToNetwork == (place == .thisNetwork), "\(host)")
        }
    }

    @Test("a translated or tunnelled address is as local as the one inside")
    func embedded() {
        for (host, isLocal) in [
            ("64:ff9b::192.168.1.5", true), ("64:ff9b::7f00:1", true), ("64:ff9b::8.8.8.8", false),
            ("2002:c0a8:105::1", true), ("2002:7f00:1::", true), ("2002:808:808::1", false),
            ("2001:db8::1", false), ("::ffff:10.0.0.1", true), ("0.0.0.0", true), ("::", true),
        ] {
            let origin = Origin(scheme: .https, host: host, port: 443)
            #expect(origin.isLocalAddress == isLocal, "\(host)")
            // Plain http needs no permission for this machine only.
            #expect(!origin.isLoopback, "\(host)")
        }
    }
}
