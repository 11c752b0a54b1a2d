import ArgusTestSupport
import Testing

@testable import argus_demo

/// `argus queue` and the states of watches, beside real watches.
@Suite("queue", .waitsForPrograms)
struct QueueTests {
    private let home: TemporaryHome

    init() throws { home = try TemporaryHome() }

    /// Leaves three events in the state `door`, which have failed once and are set aside.
    private func failThree() throws -> [String] {
        try home.signIn(to: try DemoServer("--events", "50"))
        let ran = try home.argus(
            "events", "watch", "--state", "door", "--since", "2d", "--limit", "3", "--hook-tries",
            "1",
            "--", "false")
        #expect(ran.status == 11, "\(ran.complaint)")
        let list = try home.argus("queue", "--json")
        return list.json.list.compactMap { $0["id"]?.string }
    }

    @Test("what failed is listed and shown, by whole and short ids")
    func shown() throws {
        let ids = try failThree()
        #expect(ids.count == 3)
        let list = try home.argus("queue", "list", "--json").json.list
        for item in list {
            #expect(
                item.names == [
                    "id", "kind", "state", "server", "status", "tries", "next_try", "subject",
                    "reason", "added_at", "event", "operation", "user", "body", "base", "found",
                ])
            #expect(item["status"]?.string == "set_aside" && item["state"]?.string == "door")
            #expect(item["reason"]?.string == "ended with status 1")
            #expect(item["event"]?["id"]?.string == item["id"]?.string)
            #expect(item["server"]?.string == "127.0.0.1")
        }
        let shown = try home.argus("queue", "show", String(ids[0].prefix(8)), "--json")
        #expect(shown.json == list.first)
        let table = try home.argusOnTerminal("queue")
        #expect(table.text.contains("SUBJECT") && table.text.contains("3 items"))
        #expect(try home.argus("queue", "list", "--state", "other", "--json").json.list.isEmpty)
        let none = try home.argus("queue", "show", "ffffffffff")
        #expect(none.status == 3 && none.complaint.contains("'argus queue list' lists what waits"))
    }

    @Test("a retry makes a running watch run the command at once; a drop prevents it")
    func changed() throws {
        let ids = try failThree()
        try home.write("#!/bin/sh\necho $ARGUS_EVENT_ID >> done\n", to: "hook", mode: 0o700)
        let script = """
            argus events watch --state door --since 2d -- ./hook 2>> errors & watch=$!
            # The watch has begun once it has run the command for an event of its own.
            until [ -s done ]; do sleep 0.05; done
            argus queue retry "${1:0:8}"; echo "status $?"
            argus queue drop "$2" --dry-run --format csv --no-header --fields id,status
            ARGUS_NO_INPUT=1 argus queue drop "$2"; echo "status $?"
            argus queue drop "$2" -y; echo "status $?"
            argus queue retry "$2"; echo "status $?"
            # What is done leaves the queue a moment after its command has written.
            waits() { argus queue list --format csv --no-header --fields id; }
            while waits | grep -q "$1"; do kill -0 $watch || break; done
            grep -q "$1" done; echo "done $?"; waits
            kill -TERM $watch; wait $watch; echo "status $?"
            grep -c -e "$2" -e "$3" done
            """
        let ran = try home.bash(script, arguments: ids)
        #expect(
            ran.lines == [
                "status 0", "\(ids[1]),set_aside", "status 2", "status 0", "status 3", "done 0",
                ids[2], "status 0", "0",
            ], "\(ran.text)\n\(ran.complaint)")
        #expect(ran.complaint.contains("\(ids[0]) is due now, for the watch with the state 'door'"))
        #expect(ran.complaint.contains("\(ids[1]) is dropped"))
        #expect(ran.complaint.contains("--yes"))
    }

    @Test("an id in two states needs --state")
    func ambiguous() throws {
        let ids = try failThree()
        let again = try home.argus(
            "events", "watch", "--state", "yard", "--since", "2d", "--limit", "3", "--hook-tries",
            "1",
            "--", "false")
        #expect(again.status == 11)
        let ran = try home.argus("queue", "retry", ids[0], "--json")
        #expect(ran.status == 2 && ran.error?["hint"]?.string == "choose one with --state NAME")
        let one = try home.argus("queue", "retry", ids[0], "--state", "yard", "--json")
        #expect(one.status == 0 && one.json["status"]?.string == "waiting")
        let rest = try home.argus(
            "queue", "list", "--format", "csv", "--no-header", "--fields", "status,state")
        #expect(
            rest.lines.sorted().prefix(3) == ["set_aside,door", "set_aside,door", "set_aside,door"])
        #expect(rest.lines.contains("waiting,yard"))
        let some = try home.argus(
            "queue", "drop", ids[0], "nothing", "--state", "door", "--yes", "--json")
        #expect(some.status == 11)
    }

    @Test("a watch without a command leaves events in its state, and says so")
    func withoutCommand() throws {
        _ = try failThree()
        let ran = try home.argus(
            "events", "watch", "--state", "door", "--since", "2d", "--for", "1s")
        #expect(ran.status == 0)
        #expect(ran.complaint.contains("3 events wait in the state 'door' for a command"))
        #expect(try home.argus("queue", "--json").json.list.count == 3)
    }

    @Test("states are listed, and forgotten when no watch uses them")
    func states() throws {
        _ = try failThree()
        let script = """
            argus events watch --list-states --format csv --no-header --fields name,filter,running
            argus events watch --state yard --type person & watch=$!
            until [ -s .local/state/argus/watch/yard/ledger ]; do sleep 0.05; done
            argus events watch --list-states --format csv --no-header --fields name,filter,running
            argus events watch --forget yard -y; echo "status $?"
            kill -TERM $watch; wait $watch
            argus events watch --forget yard --dry-run --json | jq -r .name
            argus events watch --forget yard -y; echo "status $?"
            argus events watch --forget yard -y; echo "status $?"
            argus events watch --forget door --state door; echo "status $?"
            argus events watch --list-states --yes; echo "status $?"
            ls -A .local/state/argus/watch
            """
        let ran = try home.bash(script)
        #expect(
            ran.lines == [
                "door,,false", "door,,false", "yard,'--type person,true", "status 1", "yard",
                "status 0", "status 3", "status 2", "status 2", "door",
            ], "\(ran.text)\n\(ran.complaint)")
        #expect(ran.complaint.contains("the state 'yard' is in use by process "))
        let program = try home.launch(["events", "watch", "--forget", "door"]).onTerminal.start()
        try program.wait(for: "Type yes: ")
        program.type("no\n")
        let asked = try program.finish()
        #expect(asked.status == 1 && asked.text.contains("3 events wait there for a command."))
        #expect(try home.argus("queue", "--json").json.list.count == 3)
    }
}
