import ArgusTestSupport
import Testing

@testable import argus_demo

/// What a person is told of ways, proofs and the search, and what they can do about it.
@Suite("which endpoint is in use, and why", .waitsForPrograms)
struct DiagnosisTests {
    private let home: TemporaryHome

    init() throws {
        home = try TemporaryHome()
    }

    @Test("doctor queries the daemon, and reports its true state")
    func doctorSearches() throws {
        let ran = try home.localNetwork(
            """
            look() { argus doctor --format csv --no-header 2>/dev/null | grep ^discovery; }
            look; bus; look; neighbours; look; deaf; look; hearing
            advertise a 'The House' 8443 ssl=true; settled 'The House'
            # Within one second a busy machine may find nothing.
            finds() { look >found; grep -q 'The House' found; }; until_true finds; cat found
            gone; touch /run/avahi-daemon/socket; look
            """)
        let reported = ran.lines
        #expect(reported.count == 6, "\(ran.text) \(ran.complaint)")
        let expected = [
            "warning,cannot search the network: there is no D-Bus",
            "warning,cannot search the network: the avahi-daemon does not run",
            "ok,the avahi-daemon works; no server announced itself within 1 s,",
            "warning,cannot search the network: the avahi-daemon does not answer",
            "ok,the avahi-daemon works, and found 'The House' at https://",
            "warning,cannot search the network: the avahi-daemon does not run",
        ]
        for (line, words) in zip(reported, expected) {
            #expect(line.replacing("\"", with: "").hasPrefix("discovery,\(words)"), "\(line)")
        }
        #expect(reported.count > 2 && reported[2].contains("argus discover --service-file"))
    }

    @Test("doctor reports the address, why it is used, and what was refused")
    func doctorShowsEndpoint() throws {
        let ran = try home.localNetwork(
            """
            certificate a; certificate x; demo 8001; https 8443 a; bus; neighbours
            login https://localhost:8443 --name home --fingerprint $(fingerprint a) 2>/dev/null
            look() { argus doctor --format csv --no-header 2>/dev/null | grep -E \
              '^(name|connection|identity|way),'; }
            look; halt 8443; https 8444 x; https 8445 a
            advertise x Home 8444 ssl=true; settled Home; look
            advertise a House 8445 ssl=true; settled House
            look; look; argus server show home --json --fields way_steps
            """)
        let text = ran.text.replacing("\"", with: "")
        let endpoints = text.split(separator: "\n").filter { $0.hasPrefix("way,") }
        #expect(endpoints.count == 4, "\(ran.text) \(ran.complaint)")
        guard endpoints.count == 4 else { return }
        #expect(endpoints[0].hasPrefix("way,ok,local https://localhost:8443, the only address"))
        #expect(endpoints[1].hasPrefix("way,warning,"))
        #expect(endpoints[1].contains("8444: refused after "))
        #expect(endpoints[1].contains("'Home' answers there but is not trusted"))
        #expect(endpoints[2].hasPrefix("way,ok,"))
        #expect(endpoints[2].contains("8445: proved after "))
        #expect(endpoints[2].contains("chosen after "))
        #expect(endpoints[3].contains("remembered, proved "))
        #expect(text.contains("identity,failure,'home' did not prove its identity"))
        #expect(text.contains("name,warning,see 'way'"))
        #expect(text.contains("name,ok,the search found the server at "))
    }

    @Test("server trust shows each address that has changed, both fingerprints, and how to check")
    func trust() throws {
        let ran = try home.localNetwork(
            """
            certificate a; certificate b; certificate x; certificate y; demo 8001
            https 8443 a; https 8444 b
            login https://localhost:8443 --name home --fingerprint $(fingerprint a) 2>/dev/null
            set_relay() { argus server set home --relay https://localhost:8444 \
              --fingerprint $(fingerprint $1) 2>/dev/null; }
            set_relay b; argus server trust home 2>&1; echo "status $?"
            halt 8444; https 8444 y; argus server trust home; echo "status $?"
            argus server trust home --fingerprint $(fingerprint x); echo "status $?"
            argus server trust home --via local --fingerprint $(fingerprint y); echo "status $?"
            argus server trust home --fingerprint $(fingerprint y) 2>&1; echo "status $?"
            wc -l <log-8444
            argus cameras list --via relay >/dev/null; echo "status $?"
            argus cameras list --via local >/dev/null; echo "status $?"
            """)
        #expect(
            ran.lines == [
                "'home' still shows the trusted certificate at local https://localhost:8443 and relay "
                    + "https://localhost:8444; nothing to change", "status 0", "status 2",
                "status 9", "status 9",
                "'home' is trusted at relay https://localhost:8444 by what it shows there now",
                "status 0", "0", "status 0", "status 0",
            ], "\(ran.text) \(ran.complaint)")
        #expect(ran.complaint.contains("local https://localhost:8443: 'home' presents"))
        #expect(ran.complaint.contains("relay https://localhost:8444: 'home' presents"))
    }

    @Test("on a terminal both addresses are decided about, one after the other")
    func trustOnTerminal() throws {
        let script = """
            certificate a; certificate b; certificate x; certificate y; demo 8001
            https 8443 a; https 8444 b
            argus login https://localhost:8443 --name home --fingerprint $(fingerprint a) \
              -u demo --password-file pw
            argus server set home --relay https://localhost:8444 --fingerprint $(fingerprint b)
            halt 8443; halt 8444; https 8443 x; https 8444 y
            argus server trust home; echo "status $?"
            argus cameras list --via relay >/dev/null; echo "relay $?"
            argus cameras list --via local >/dev/null; echo "local $?"
            for name in a b x y; do fingerprint $name; done
            """
        try home.write(DemoServer.password, to: "pw")
        let program = try LocalNetwork.launch(script, in: home).onTerminal.start()
        try program.wait(for: "8443 (local)")
        try program.wait(for: "openssl x509")
        program.type("yes\n")
        try program.wait(for: "8444 (relay)")
        try program.wait(for: "read on the machine of the relay itself")
        program.type("yes\n")
        let ran = try program.finish()
        #expect(ran.lines.contains("status 0"), "\(ran.text)")
        #expect(ran.lines.contains("relay 0"), "\(ran.text)")
        #expect(ran.lines.contains("local 0"), "\(ran.text)")
        for print in ran.lines.suffix(4) {
            #expect(ran.text.components(print) > 1, "\(print)")
        }
    }
}

extension String {
    /// How often a text occurs.
    fileprivate func components(_ text: String) -> Int { ranges(of: text).count }
}
