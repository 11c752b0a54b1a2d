import ArgusTestSupport
import Testing

@testable import argus_demo

/// A server with more than one address of a kind, each with its own proof.
@Suite("several endpoints of a kind", .waitsForPrograms)
struct SeveralEndpointsTests {
    private let home: TemporaryHome

    init() throws {
        home = try TemporaryHome()
    }

    /// The server of `EndpointTests` with a second relay at port 8446, which has a certificate of its own.
    private static let twoRelays =
        EndpointTests.twoNetworks + """
            certificate s; one=https://10.2.0.1:8444; two=https://10.2.0.1:8446
            relay() { NODE=w https $1 $2 https://10.3.0.1:8443; }
            relay 8446 s
            argus server set home --relay $one --relay $two --fingerprint $(fingerprint s) \
              2>/dev/null

            """

    @Test("a dead relay is left for the other one, whichever that is; all dead, each is named")
    func deadRelay() throws {
        let ran = try home.localNetwork(
            Self.twoRelays + """
                away; NODE=w halt 8444
                argus cameras list -v >/dev/null 2>told; echo "status $?"
                grep -c "relay $one: failed" told; grep -c "endpoint: relay $two, chosen" told
                argus cameras list -v 2>&1 >/dev/null | grep -c "endpoint: relay $two, last proved"
                argus doctor --format csv --no-header 2>/dev/null | grep '^way,' | grep -o \
                  'not in use: .*1:8443, relay .*4' | cut -c 1-11
                argus server show home --json --fields way,urls | tr -d ' \n'; echo
                relay 8444 r; NODE=w halt 8446
                argus cameras list -v --via relay >/dev/null 2>told; echo "status $?"
                grep -c "endpoint: relay $one, chosen" told
                NODE=w halt 8444; argus cameras list --retries 0; echo "status $?"
                """)
        #expect(
            ran.lines == [
                "status 0", "1", "1", "1", "not in use:",
                #"{"way":{"via":"relay","url":"https://10.2.0.1:8446","address":null,"port":null},"#
                    + #""urls":["https://10.1.0.1:8443","https://10.2.0.1:8444","#
                    + #""https://10.2.0.1:8446"]}"#, "status 0", "1", "status 6",
            ], "\(ran.text) \(ran.complaint)")
        for endpoint in ["local https://10.1.0.1:8443", "relay https://10.2.0.1:8444"] {
            #expect(ran.complaint.contains("\(endpoint): "), "\(ran.complaint)")
        }
        #expect(ran.complaint.contains("relay https://10.2.0.1:8446: connection refused"))
    }

    @Test("an impostor as the first relay, faster than the second, gets nothing")
    func impostor() throws {
        let ran = try home.localNetwork(
            Self.twoRelays + """
                away; NODE=w halt 8444; relay 8444 x; NODE=w stall 8446
                argus cameras list -v >/dev/null 2>told & ARGUS=$!
                NODE=w until_true met 8444; NODE=w resume 8446; wait $ARGUS; echo "both: $?"
                NODE=w halt 8446; argus cameras list --retries 0; echo "alone: $?"
                wc -l <log-w8444; grep -q Bearer log-w8446; echo $?
                """)
        #expect(
            ran.lines == ["both: 0", "alone: 9", "0", "0"], "\(ran.text) \(ran.complaint)")
    }

    @Test("a relay that takes connections and says nothing does not stop the other one")
    func silentRelay() throws {
        let ran = try home.localNetwork(
            Self.twoRelays + """
                away; NODE=w stall 8444
                argus cameras list >/dev/null; echo "status $?"
                NODE=w halt 8446; argus cameras list --retries 0; echo "status $?"
                """)
        #expect(ran.lines == ["status 0", "status 6"], "\(ran.text) \(ran.complaint)")
        #expect(ran.complaint.contains("relay https://10.2.0.1:8444: no TLS handshake within 5 s"))
    }

    @Test("each relay is sent its own header fields, and no other address is")
    func headers() throws {
        let ran = try home.localNetwork(
            Self.twoRelays + """
                printf "[$one]\nX-Gate: gate-one\n[$two]\nX-Gate: gate-two\n" |
                  argus server set home --relay-header-stdin 2>/dev/null; echo "status $?"
                echo 'X-Gate: whose' | argus server set home --relay-header-stdin; echo "status $?"
                : >log-h8443; argus cameras list >/dev/null; echo "status $?"
                grep -c gate log-h8443; away; NODE=w halt 8446
                argus cameras list >/dev/null; echo "status $?"
                relay 8446 s; NODE=w halt 8444; argus cameras list >/dev/null; echo "status $?"
                grep -o 'gate-[a-z]*' log-w8444 | sort -u; grep -o 'gate-[a-z]*' log-w8446 | sort -u
                """)
        #expect(
            ran.lines == [
                "status 0", "status 2", "status 0", "0", "status 0", "status 0", "gate-one",
                "gate-two",
            ], "\(ran.text) \(ran.complaint)")
        #expect(ran.complaint.contains("put a line '[https://10.2.0.1:8444]' before the fields"))
    }

    @Test("of two local addresses the one that answers is used, and preferred to a relay")
    func locals() throws {
        let ran = try home.localNetwork(
            Self.twoRelays + """
                NODE=h https 8447 s
                argus server set home --local https://10.1.0.1:8443 --local https://10.1.0.1:8447 \
                  --fingerprint $(fingerprint s) 2>/dev/null; echo "status $?"
                argus server show home --json --fields ways | tr -d ' \n' | grep -o '"pin:' | wc -l
                NODE=h halt 8443; argus cameras list -v >/dev/null 2>told; echo "status $?"
                grep -m 1 -c '^argus: endpoint: local https://10.1.0.1:8447, ' told
                argus whoami --json | grep -o '"url": .*8447"'
                """)
        #expect(
            ran.lines == [
                "status 0", "4", "status 0", "1", #""url": "https://10.1.0.1:8447""#,
            ], "\(ran.text) \(ran.complaint)")
    }

    @Test("a server that is named by one of its addresses is trusted anew there only")
    func trustedAtOne() throws {
        let ran = try home.localNetwork(
            Self.twoRelays + """
                NODE=w halt 8444; NODE=w halt 8446; relay 8444 x; relay 8446 x
                argus server trust $two --fingerprint $(fingerprint x) 2>/dev/null; echo "status $?"
                away; : >log-w8444; argus cameras list >/dev/null; echo "status $?"
                grep -q Bearer log-w8446; echo $?; NODE=w halt 8446
                argus cameras list --via relay --retries 0; echo "status $?"; wc -l <log-w8444
                argus server trust home --via relay --fingerprint $(fingerprint x) 2>/dev/null
                argus cameras list --via relay >/dev/null; echo "status $?"
                """)
        #expect(
            ran.lines == ["status 0", "status 0", "0", "status 9", "0", "status 0"],
            "\(ran.text) \(ran.complaint)")
    }
}
