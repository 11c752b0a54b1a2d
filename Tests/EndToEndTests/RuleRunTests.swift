import ArgusTestSupport
import Glibc
import Testing

@testable import argus_demo

/// `rules run`, mutes and cooldowns with real programs against the demo; its own list is what counts.
@Suite("alarms by rules", .waitsForPrograms)
struct RuleRunTests {
    private let home: TemporaryHome
    /// The receiver of webhooks; `localhost` itself is the server's.
    private static let receiver = """
        import http.server, json, sys
        class Receiver(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["content-length"]))
                with open("received", "a") as log:
                    log.write(json.loads(body)["event_id"] + " " + self.headers["x-secret"] + "\\n")
                self.send_response(204)
                self.end_headers()
            def log_message(self, *words): pass
        server = http.server.ThreadingHTTPServer(("127.0.0.2", 0), Receiver)
        with open("port.new", "w") as file: file.write(str(server.server_port))
        import os
        os.rename("port.new", "port")
        server.serve_forever()
        """

    init() throws {
        home = try TemporaryHome()
        try home.write(Self.receiver, to: "receiver.py")
        try home.write("X-Secret: hook-secret\n", to: "headers")
    }

    /// The ids of the events that the rules match.
    private func matching(_ rule: String, since: String) throws -> [String] {
        let ran = try home.argus(
            "events", "list", "--all", "--since", since, "--rule", rule, "--format", "csv",
            "--no-header", "--fields", "id")
        #expect(ran.status == 0, "\(ran.complaint)")
        return ran.lines
    }

    private func lines(_ name: String) -> [String] {
        (home.text(of: name) ?? "").split(separator: "\n").map(String.init)
    }

    @Test(
        "the webhook that the server never posts arrives once for each event of a camera, over kills"
    )
    func webhooks() throws {
        let server = try DemoServer(
            "--events", "20", "--rate", "600", "--arrivals", "90", "--no-alerts")
        try home.signIn(to: server)
        let ran = try home.bash(
            """
            python3 receiver.py & receiver=$!
            trap 'kill $receiver' EXIT
            while [ ! -e port ]; do sleep 0.1; done
            argus rules create every --cooldown 0m --webhook "http://127.0.0.2:$(cat port)/hook" \\
                --webhook-header-file headers >&2 || exit 1
            date -u -d "+2 seconds" +%Y-%m-%dT%H:%M:%SZ > start
            for round in 1 2 3; do
                argus rules run --rule all --state rules --webhooks & run=$!
                sleep 3; kill -9 $run; wait $run
            done
            argus rules run --rule all --state rules --webhooks --for 12s
            echo "status $?"
            """)
        #expect(ran.text.contains("status 0"), "\(ran.complaint)")
        #expect(!ran.complaint.contains("hook-secret"))
        let all = try matching("every", since: lines("start").first ?? "")
        let received = lines("received")
        #expect(received.allSatisfy { $0.hasSuffix(" hook-secret") })
        let ids = received.map { String($0.prefix(36)) }
        // The first watch begins a moment after the rule was made.
        #expect(all.count > 10)
        #expect(Set(all).isSubset(of: ids), "\(Set(all).subtracting(ids))")
        #expect(ids.count - Set(ids).count <= 3)
    }

