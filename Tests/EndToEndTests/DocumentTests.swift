import ArgusTestSupport
import FoundationEssentials
import Testing

@testable import argus_demo

/// Every command line of README and docs, run as it stands there.
@Suite(.waitsForPrograms)
struct DocumentTests {
    private let home: TemporaryHome
    private let server: DemoServer

    init() throws {
        home = try TemporaryHome()
        server = try DemoServer()
        try home.signIn(to: server, "--name", "home")
    }

    static func text(of path: String) throws -> String {
        var root = URL(filePath: #filePath)
        for _ in 0..<3 { root.deleteLastPathComponent() }
        return String(decoding: try Data(contentsOf: root.appending(path: path)), as: UTF8.self)
    }

    private static let programs: Set<Substring?> = ["argus", "ping", "sqlite3", "rm", "cp"]

    private func lines(of path: String) throws -> [String] {
        try lines(in: Self.text(of: path), of: path)
    }

    /// The indented command lines of these programs, maybe after a prompt and variables.
    private func lines(in text: String, of path: String) throws -> [String] {
        var lines: [String] = []
        var isInBlock = false
        var unfinished = ""
        for line in text.split(separator: "\n") {
            if line.hasPrefix("```") { isInBlock.toggle() }
            guard !isInBlock, line.hasPrefix("    ") else { continue }
            let text = line.drop { $0 == " " || $0 == "$" }
            let first = text.split(separator: " ").first { !$0.contains("=") }
            guard Self.programs.contains(first) || !unfinished.isEmpty else { continue }
            unfinished += text + "\n"
            if text.hasSuffix("\\") { continue }
            lines.append(String(unfinished.dropLast()))
            unfinished = ""
        }
        try #require(!lines.isEmpty, "\(path) has no command lines")
        return lines
    }

    private func run(_ line: String) throws -> ProgramResult {
        let prelude = """
            id=\(OwnerScriptTests.id); url=\(OwnerScriptTests.endpoint)
            key=\(OwnerScriptTests.receiver[3]); ARCHIVE=$HOME/cameras; set -o pipefail
            """
        // A watch ends when the reader does.
        let text = line.replacing("https://home.example", with: server.url)
            .replacing("/mnt/usb", with: home.path)
            .replacing("argus events watch", with: "argus events watch --since 3d --limit 1")
        return try home.bash(
            prelude + "\n" + text,
            variables: [
                "ARGUS_NO_INPUT": "1",
                "PATH": "\(home.file("bin")):\(TemporaryHome.binaries):/usr/bin:/bin",
            ])
    }

    /// Runs the lines in their order; each ends with the status of the first beginning that it has.
    private func run(_ path: String, statuses: [(beginning: String, status: Int32)]) throws {
        for line in try lines(of: path) {
            let expected = statuses.first { line.hasPrefix($0.beginning) }?.status ?? 0
            let ran = try run(line)
            #expect(ran.status == expected, "\(path): \(line)\n\(ran.complaint)")
        }
    }

    @Test("the command lines of README.md")
    func readme() throws {
        // A desktop is not touched.
        try home.write(
            "#!/bin/sh\n[ \"$*\" = 'A package is at the door' ]\n", to: "bin/notify-send",
            mode: 0o700)
        // A sign-in prompts, and a demo has a camera that is offline.
        try run("README.md", statuses: [("argus login", 2), ("argus cameras snapshot", 11)])
    }

    @Test("the command lines of 'argus help recipes'")
    func recipes() throws {
        for name in ["bin/notify-send", "hook.sh"] {
            try home.write("#!/bin/sh\n", to: name, mode: 0o700)
        }
        let recipes = try home.argus("help", "recipes").text
        for line in try lines(in: recipes, of: "recipes") {
            // Nobody rings here.
            let ran = try run(
                line.replacing("--for 10m", with: "--for 1s").replacing(
                    "--since 7d --limit 1", with: ""))
            // A demo has a camera that is offline.
            let isPartial = line.contains("cameras snapshot --all") || line.contains("check")
            let status: Int32 = line.contains("events wait") ? 13 : isPartial ? 11 : 0
            #expect(ran.status == status, "\(line)\n\(ran.complaint)")
        }
    }

    @Test("the command lines of docs/rules.md")
    func rules() throws {
        try home.write("#!/bin/sh\n", to: "hook", mode: 0o700)
        #expect(try run("argus rules create 'Night people' --type person").status == 0)
        let ids = try home.argus(
            "entities", "list", "--format", "csv", "--no-header", "--fields", "id"
        ).lines
        for line in try lines(of: "docs/rules.md") {
            if line.hasPrefix("argus rules create") {
                #expect(try run("argus rules delete 'Night people' --yes").status == 0)
            }
            let ran = try run(
                line.replacing("156ee2d2", with: try #require(ids.first))
                    .replacing("argus rules run", with: "argus rules run --for 1s"))
            #expect(ran.status == 0, "\(line)\n\(ran.complaint)")
        }
    }

    @Test("the command lines of docs/archive.md, on a disk that is there")
    func archive() throws {
        try run("docs/archive.md", statuses: [])
    }

    @Test("the command lines of docs/agents.md")
    func agents() throws {
        try run("docs/agents.md", statuses: [])
    }

    @Test("the command lines of docs/scripting.md, the key's file in a fresh home too")
    func scripting() throws {
        try home.write("exit 0\n", to: "script.sh")
        try run(
            "docs/scripting.md",
            statuses: [
                ("argus cameras show Garage Nowhere", 11),
                // A demo has a camera that is offline.
                ("argus cameras snapshot --all --changes -q", 11),
                ("argus api system/backup/list", 14),
                ("argus api events/EVENT", 3),
                // Its script is not there.
                ("argus events watch", 2),
                ("argus demo --fault route=/api/v1/events,silent", 6),
            ])
        #expect(try home.files().contains(".config/argus/api-key"))
    }

    @Test("the command lines of docs/push.md")
    func push() throws {
        try home.write(OwnerScriptTests.token + "\n", to: "token")
        try home.write(OwnerScriptTests.receiver[5] + "\n", to: "auth")
        // The lines about preferences are for one that is still subscribed.
        let all = try lines(of: "docs/push.md")
        for line in all {
            if line.hasPrefix("argus push prefs") { try subscribe() }
            let ran = try run(Self.bounded(line))
            // A test reaches the subscriptions of these lines, where nothing listens.
            let status: Int32 = line == "argus push test" ? 1 : 0
            #expect(ran.status == status, "\(line)\n\(ran.complaint)")
        }
    }

    /// A line that would wait for pushes, for as long as it takes to begin only and without its script.
    private static func bounded(_ line: String) -> String {
        guard line.hasPrefix("argus push listen"), !line.hasSuffix("--test") else { return line }
        let command = line.contains(" -- ") ? " -- true" : ""
        return "argus push listen --for 1ms\(command)"
    }

    private func subscribe() throws {
        #expect(
            try home.argus(["push", "subscribe", "-q"] + OwnerScriptTests.receiver).status == 0)
    }

    @Test("the command lines of docs/servers-and-trust.md are understood")
    func servers() throws {
        try home.write("X-Gate: open\n", to: "fields")
        try home.write("passphrase\n", to: "pass")
        // These prompt, wait for a person, or take the relay away that later lines use; the
        // other addresses of that page are nowhere.
        let skipped = [
            "argus login", "ARGUS_CREDENTIAL_STORE", "argus pair",
            "argus server set home --relay ''",
        ]
        for line in try lines(of: "docs/servers-and-trust.md") {
            if skipped.contains(where: line.hasPrefix) { continue }
            let ran = try run(line)
            #expect(ran.status != nil && ran.status != 2, "\(line)\n\(ran.complaint)")
            if line.hasPrefix("argus server remove") {
                try home.signIn(to: server, "--name", "home")
                let relay = try run(
                    "argus server set home --relay https://relay.example/home --no-check")
                #expect(relay.status == 0, "\(relay.complaint)")
            }
        }
    }

    @Test("the units of docs/scripting.md are understood by systemd, where it is installed")
    func units() throws {
        guard FileManager.default.isExecutableFile(atPath: "/usr/bin/systemd-analyze") else {
            return
        }
        let text = try Self.text(of: "docs/scripting.md")
        var files: [String] = []
        for part in text.split(separator: "`/etc/systemd/system/").dropFirst() {
            let name = String(part.prefix { $0 != "`" })
            let start = try #require(part.firstRange(of: "```ini\n")).upperBound
            let end = try #require(part[start...].firstRange(of: "```")).lowerBound
            // The program is not installed where tests run.
            let unit = part[start..<end].replacing("/usr/local/bin/argus", with: "/bin/true")
            try home.write(String(unit), to: "units/" + name)
            files.append("units/" + name)
        }
        try #require(files.count >= 2)
        let ran = try home.bash(
            "systemd-analyze verify --man=no \(files.joined(separator: " "))")
        #expect(ran.status == 0 && ran.complaint.isEmpty, "\(ran.complaint)")
    }
}
