import ArgusTestSupport
import FoundationEssentials
import Testing

@testable import argus_demo

/// The recipes of docs/watching.md, run as they stand there; the programs that they call are fakes,
/// which fail on any arguments but those of the recipes.
@Suite(.waitsForPrograms)
struct WatchRecipeTests {
    private let home: TemporaryHome
    private let text: String

    init() throws {
        home = try TemporaryHome()
        text = try DocumentTests.text(of: "docs/watching.md")
        for (name, body) in Self.fakes {
            try home.write(Self.prelude + body, to: "bin/\(name)", mode: 0o700)
        }
        for script in scripts { try home.write(script.text, to: script.name, mode: 0o700) }
        try home.write("url = \"https://chat.example/hook\"\n", to: ".config/chat-hook")
    }

    /// What a fake does on arguments that it does not know.
    private static let prelude = """
        #!/bin/sh
        name=${0##*/}
        wrong() { echo "$name: unexpected:$(printf ' <%s>' "$@")" | tee -a "$HOME/wrong" >&2; exit 99; }
        got() { echo "$*" >> "$HOME/$name.log"; }

        """

    private static let fakes = [
        "notify-send": """
        [ $# -eq 4 ] && [ "$1" = --app-name=argus ] && shift
        [ $# -eq 3 ] && [ "$1" = -- ] && [ -n "$2" ] || wrong "$@"
        got "$2"
        """,
        "mail": """
        [ $# -eq 3 ] && [ "$1" = -s ] || wrong "$@"
        case $2 in "A package: "?*) ;; *) wrong "$@" ;; esac
        [ "$3" = "$(id -un)" ] && [ "$(tail -1)" = "$ARGUS_EVENT_TIMESTAMP" ] || wrong "$@"
        got "$2"
        """,
        "curl": """
        [ "$1 $2 $3" = "--fail-with-body -sS --max-time" ] || wrong "$@"
        case $4:$# in
            30:7)
                [ "$5 $6 $7" = "--data-binary @- https://ntfy.sh" ] || wrong "$@"
                jq -e '.topic == "my-front-door" and ([.title, .message | type] == ["string", "string"])' \\
                    > /dev/null || wrong "$@"
                got phone ;;
            50:10)
                [ "$5 $6 $7 $9" = "--config $HOME/.config/chat-hook --form-string --form" ] || wrong "$@"
                case $8 in "text=$ARGUS_EVENT_CAMERA_NAME: "*) ;; *) wrong "$@" ;; esac
                shift 9
                file=${1#file=@}
                [ "$file" = "$ARGUS_EVENT_THUMBNAIL" ] && [ "$(stat -c %a "$file")" = 600 ] || wrong "$@"
                got chat ;;
            5:5)
                [ "$5" = 'http://light.home.example/rpc/Switch.Set?id=0&on=true&toggle_after=120' ] ||
                    wrong "$@"
                got light ;;
            *) wrong "$@" ;;
        esac
        """,
        "mosquitto_pub": """
        [ "$*" = "-h mqtt.home.example -t argus/events -q 1 -s" ] || wrong "$@"
        jq -e 'length == 15 and .id == env.ARGUS_EVENT_ID' > /dev/null || wrong "$@"
        got "$ARGUS_EVENT_ID"
        """,
        "ping": """
        [ "$1 $2 $3 $4 $5" = "-c 1 -W 2 -q" ] || wrong "$@"
        got "$6"
        [ "$6" = "$AT_HOME" ]
        """,
        "paplay": """
        [ "$*" = "$HOME/bell.oga" ] || wrong "$@"
        got ring
        """,
        "date": """
        [ "$*" = +%H ] || exec /usr/bin/date "$@"
        echo "$FAKE_HOUR"
        """,
    ]

    /// The scripts whose second line names them.
    private var scripts: [(name: String, text: String)] {
        blocks("sh").compactMap { block in
            let lines = block.split(separator: "\n")
            guard lines.count > 2, lines[0] == "#!/bin/sh", lines[1].hasPrefix("# ") else {
                return nil
            }
            return (String(lines[1].dropFirst(2)), block)
        }
    }

    private func blocks(_ language: String) -> [String] {
        text.split(separator: "```\(language)\n", omittingEmptySubsequences: false).dropFirst()
            .compactMap { part in part.firstRange(of: "```").map { String(part[..<$0.lowerBound]) }
            }
    }

    /// The indented command lines.
    private var lines: [String] {
        var isInBlock = false
        return text.split(separator: "\n").compactMap { line in
            if line.hasPrefix("```") { isInBlock.toggle() }
            guard !isInBlock, line.hasPrefix("    ") else { return nil }
            return String(line.drop { $0 == " " })
        }
    }

