import ArgusTestSupport
import Testing

@testable import argus_demo

@Suite("argus discover, with a real avahi-daemon", .waitsForPrograms)
struct DiscoverTests {
    private let home: TemporaryHome

    init() throws {
        home = try TemporaryHome()
    }

    @Test(
        "no bus, no daemon and a deaf daemon are reported without waiting, each with its remedy")
    func nobody() throws {
        let ran = try home.localNetwork(
            """
            timeout 60 argus discover --for 10m; echo "$?"
            bus; timeout 60 argus discover --for 10m --json; echo "$?"
            neighbours; deaf; argus discover --for 500ms; echo "$?"
            """)
        #expect(ran.lines == ["1", "1", "1"], "\(ran.complaint)")
        #expect(ran.complaint.contains("there is no D-Bus system bus"))
        #expect(ran.complaint.contains("\"reason\":\"discovery_failed\""))
        #expect(ran.complaint.contains("start it: systemctl start avahi-daemon"))
        #expect(ran.complaint.contains("the avahi-daemon does not answer"))
    }

    @Test("a daemon that denies queries differs from one that does not run")
    func denied() throws {
        let ran = try home.localNetwork(
            """
            POLICY='<deny send_destination="org.freedesktop.Avahi"/>'; bus; neighbours
            timeout 60 argus discover --for 10m --json; echo "$?"
            gone; echo 1 >/run/avahi-daemon/pid; argus discover; echo "$?"
            chmod 0 $BUS
            setpriv --bounding-set=-all --inh-caps=-all argus discover; echo "$?"
            """)
        #expect(ran.lines == ["1", "1", "1"], "\(ran.complaint)")
        let reported = ran.complaint.split(separator: "\n").filter {
            $0.contains("cannot search the network")
        }
        #expect(reported.count == 3)
        #expect(reported.first?.contains("no access to the avahi-daemon (it runs, but") == true)
        #expect(reported.dropFirst().first?.contains("the avahi-daemon does not run") == true)
        #expect(reported.last?.contains("no access to the avahi-daemon (access denied)") == true)
    }

    @Test("an answer has its name, addresses, TXT values, certificate and whether it is known")
    func answers() throws {
        let ran = try home.localNetwork(
            """
            certificate a; demo 8001; https 8443 a; bus; neighbours
            login https://localhost:8443 --name home --fingerprint $(fingerprint a) 2>/dev/null
            : >log-8443
            advertise home 'Anna&apos;s &quot;house&quot;. Café' 9 version=1.2 ssl=true \
              api_port=8443 fingerprint=00:11 colour=blue novalue
            advertise old 'Old one' 8001 ssl=false
            settled "Anna's \\"house\\". Café"; settled 'Old one'
            # On a busy machine the next search may find what this one missed.
            search() { argus discover --for 1500ms --json >found
              [ "$(jq -c '[length, (map(select(.reachable)) | length)]' found)" = '[4,3]' ]; }
            until_true search; cat found
            cat log-8443 >&2
            """)
        let servers = ran.json.list
        #expect(servers.count == 4, "\(ran.text) \(ran.complaint)")
        let found = try #require(
            servers.first { $0["address"]?.string == "https://127.0.0.1:8443" }, "\(ran.text)")
        #expect(found["name"]?.string == "Anna's \"house\". Café")
        #expect(found["version"]?.string == "1.2")
        #expect(found["tls"] == .bool(true))
        #expect(found["known"]?.string == "home")
        #expect(found["reachable"] == .bool(true))
        #expect(found["fingerprint"]?.string?.utf8.count == 64)
        #expect(found["txt"]?["colour"]?.string == "blue")
        #expect(found["txt"]?["fingerprint"]?.string == "00:11")
        #expect(found["txt"]?.names.contains("novalue") == true)
        let six = servers.first { $0["address"]?.string == "https://[::1]:8443" }
        #expect(six?["known"]?.string == "home")
        let old = try #require(
            servers.first { $0["address"]?.string == "http://127.0.0.1:8001" }, "\(ran.text)")
        #expect(old["known"] == .null)
        #expect(old["reachable"] == .bool(true))
        #expect(ran.complaint.contains("GET /health HTTP/"))
        let received = ran.complaint.split(separator: "\n").filter { $0.contains("GET /") }
        #expect(!received.isEmpty)
        #expect(received.allSatisfy { $0.hasSuffix("[---] [-] [-] [-]") }, "\(received)")
    }

    @Test("ndjson prints an answer as it comes, also after the daemon was restarted midway")
    func restarted() throws {
        let ran = try home.localNetwork(
            """
            demo 8001; bus; neighbours; advertise a First 8001 ssl=false; settled First
            argus discover --for 4s --format ndjson --fields name,address >found & ARGUS=$!
            until_true grep -q First found; echo "early $(kill -0 $ARGUS && echo yes)"
            gone; advertise b Second 8001 ssl=false; neighbours
            wait $ARGUS; echo "status $?"
            grep -c 127.0.0.1 found; grep -q Second found && echo second
            gone; LOUD=--debug neighbours; argus discover --for 3s >/dev/null & ARGUS=$!
            until_true asked; gone; wait $ARGUS; echo "status $?"
            """)
        #expect(
            ran.lines == ["early yes", "status 0", "2", "second", "status 1"], "\(ran.complaint)")
        #expect(ran.complaint.contains("the avahi-daemon stopped while the network was searched"))
    }

    @Test("a daemon serves the file that --service-file prints")
    func serviceFile() throws {
        let ran = try home.localNetwork(
            """
            demo 8001; bus; argus discover --service-file >/etc/avahi/services/none.service
            neighbours; settled 'ArgusAI on home'
            search() { argus discover --for 1s --json --fields name,address,tls >found
              grep -q ArgusAI found; }
            until_true search; tr -d ' \\n' <found; echo
            login http://127.0.0.1:8001 2>/dev/null; argus discover --service-file | grep -c 8001
            """)
        #expect(ran.lines.count == 2, "\(ran.complaint)")
        let first = ran.lines.first ?? ""
        #expect(first.contains("\"name\":\"ArgusAIonhome\""), "\(ran.text)")
        #expect(first.contains("\"address\":\"http://127.0.0.1:8000\",\"tls\":false"))
        #expect(ran.lines.last == "2")
    }

    @Test("300 services are all found in the time that was given")
    func crowd() throws {
        let ran = try home.localNetwork(
            """
            bus; for i in {1..300}; do advertise s$i "Server $i" $((9000 + i)) ssl=false; done
            neighbours; all() { [ $(established | wc -l) = 300 ]; }
            until_true all
            for time in 5 10 20 40; do
              argus discover --for ${time}s --format ndjson --fields name >found; status=$?
              [ $(sort -u found | wc -l) != 300 ] || break
            done
            echo "status $status"; sort -u found | wc -l
            """)
        #expect(ran.lines == ["status 0", "300"], "\(ran.complaint)")
    }
}
