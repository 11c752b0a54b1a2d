import ArgusTestSupport
import FoundationEssentials
import Testing

@testable import argus_demo

/// The scripts of docs/goals, run as they stand there.
@Suite(.waitsForPrograms)
struct GoalTests {
    private let home: TemporaryHome
    private let server: DemoServer

    init() throws {
        home = try TemporaryHome()
        server = try DemoServer("--events", "3000")
        try home.signIn(to: server, "--name", "home")
        // No chat is touched.
        try home.write(
            "#!/bin/sh\nprintf '%s\\n' \"$@\" > \"$HOME/posted\"\n", to: "bin/curl", mode: 0o700)
    }

    private func run(
        _ name: String, _ words: String = "", before: String = ""
    ) throws -> ProgramResult {
        let ran = try home.bash("\(before)\nsh goal.sh \(words)", variables: try goal(name))
        #expect(ran.status == 0, "\(name): \(ran.complaint)")
        return ran
    }

    @Test("nightly CSV, silent in cron, and left alone when it is whole")
    func nightly() throws {
        for _ in 1...2 {
            let ran = try run("nightly-csv")
            #expect(ran.text.isEmpty && ran.complaint.isEmpty, "\(ran.text)\(ran.complaint)")
        }
        let file = try #require(try home.files().first { $0.hasPrefix("events-") })
        #expect(home.text(of: file)?.hasPrefix("id,camera_id,") == true)
    }

    @Test("snapshots in dated folders; the last four of each camera stay, and foreign files")
    func snapshots() throws {
        try home.write("mine", to: "pictures/2020-01-01/mine.jpg")
        // Pictures of long ago, as earlier runs left them.
        let old = """
            for i in 1 2 3 4 5; do
                argus cameras snapshot Garage -q -o pictures/ --keep-last 9 \
                    --name-template "2020-01-01/{camera}-$i" || exit
            done
            sed -i 's/\\t17/\\t15/' pictures/.argus-snapshots
            """
        let ran = try run("timed-snapshots", before: old)
        #expect(ran.text.isEmpty)
        let files = try home.files().filter { $0.hasPrefix("pictures/") }
        #expect(files.contains("pictures/2020-01-01/mine.jpg"))
        #expect(files.count { $0.contains("Garage") } == 4, "\(files)")
        #expect(!files.contains("pictures/2020-01-01/Garage-1.jpg"))
    }

    @Test("weekly statistics, and who has access")
    func reports() throws {
        let week = try run("weekly-statistics")
        #expect(week.lines.count == 6)
        let access = try run("who-has-access")
        #expect(access.lines.count { $0.hasPrefix("# ") } == 4)
        #expect(access.lines.contains { $0.hasPrefix("true,") }, "\(access.text)")
    }

    @Test("quiet hours, in this machine's zone")
    func quietHours() throws {
        let register = """
            export TZ=Europe/Paris
            argus push register -q --push-token \(OwnerScriptTests.token) --platform ios \
                --device-id \(OwnerScriptTests.id) --device-name 'my phone'
            """
        let ran = try run("quiet-hours", "'my phone'", before: register)
        #expect(ran.text == "22:00-07:00 Europe/Paris\n")
    }

    @Test("last night at the front door, with pictures")
    func lastNight() throws {
        let ran = try run("last-night")
        let pictures = try home.files().count { $0.hasPrefix("night/") }
        #expect(!ran.lines.isEmpty && pictures <= ran.lines.count)
    }

    @Test("the latest picture goes to the chat")
    func chat() throws {
        _ = try run("latest-to-chat", before: "export CHAT_HOOK=https://chat.example/hook")
        #expect(
            home.text(of: "posted")?.contains("file=@latest.jpg\nhttps://chat.example/hook") == true
        )
        #expect(home.text(of: "latest.txt")?.isEmpty == false)
    }

    @Test("old events are counted first, then deleted")
    func cleanUp() throws {
        let count = try run("clean-up", before: "export AGE=3d").lines.first
        #expect(count?.hasPrefix("0 ") == false && count?.hasSuffix("older than 3d") == true)
        #expect(try run("clean-up", before: "export AGE=3d").lines.first == count)
        _ = try run("clean-up", "--yes", before: "export AGE=3d")
        #expect(
            try run("clean-up", before: "export AGE=3d").lines == ["0 events are older than 3d"])
    }

    @Test("a machine without a screen pairs, and goes on with a key of its own")
    func headless() throws {
        let ran = try home.bash(
            """
            mkdir pi; (HOME=$HOME/pi sh goal.sh \(server.url)) > out 2> err & pi=$!
            until code=$(argus pair pending --json | jq -er '.[0].code'); do
                kill -0 $pi || { cat err; exit 1; }
            done 2>/dev/null
            argus pair confirm -q "$code" --yes && wait $pi && cat out
            # A second run needs nobody.
            HOME=$HOME/pi sh goal.sh \(server.url)
            """, variables: try goal("headless-pi"))
        #expect(ran.status == 0, "\(ran.complaint)\(home.text(of: "err") ?? "")")
        #expect(try home.files().contains("pi/.config/argus/api-key"))
    }

    @Test("the same server by a relay")
    func movingOutside() throws {
        _ = try goal("moving-outside")
        let ran = try FrontServer.launch(
            """
            certificate relay; serve relay
            sh goal.sh home "$URL" --fingerprint "$(fingerprint relay)"
            """, in: home, before: server
        ).start().finish()
        #expect(ran.status == 0, "\(ran.complaint)")
    }

    @Test("a mail for each package, also for those that come while the script does not run")
    func packageAlert() throws {
        let busy = try DemoServer("--rate", "600")
        try home.signIn(to: busy, "--name", "busy")
        try home.write(
            "#!/bin/sh\nprintf '%s\\n' \"$@\" >> \"$HOME/words\"; cat >> \"$HOME/mails\"\n",
            to: "bin/mail", mode: 0o700)
        // Without job control the script and its argus would not end together.
        let script = """
            set -m; export ARGUS_SERVER=busy; touch mails
            for count in 2 4; do
                sh goal.sh ann@example.org & alert=$!
                until [ "$(wc -l < mails)" -ge $count ]; do kill -0 $alert || exit; done
                kill -TERM -- -$alert; wait $alert
                # Its argus may release the state a moment later.
                while kill -0 -- -$alert; do :; done
            done 2> told
            argus events list --type package --all --format ndjson --fields timestamp,description |
                jq -r '"\\(.timestamp)  \\(.description)"'
            """
        let ran = try home.bash(script, variables: try goal("package-alert"))
        let told = home.text(of: "told") ?? ""
        let mails = try #require(home.text(of: "mails")).split(separator: "\n").map(String.init)
        #expect(mails.count >= 4 && Set(mails).count == mails.count, "\(told)")
        #expect(Set(mails).isSubset(of: ran.lines), "\(ran.lines) \(mails)")
        #expect(home.text(of: "words")?.hasPrefix("-s\nA package: ") == true)
    }

    @Test("the cameras of every server")
    func severalServers() throws {
        let ran = try run("several-servers")
        #expect(ran.lines.first == "server,name,online" && ran.lines.count == 7, "\(ran.text)")
    }

    /// Puts a script where `sh goal.sh` finds it, and returns the variables of its run.
    private func goal(_ name: String) throws -> [String: String] {
        try home.write(try DocumentTests.text(of: "docs/goals/\(name).sh"), to: "goal.sh")
        return ["PATH": "\(home.file("bin")):\(TemporaryHome.binaries):/usr/bin:/bin"]
    }
}