    /// Runs a line, which ends after two events of the last days; a command that fails is not
    /// repeated.
    private func run(_ line: String, hour: String = "12") throws -> ProgramResult {
        let span = line.contains("--since") ? "" : " --since 3d --limit 2"
        let text = line.replacing(
            "argus events watch", with: "argus events watch\(span) --hook-tries 1",
            maxReplacements: 1)
        // Without a command its options are none.
        let isHook = line.contains(" -- ")
        return try home.bash(
            isHook ? text : text.replacing(" --hook-tries 1", with: "", maxReplacements: 1),
            variables: [
                "PATH": "\(home.file("bin")):\(TemporaryHome.binaries):/usr/bin:/bin",
                "FAKE_HOUR": hour, "ARGUS_NO_INPUT": "1",
            ])
    }

    private func expectRight(_ ran: ProgramResult, _ line: String) {
        #expect(ran.status == 0, "\(line): \(ran.complaint)")
        #expect(home.text(of: "wrong") == nil, "\(line): \(home.text(of: "wrong") ?? "")")
    }

    private func log(_ name: String) -> [String] {
        (home.text(of: "\(name).log") ?? "").split(separator: "\n").map(String.init)
    }

    @Test("there are thirteen recipes and a service, and each has a line that uses it")
    func all() throws {
        let recipes = try #require(text.split(separator: "\n## Recipes\n").last)
            .split(separator: "\n## ")[0].split(separator: "\n### ").dropFirst()
        #expect(recipes.count == 13)
        for recipe in recipes {
            #expect(recipe.contains("\n    argus events watch") || recipe.contains("\n    ./"))
        }
        for script in scripts {
            #expect(lines.contains { $0.contains("./\(script.name)") }, "\(script.name)")
        }
    }

    @Test("every command line works, and calls what it should")
    func recipes() throws {
        try home.signIn(to: try DemoServer("--events", "3000"), "--name", "home")
        for line in lines where line != "./courier" { expectRight(try run(line), line) }
        #expect(log("mail").count == 5)
        #expect(log("curl").count { $0 == "phone" } == 5)
        // An event may be without a picture.
        #expect((1...2).contains(log("curl").count { $0 == "chat" }))
        #expect(log("curl").count { $0 == "light" } == 2)
        #expect(log("paplay") == ["ring", "ring"])
        #expect(Set(log("mosquitto_pub")).count == 2)
        #expect(try home.files().contains { $0.hasPrefix("rings/") && $0.hasSuffix(".jpg") })
        let kept = (home.text(of: "events.ndjson") ?? "").split(separator: "\n")
        #expect(kept.count == 2 && kept.allSatisfy { $0.hasPrefix("{\"id\":") })
        #expect(try home.files().contains(".config/argus/api-key"))
    }

    @Test("at night there is light")
    func night() throws {
        try home.signIn(to: try DemoServer("--events", "3000"))
        let line = "argus events watch --type person -- ./house"
        expectRight(try run(line, hour: "12"), line)
        #expect(log("curl").isEmpty && log("notify-send").count == 2)
        expectRight(try run(line, hour: "03"), line)
        #expect(log("curl") == ["light", "light"] && log("notify-send").count == 4)
        expectRight(try run("argus events watch --type animal -- ./house", hour: "03"), line)
        #expect(log("notify-send").count == 4)
    }

    @Test("a phone that answers a ping keeps the message away")
    func presence() throws {
        try home.signIn(to: try DemoServer("--events", "3000"))
        let line = "argus events watch --type person -- ./away"
        expectRight(try run("export AT_HOME=ben.home.example; " + line), line)
        #expect(log("curl").isEmpty && log("ping").count == 4)
        expectRight(try run("export AT_HOME=nobody; " + line), line)
        #expect(log("curl") == ["phone", "phone"])
    }

    @Test("one message in ten minutes, and another after one that failed")
    func calm() throws {
        try home.signIn(to: try DemoServer("--events", "3000"))
        let line = "argus events watch --parallel 1 -- ./calm"
        expectRight(try run(line), line)
        #expect(log("curl") == ["phone"])
        expectRight(try run("touch -d '11 minutes ago' calm.lock; " + line), line)
        #expect(log("curl") == ["phone", "phone"])
        try home.write("#!/bin/sh\nexit 1\n", to: "phone", mode: 0o700)
        let failed = try run("touch -d '11 minutes ago' calm.lock; " + line)
        #expect(failed.status == 11)
        #expect(try home.bash("test ! -e calm.lock").status == 0)
    }