    @Test("a rule's cooldown holds over a restart, and its names are variables of the command")
    func cooldown() throws {
        let server = try DemoServer("--events", "0", "--rate", "600", "--no-alerts")
        try home.signIn(to: server)
        try home.write(
            "#!/bin/sh\necho \"$ARGUS_EVENT_RULE_NAME $ARGUS_EVENT_SUPPRESSED\" >> alarms\n",
            to: "hook", mode: 0o700)
        let ran = try home.bash(
            """
            argus rules create any --cooldown 24h >&2 || exit 1
            for round in 1 2; do
                argus rules run --state rules --for 12s -- ./hook || exit 1
            done
            """)
        #expect(ran.status == 0, "\(ran.complaint)")
        #expect(lines("alarms") == ["any 0"])
    }
    @Test("a command that hangs keeps no webhook waiting, and what is done is not done again")
    func hangingCommand() throws {
        let server = try DemoServer("--events", "0", "--rate", "600", "--no-alerts")
        try home.signIn(to: server)
        let ran = try home.bash(
            """
            python3 receiver.py & receiver=$!
            trap 'kill $receiver' EXIT
            while [ ! -e port ]; do sleep 0.1; done
            argus rules create every --cooldown 24h --webhook "http://127.0.0.2:$(cat port)/hook" \\
                --webhook-header-file headers >&2 || exit 1
            argus rules run --state rules --webhooks --hook-tries 1 --hook-timeout 1s \\
                -- sleep 600 & run=$!
            until [ -s received ] && [ -n "$(argus queue list --format csv --no-header --fields reason)" ]
            do sleep 0.2; done
            kill -TERM $run; wait $run
            echo "status $?"
            argus queue list --format csv --no-header --fields reason
            argus queue retry $(argus queue list --format csv --no-header --fields id) >&2
            argus rules run --state rules --webhooks --hook-tries 1 -- touch done & run=$!
            until [ -e done ]; do sleep 0.2; done
            kill -TERM $run; wait $run
            echo "status $?"
            """)
        #expect(
            ran.lines == ["status 11", "took longer than 1 s", "status 0"], "\(ran.complaint)")
        #expect(lines("received").count == 1)
        #expect(home.text(of: "done") != nil)
    }

    @Test("a rule that is deleted while it is applied is named")
    func deletedRule() throws {
        let server = try DemoServer("--events", "0", "--rate", "600", "--no-alerts")
        try home.signIn(to: server)
        let ran = try home.bash(
            """
            argus rules create every >&2 || exit 1
            argus rules run --for 8s -- touch begun & run=$!
            while [ ! -e begun ]; do sleep 0.1; done
            argus rules delete every --yes >&2
            wait $run
            """)
        #expect(
            ran.complaint.contains(
                "the rule 'every' is no longer applied: it was deleted or disabled"),
            "\(ran.complaint)")
    }

    @Test("a mute silences commands and not lists, and says how many events that were")
    func mute() throws {
        let server = try DemoServer("--events", "50")
        try home.signIn(to: server)
        try home.write("#!/bin/sh\necho \"$ARGUS_EVENT_ID\" >> alarms\n", to: "hook", mode: 0o700)
        let ran = try home.bash(
            """
            argus mute 1h --reason party || exit 1
            argus mute list --format csv --no-header --fields number,reason
            argus events watch --since 14d --limit 3 -- ./hook || exit 1
            argus events watch --since 14d --limit 3 --format csv --no-header --fields id | wc -l
            argus mute end
            argus events watch --since 14d --limit 2 -- ./hook || exit 1
            """)
        #expect(ran.status == 0, "\(ran.complaint)")
        #expect(ran.lines == ["1,party", "3"])
        #expect(lines("alarms").count == 2)
        #expect(ran.complaint.contains("everything is no longer muted"))
    }

    @Test("one message for one visit, with the number of the others")
    func visits() throws {
        let server = try DemoServer("--events", "60")
        try home.signIn(to: server)
        try home.write(
            "#!/bin/sh\necho \"$ARGUS_EVENT_SUPPRESSED\" >> alarms\n", to: "hook", mode: 0o700)
        let ran = try home.argus(
            "events", "watch", "--since", "14d", "--limit", "60", "--cooldown", "3d",
            "--cooldown-per", "all", "--", "./hook")
        #expect(ran.status == 0, "\(ran.complaint)")
        let counts = lines("alarms").compactMap { Int($0) }
        #expect((3...6).contains(counts.count), "\(counts)")
        #expect(counts.first == 0)
    }
}
