import ArgusTestSupport
import Testing

@testable import argus_demo

@Suite("signing in without a URL", .waitsForPrograms)
struct LoginDiscoveryTests {
    private let home: TemporaryHome

    init() throws {
        home = try TemporaryHome()
    }

    @Test(
        "without a terminal only a fingerprint names a server that was found; a relay is the rest")
    func noTerminal() throws {
        let ran = try home.localNetwork(
            """
            certificate a; certificate x; demo 8001; https 8443 a; bus
            login; echo "status $?"; neighbours
            ARGUS_RELAY_URL=http://relay.example login; echo "status $?"
            advertise a 'The House' 8443 ssl=true; settled 'The House'
            login; echo "status $?"; login --fingerprint $(fingerprint x); echo "status $?"
            grep -c POST log-8443
            login --fingerprint $(fingerprint a); echo "status $?"
            argus server list --format csv --no-header --fields name
            argus server remove The-House; gone
            ARGUS_RELAY_URL=https://localhost:8443 login --fingerprint $(fingerprint a)
            argus server show --json --fields ways | grep -o '"via": "[a-z]*"'
            """)
        #expect(
            ran.lines == [
                "status 6", "status 9", "status 9", "status 9", "0", "status 0", "The-House",
                "\"via\": \"relay\"",
            ], "\(ran.text) \(ran.complaint)")
        #expect(ran.complaint.contains("ARGUS_RELAY_URL"))
        #expect(ran.complaint.contains("servers answer on the network, but none of them is known"))
    }

    @Test("pairing without a URL finds a server by the same rules, and sends nothing before")
    func pairing() throws {
        let ran = try home.localNetwork(
            """
            certificate a; certificate x; demo 8001; https 8443 a; bus
            pair() { argus pair --no-wait --json "$@" >/dev/null; echo "status $?"; }
            pair; neighbours; pair
            advertise a 'The House' 8443 ssl=true fingerprint=$(fingerprint x); settled 'The House'
            pair; pair --fingerprint $(fingerprint x); grep -v 'GET /health' log-8443 | wc -l
            pair --fingerprint $(fingerprint a); grep -c 'POST .*/auth/pair ' log-8443
            rm -r .local; gone; unset ARGUS_FINGERPRINT
            ARGUS_RELAY_URL=http://relay.example pair
            ARGUS_RELAY_URL=https://localhost:8443 pair --fingerprint $(fingerprint a)
            ARGUS_RELAY_URL=https://localhost:8443 pair --fingerprint $(fingerprint x)
            """)
        #expect(
            ran.lines == [
                "status 6", "status 6", "status 9", "status 9", "0", "status 0", "1", "status 9",
                "status 0", "status 9",
            ], "\(ran.text) \(ran.complaint)")
        #expect(ran.complaint.contains("argus pair https://home.example"))
    }

    @Test("on a terminal the person chooses among those that answer")
    func terminal() throws {
        try home.write(DemoServer.password, to: "pw")
        let script = """
            certificate a; demo 8001; https 8443 a; bus; neighbours
            advertise a 'The House' 8443 ssl=true; settled 'The House'
            argus login -u demo --password-file pw; echo "status $?"
            """
        let program = try LocalNetwork.launch(script, in: home).onTerminal.start()
        try program.wait(for: "Which one?")
        program.type("1\n")
        try program.wait(for: "Type yes: ")
        program.type("yes\n")
        let ran = try program.finish()
        #expect(ran.text.contains("The House  https://"), "\(ran.text)")
        #expect(ran.text.contains("signed in to 'The-House'"), "\(ran.text)")
        #expect(ran.lines.last == "status 0")
    }

    @Test("on a terminal the user chooses the server to pair with")
    func pairingOnTerminal() throws {
        let script = """
            certificate a; demo 8001; https 8443 a; bus; neighbours
            advertise a 'The House' 8443 ssl=true; settled 'The House'
            argus pair --no-wait; echo "status $?"; grep -c 'POST .*/auth/pair ' log-8443
            """
        let program = try LocalNetwork.launch(script, in: home).onTerminal.start()
        try program.wait(for: "Which one?")
        program.type("1\n")
        try program.wait(for: "Type yes: ")
        program.type("yes\n")
        let ran = try program.finish()
        #expect(ran.lines.suffix(2) == ["status 0", "1"], "\(ran.text)")
    }
}