    @Test("a step of a script sees the event, or that none came")
    func courier() throws {
        try home.signIn(to: try DemoServer("--events", "3000"))
        let script = try #require(scripts.first { $0.name == "courier" }?.text)
        try home.write(
            script.replacing("wait --type", with: "wait --since 3d --type"), to: "courier")
        let there = try run("sh ./courier")
        #expect(there.status == 0 && there.text.hasPrefix("It is there: "), "\(there.complaint)")
        let none = try withEnoughTime(until: { !$0.complaint.contains("did not answer") }) {
            try home.write(script.replacing("--for 2h", with: "--for \($0)"), to: "courier")
            return try run("sh ./courier")
        }
        #expect(none.text == "Not today.\n", "\(none.complaint)")
    }

    @Test("what a server writes into an event is data to every command")
    func hostile() throws {
        let evil = #"$(touch pwned)`touch pwned`'; touch pwned; \"; touch pwned #\n@/etc/passwd"#
        let event = """
            {"id":"-evil;touch pwned","camera_id":"--help","camera_name":"-- \(evil)",\
            "timestamp":"\(Date.now.ISO8601Format())","description":"\(evil)",\
            "smart_detection_type":"person","objects_detected":["person"]}
            """
        let body = #"{"events":[\#(event)],"total_count":1,"has_more":false}"#
        try home.signIn(
            to: try DemoServer(
                faults: [
                    "route=/api/v1/events,method=GET,status=200,content-type=application/json,"
                        + "body=\(body)"
                ]))
        for script in scripts where script.name != "courier" {
            let ran = try run("argus events watch --limit 1 --hook-timeout 20s -- ./\(script.name)")
            // There is no such camera.
            #expect(
                ran.status == (script.name == "ring" ? 11 : 0), "\(script.name): \(ran.complaint)")
        }
        #expect(try home.files().allSatisfy { !$0.contains("pwned") })
        #expect(log("mosquitto_pub") == ["-evil;touch pwned"])
        #expect(log("notify-send").contains { $0.contains("$(touch pwned)`touch pwned`'; touch") })
        // The document's example of what not to do would be caught.
        let wrong = try #require(blocks("sh").first { $0.contains("# Wrong:") })
        try home.write("#!/bin/sh\n" + wrong, to: "wrong-way", mode: 0o700)
        _ = try run("ARGUS_EVENT_DESCRIPTION='A sign with $(touch pwned) on it' ./wrong-way")
        #expect(try home.files().contains("pwned"))
    }

    @Test("the service's files are understood, as the unit passes them on")
    func service() throws {
        let server = try DemoServer("--events", "3000")
        try home.signIn(to: server)
        try home.write(try home.makeKey(on: server) + "\n", to: "credentials/argus.api-key")
        _ = try home.argus("logout", "--all")
        let unit = try DocumentTests.text(of: "share/systemd/argus-watch@.service")
        let environment = try #require(
            blocks("sh").first { $0.hasPrefix("# ~/.config/argus/watch/door.env") })
        let options = environment.split(separator: "\n").first { $0.hasPrefix("WATCH_OPTIONS=") }
        let start = try #require(unit.split(separator: "\n").first { $0.hasPrefix("ExecStart=") })
            .dropFirst("ExecStart=".count).replacing("/usr/local/bin/", with: "")
            .replacing("%i", with: "door").replacing("%E", with: "$HOME/.config")
            .replacing(
                "$WATCH_OPTIONS",
                with: String(try #require(options).dropFirst("WATCH_OPTIONS=".count)))
        let phone = try #require(scripts.first { $0.name == "phone" }?.text)
        try home.write(phone, to: ".config/argus/watch/door", mode: 0o700)
        let manager = try ServiceManager(home.file("notify"))
        let ran = try run(
            """
            export NOTIFY_SOCKET="$HOME/notify" CREDENTIALS_DIRECTORY="$HOME/credentials"
            export ARGUS_SERVER=\(server.url)
            \(start)
            """)
        expectRight(ran, String(start))
        #expect(try manager.receive(until: "STOPPING=1").first == "READY=1")
        #expect(log("curl") == ["phone", "phone"])
    }

    @Test(
        "the drop-in for commands without privileges is understood by systemd, where it is installed"
    )
    func dropIn() throws {
        guard FileManager.default.isExecutableFile(atPath: "/usr/bin/systemd-analyze") else {
            return
        }
        let unit = try DocumentTests.text(of: "share/systemd/argus-watch@.service")
        try home.write(
            unit.replacing("/usr/local/bin/argus", with: "/bin/true"),
            to: "units/argus-watch@.service")
        let strict = try #require(blocks("ini").first)
        #expect(strict.hasPrefix("# ~/.config/systemd/user/argus-watch@.service.d/strict.conf\n"))
        try home.write(strict, to: "units/argus-watch@.service.d/strict.conf")
        let ran = try home.bash(
            "systemd-analyze --user verify --man=no units/argus-watch@.service",
            variables: ["XDG_RUNTIME_DIR": home.path])
        #expect(ran.complaint.isEmpty, "\(ran.complaint)")
    }
}
