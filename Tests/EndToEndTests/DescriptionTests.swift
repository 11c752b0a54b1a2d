import ArgusCore
import ArgusTestSupport
import Testing

@testable import argus_demo

/// What `argus help --json` and `--schema` say, compared with what commands do.
@Suite(.waitsForPrograms)
struct DescriptionTests {
    private let home: TemporaryHome

    init() throws { home = try TemporaryHome() }

    /// Signs in, fills an archive, and makes what command lines name.
    private func prepare() throws {
        try home.signIn(to: try DemoServer("--events", "60"), "--name", "home")
        for name in ["ring.sh", "notify.sh", "siren.sh"] {
            try home.write("#!/bin/sh\n", to: name, mode: 0o700)
        }
        for name in ["secret", "old", "new", "key", "requests.ndjson"] {
            try home.write("\(name)-123456\n", to: name)
        }
        try home.write(
            "argusai://pair?code=376529&url=https%3A%2F%2Fhome.example\n", to: "link")
        let token = OwnerScriptTests.token
        try home.write(#"{"service":"apns","token":"\#(token)"}"# + "\n", to: "tokens.ndjson")
        try home.write(OwnerScriptTests.token + "\n", to: "token")
        try home.write(OwnerScriptTests.receiver[5] + "\n", to: "auth")
        let ran = try home.bash(
            """
            argus archive init "$HOME/archive" && argus config set archive_dir "$HOME/archive" &&
            argus archive sync -q && argus notify key show > /dev/null &&
            argus push subscribe -q \(Self.receiver) &&
            argus notify receivers add -q --apns-token @token --bundle-id com.argusai.app \
              --device-name "Ann's phone" && argus mute 1h -q &&
            argus rules create -q 'Night people' --type person &&
            argus keys create other -q --output-file other &&
            argus server set home -q --relay https://relay.example/home --no-check
            """)
        try #require(ran.status == 0, "\(ran.complaint)")
    }

    private static let receiver = OwnerScriptTests.receiver.joined(separator: " ")

    /// The commands of the table, those that only group others included.
    private func commands(_ command: JSON) -> [JSON] {
        [command] + (command["verbs"]?.list.flatMap(commands) ?? [])
    }

    private func path(_ command: JSON) -> String {
        (command["path"]?.list ?? []).compactMap(\.string).joined(separator: " ")
    }

    private func table() throws -> [JSON] {
        commands(try #require(try home.argus("help", "--json").json["command"]))
    }

    /// Command lines whose rows are checked, by their verbs.
    private static let lines: KeyValuePairs = [
        "events list": "--all", "events export": "", "events show": "latest", "events stats": "",
        "events digest": "", "events timelapse": "--since 14d -o film.mp4",
        "events bundle": "latest -o case.zip", "events thumbnail": "latest -o pictures/",
        "events frames": "latest -o pictures/",
        "events video": "latest -o pictures/", "events feedback": "latest helpful",
        "events delete": "latest --yes", "cameras list": "", "cameras show": "Garage",
        "cameras snapshot": "Garage -o pictures/", "cameras enable": "Garage",
        "cameras reconnect": "Garage", "entities list": "", "entities show": "'Mail Carrier'",
        "entities thumbnail": "'Mail Carrier' -o pictures/", "archive list": "",
        "archive show": "latest", "archive search": "person", "archive stats": "",
        "archive digest": "", "archive bundle": "latest -o archived.zip",
        "bundle verify": "case.zip", "cameras wall": "-o wall.jpg", "archive export": "",
        "archive verify": "", "archive forget": "--keep 1d --dry-run", "archive sync": "",
        "server list": "", "server show": "", "whoami": "", "push key": "",
        "push subscriptions": "", "push prefs show": "", "notify receivers list": "",
        "notify why": "latest", "notify key show": "",
        "notify send":
            "--device x --title y --dry-run",
        "rules list": "", "rules show": "'Night people'", "rules test": "'Night people'",
        "mute list": "", "queue list": "", "queue show": "12345678", "check": "",
        "devices list": "",
        "devices show": "", "sessions list": "", "keys list": "", "config list": "",
        "config get": "archive_dir", "doctor": "", "version": "", "pair pending": "",
        "discover": "--for 1ms", "events wait": "--since 7d",
        "events watch": "--since 7d --limit 3",
    ]

    @Test("the rows of commands are as the schemas of their objects say")
    func rows() throws {
        try prepare()
        var empty: [String] = []
        for (verb, operands) in Self.lines {
            let answer = try home.bash("argus help --schema \(verb)")
            let schema = try JSONSchema(answer.output)
            let ran = try home.bash("argus \(verb) \(operands) --format ndjson --no-input")
            // Only some events have videos.
            if ran.lines.isEmpty, verb != "events video" { empty.append(verb) }
            #expect(ran.status != 2 || ran.lines.isEmpty, "\(verb): \(ran.complaint)")
            for line in ran.lines {
                let faults = schema.faults(of: try JSONView.parse(Array(line.utf8)))
                #expect(faults == [], "\(verb): \(line)")
            }
        }
        // Nothing is damaged or differs, there is no device, nothing waits, and nothing is announced.
        #expect(
            empty == [
                "bundle verify", "archive verify", "notify send", "queue list", "queue show",
                "devices list",
                "devices show",
                "pair pending", "discover",
            ])
    }

    @Test("each verb that reads and prints objects is among those whose rows are checked")
    func complete() throws {
        let checked = Set(Self.lines.map(\.key))
        let reading = try table().filter {
            $0["effect"] == "reads" && $0["fields"]?.list.isEmpty == false
        }
        #expect(reading.map(path).filter { !checked.contains($0) } == [])
    }

    @Test("each example is understood, and does what its command can do")
    func examples() throws {
        try prepare()
        let examples = try table().flatMap { command in
            (command["examples"]?.list ?? []).compactMap { $0["line"]?.string }
        }
        #expect(examples.count > 200)
        // Each line gets a copy of the home, two seconds, and no terminal, so that no question can be
        // asked. What one has made on the server may give a name to two things.
        let script = """
            export TMPDIR=$(mktemp -d) FIRST=$HOME; trap 'rm -rf "$TMPDIR"' EXIT
            xargs -d '\\n' -P 8 -n 1 -a "$1" bash -c "$2" run
            """
        let example = """
            export HOME=$(mktemp -d); cp -a "$FIRST/." "$HOME"; cd "$HOME"
            timeout -k 1 -s INT 2 bash -o pipefail -c "$1" > out 2> err < /dev/null
            error=$(grep -a '^{"error":' err | tail -n 1 | jq -r '.error |
              select(.kind == "usage" and .reason != "input_needed") | .message |
              select(contains("names several") or contains("people at a terminal") | not)')
            [ -z "$error" ] || printf '%s\\t%s\\n' "$1" "$error"
            """
        let lines = examples.map { line in
            line.replacing("/mnt/usb/", with: "./").replacing("/var/lib/", with: "./")
                .replacing("; do …; done", with: "; do true; done")
        }
        try home.write(lines.joined(separator: "\n") + "\n", to: "examples")
        let ran = try home.bash(
            script, arguments: [home.file("examples"), example],
            variables: ["ARGUS_ERRORS": "json", "ARGUS_NO_INPUT": "1", "SHELL": "/bin/bash"])
        #expect(ran.lines == [])
        #expect(ran.status == 0, "\(ran.complaint)")
    }
}
