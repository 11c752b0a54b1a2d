import ArgusTestSupport
import Testing

@testable import argus_demo

@Suite("endpoints of a server, on networks of their own", .waitsForPrograms)
struct EndpointTests {
    private let home: TemporaryHome

    init() throws {
        home = try TemporaryHome()
    }

    /// A laptop that moves between the node `h` with the server and the node `w` with its relay.
    static let twoNetworks = """
        node h 1; node w 2
        ip link add hw0 netns h type veth peer name hw1 netns w
        ip -n h addr add 10.3.0.1/24 dev hw0; ip -n h link set hw0 up
        ip -n w addr add 10.3.0.2/24 dev hw1; ip -n w link set hw1 up
        certificate a; certificate r; certificate x
        at_home() { ip link set h0 up; gateway h 1; }
        away() { ip link set h0 down; gateway w 2; }
        via() { argus whoami --json 2>/dev/null | grep -o '"via": "[a-z]*"'; }
        # Makes the address that answered last an hour older.
        later() { file=$(echo .local/state/argus/ways-*.json); us=$(grep -o '[0-9]\\{16\\}' $file)
          sed -i "s/$us/$((us - 3600000000))/" $file; }
        at_home
        NODE=h demo 8001 --events 3000 --fault ${FAULT:-route=/api/v1/events,delay=300ms}
        NODE=h https 8443 a; NODE=w https 8444 r https://10.3.0.1:8443
        login https://10.1.0.1:8443 --name home --fingerprint $(fingerprint a) 2>/dev/null
        argus server set home --relay https://10.2.0.1:8444 --fingerprint $(fingerprint r) \
          2>/dev/null

        """

    @Test(
        "between two networks and back, each command uses an address that works, later the local one"
    )
    func moves() throws {
        let ran = try home.localNetwork(
            Self.twoNetworks + """
                via; away; via; at_home; later; via; away; via
                argus cameras list -v >/dev/null 2>told; grep -c 'last proved' told
                argus cameras list --via local --retries 0; echo "status $?"
                argus server show home --json --fields way,way_proved_at | tr -d ' \\n'; echo
                """)
        #expect(
            ran.lines.prefix(6) == [
                "\"via\": \"local\"", "\"via\": \"relay\"", "\"via\": \"local\"",
                "\"via\": \"relay\"", "1", "status 6",
            ], "\(ran.text) \(ran.complaint)")
        #expect(
            ran.lines.last?.contains("{\"via\":\"relay\",\"url\":\"https://10.2.0.1:8444\"") == true
        )
        #expect(ran.lines.last?.contains("\"way_proved_at\":\"20") == true)
    }

    @Test("a long list continues by the relay when the machine changes networks in the middle")
    func leaving() throws {
        let ran = try home.localNetwork(
            Self.twoNetworks + """
                argus events list --all --format ndjson --fields id >ids & LIST=$!
                until_true test -s ids; away; wait $LIST; echo "status $?"
                sort -u ids | wc -l; wc -l <ids
                """)
        #expect(ran.lines == ["status 0", "3000", "3000"], "\(ran.complaint)")
        #expect(ran.complaint.isEmpty || !ran.complaint.contains("cannot"))
    }

    @Test(
        "a long download continues by the relay, and by the local address once the machine is back")
    func leavingAndComingBack() throws {
        let ran = try home.localNetwork(
            "FAULT=route=*/video*,drip=40000\n" + Self.twoNetworks + """
                only_home() { ip link set w0 down; at_home; }
                only_away() { ip link set h0 down; ip link set w0 up; gateway w 2; }
                id=$(argus events list --all --source protect --format csv --no-header \
                  --fields id,has_thumbnail | grep -m 1 true | cut -d, -f1)
                argus events video $id -o whole.mp4 >/dev/null 2>&1; echo "status $?"
                only_home
                argus events video $id -v -o part.mp4 >/dev/null 2>told & VIDEO=$!
                part() { find . -name '*part*mp4*' -size +1k | grep -q .; }
                until_true part; only_away
                until_true grep -q 'endpoint: relay .* chosen' told
                size() { stat -c %s $(find . -name '*part*mp4*'); }; before=$(size)
                grew() { [ $(size) -gt $before ]; }; until_true grew; only_home
                wait $VIDEO; echo "status $?"; cmp whole.mp4 part.mp4 && echo same
                """)
        #expect(
            ran.lines == ["status 0", "status 0", "same"],
            "\(ran.text) \(ran.complaint)")
    }

    @Test(
        "a remembered address maps no libavahi and asks no D-Bus; --via relay and header fields work"
    )
    func remembered() throws {
        let ran = try home.localNetwork(
            Self.twoNetworks + """
                bus; neighbours h0,w0; via
                strace -f -e trace=openat,connect -o trace argus cameras list >/dev/null
                grep -c -E 'avahi|dbus' trace
                echo 'X-Gate: open-sesame' | argus server set home --relay-header-stdin 2>&1
                argus cameras list --via relay >/dev/null; grep -q open-sesame log-w8444; echo $?
                : >log-h8443; argus cameras list >/dev/null; grep -c open-sesame log-h8443
                grep -q Bearer log-h8443; echo $?
                grep -rl open-sesame .local | wc -l
                printf 'Authorization: x\\n' | argus server set home --relay-header-stdin; echo $?
                """)
        #expect(
            ran.lines == [
                "\"via\": \"local\"", "0", "'home' sends these header fields to its relay", "0",
                "0", "0", "0", "2",
            ], "\(ran.text) \(ran.complaint)")
    }

    @Test("commands at the same time choose once")
    func together() throws {
        let ran = try home.localNetwork(
            Self.twoNetworks + """
                away; for i in {1..6}; do argus cameras list -v >/dev/null 2>told-$i & done; wait \
                  $(jobs -p | tail -6)
                grep -l 'chosen after' told-* | wc -l; cat told-* | grep -c 'cannot reach'
                """)
        #expect(ran.lines == ["1", "0"], "\(ran.text) \(ran.complaint)")
    }

    @Test(
        "both addresses dead: status 6, naming each address and its error"
    )
    func dead() throws {
        let ran = try home.localNetwork(
            Self.twoNetworks + """
                NODE=w halt 8444; away; bus; neighbours w0
                argus cameras list; echo "status $?"
                """)
        #expect(ran.lines == ["status 6"], "\(ran.complaint)")
        #expect(ran.complaint.contains("relay https://10.2.0.1:8444: connection refused"))
        #expect(ran.complaint.contains("local https://10.1.0.1:8443: "))
    }

    @Test("no local address answers: the relay is chosen")
    func relayDecision() throws {
        let ran = try home.localNetwork(
            Self.twoNetworks + """
                bus; neighbours h0,w0; gateway w 2; ip -n h link set h1 down
                argus cameras list >/dev/null; echo "status $?"; via
                """)
        #expect(ran.lines == ["status 0", "\"via\": \"relay\""], "\(ran.complaint)")
    }
}
