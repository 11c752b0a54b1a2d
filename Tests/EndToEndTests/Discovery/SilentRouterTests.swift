import ArgusTestSupport
import Testing

@testable import argus_demo

@Suite("a router that is silent for a moment", .waitsForPrograms)
struct SilentRouterTests {
    private let home: TemporaryHome

    init() throws {
        home = try TemporaryHome()
    }

    /// Signed in to a server behind a router that can be made silent, and to speak again.
    private static let network = """
        node h 1; gateway h 1; NODE=h demo 8001; NODE=h web 8000 ''
        login http://10.1.0.1:8000 --name home --insecure-http 2>/dev/null
        silent() { ip netns exec h sysctl -qw net.ipv4.conf.h1.arp_ignore=8
          ip neigh flush dev h0; ip neigh del 10.1.0.1 dev h0; } 2>/dev/null
        speaking() { ip netns exec h sysctl -qw net.ipv4.conf.h1.arp_ignore=0
          ip neigh flush dev h0; }

        """

    @Test("a command sends nothing and is status 6; a watch goes on, and delivers afterwards")
    func silence() throws {
        let ran = try home.localNetwork(
            Self.network + """
                silent; : >log-h8000
                argus cameras list --json --retries 0 2>refused; echo "status $?"
                grep -o '"reason":"[a-z_]*"' refused
                argus events watch --since 20d --limit 1 --format ndjson >got 2>told & WATCH=$!
                until_true grep -q 'trying again' told
                echo "received $(wc -l <log-h8000)"
                speaking; wait $WATCH; echo "status $?, $(wc -l <got) event"
                grep -o 'no router answers' told | head -1
                ip route del default; argus cameras list --retries 0; echo "status $?"
                """)
        #expect(
            ran.lines == [
                "status 6", "\"reason\":\"unknown_network\"", "received 0", "status 0, 1 event",
                "no router answers", "status 6",
            ], "\(ran.text) \(ran.complaint)")
    }

    @Test("a gateway that the kernel has forgotten is looked up, and the first try succeeds")
    func forgotten() throws {
        let ran = try home.localNetwork(
            Self.network + """
                speaking; argus cameras list --retries 0 >/dev/null; echo "status $?"
                """)
        #expect(ran.lines == ["status 0"], "\(ran.complaint)")
    }
}
