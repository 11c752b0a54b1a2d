import ArgusCore
import ArgusTransport
import Testing

@Suite("PlainHTTPRule")
struct PlainHTTPRuleTests {
    private let home = NetworkIdentity(gateways: [.init(interface: "eth0", mac: "aa:aa")])
    private let cafe = NetworkIdentity(gateways: [.init(interface: "eth0", mac: "bb:bb")])
    private let nowhere = NetworkIdentity(gateways: [])
    private let tunnel = NetworkIdentity(gateways: [
        .init(interface: "tun0", mac: nil), .init(interface: "eth0", mac: "aa:aa"),
    ])

    private func origin(_ host: String, _ port: UInt16 = 8000) -> Origin {
        Origin(scheme: .http, host: host, port: port)
    }

    private func isAllowed(
        _ origin: Origin, _ allowances: [PlainHTTPAllowance], _ network: NetworkIdentity
    ) -> Bool {
        PlainHTTPRule.refusal(of: origin, allowances: allowances, network: network) == nil
    }

    @Test(
        "loopback needs no allowance",
        arguments: ["localhost", "127.0.0.1", "127.9.8.7", "::1", "::ffff:127.0.0.1"])
    func loopback(host: String) {
        #expect(isAllowed(origin(host), [], nowhere))
    }

    @Test(
        "nothing else goes without one",
        arguments: [
            "192.168.1.5", "home.example", "localhost.example", "127.0.0.1.example", "nas",
            "::", "0.0.0.0", "127.1", "128.0.0.1",
        ])
    func othersRefused(host: String) {
        #expect(!isAllowed(origin(host), [], home))
    }

    @Test("https is no matter of this rule")
    func https() {
        #expect(isAllowed(Origin(scheme: .https, host: "h", port: 443), [], nowhere))
    }

    @Test("an allowance is for exactly its origin")
    func exactOrigin() throws {
        let allowances = [try PlainHTTPRule.allowance(for: origin("home.example"), on: cafe)]
        #expect(allowances[0].gatewayMAC == nil)
        #expect(isAllowed(origin("home.example"), allowances, home))
        #expect(!isAllowed(origin("home.example", 8001), allowances, home))
        #expect(!isAllowed(origin("other.example"), allowances, home))
    }

    @Test(
        "a private address is allowed on its network only",
        arguments: [
            "10.0.0.1", "172.16.0.1", "172.31.9.9", "192.168.1.5", "169.254.1.1", "100.64.0.1",
            "fd00::1", "fe80::1%eth0", "::ffff:192.168.1.5", "argus.local", "nas", "nas.lan",
            "10.1", "argus.local.",
        ])
    func networkOnly(host: String) throws {
        let allowances = [try PlainHTTPRule.allowance(for: origin(host), on: home)]
        #expect(allowances[0].gatewayMAC == "aa:aa")
        #expect(isAllowed(origin(host), allowances, home))
        #expect(isAllowed(origin(host), allowances, tunnel))
        #expect(!isAllowed(origin(host), allowances, cafe))
        #expect(!isAllowed(origin(host), allowances, nowhere))
    }

    @Test("a network that cannot be recognised never matches another such one")
    func unknownNetwork() throws {
        let allowances = [try PlainHTTPRule.allowance(for: origin("10.0.0.1"), on: nowhere)]
        #expect(!isAllowed(origin("10.0.0.1"), allowances, nowhere))
        #expect(!isAllowed(origin("10.0.0.1"), allowances, home))
    }

    @Test("while no router answers, a network may still turn out to be the right one")
    func silentRouter() throws {
        let silent = NetworkIdentity.Gateway(interface: "eth0", mac: nil, isSilent: true)
        let origin = origin("10.0.0.1")
        let allowances = [try PlainHTTPRule.allowance(for: origin, on: home)]
        func isTemporary(_ gateways: [NetworkIdentity.Gateway]) -> Bool? {
            PlainHTTPRule.refusal(
                of: origin, allowances: allowances, network: NetworkIdentity(gateways: gateways)
            )?.isTemporary
        }
        #expect(isTemporary([]) == true)
        #expect(isTemporary([silent]) == true)
        #expect(isTemporary(cafe.gateways + [silent]) == true)
        #expect(isTemporary([silent] + home.gateways) == nil)
        #expect(isTemporary(cafe.gateways) == false)
        // A tunnel never has a MAC.
        #expect(isTemporary([.init(interface: "tun0", mac: nil)]) == false)
        // Nothing is remembered for a network that is not known.
        #expect(throws: PlainHTTPRule.Refusal.self) {
            try PlainHTTPRule.allowance(for: origin, on: NetworkIdentity(gateways: [silent]))
        }
    }

    @Test("a refusal says why and what to do")
    func reason() throws {
        let origin = origin("10.0.0.1")
        let first = try #require(
            PlainHTTPRule.refusal(of: origin, allowances: [], network: home))
        let second = try #require(
            PlainHTTPRule.refusal(
                of: origin, allowances: [PlainHTTPRule.allowance(for: origin, on: home)],
                network: cafe))
        #expect(
            first.hint
                == "use https, or allow it: argus login http://10.0.0.1:8000 --insecure-http")
        #expect(second.reason.contains("a different network"))
    }
}
