import ArgusTestSupport
import FoundationEssentials
import Testing

@testable import argus_demo

/// The recipes of docs/scripting.md, run as they stand there.
@Suite(.waitsForPrograms)
struct RecipeTests {
    private let home: TemporaryHome

    init() throws {
        home = try TemporaryHome()
        try home.signIn(to: try DemoServer("--events", "3000"))
        // Nobody's mail is touched.
        try home.write(
            "#!/bin/sh\n{ echo \"$*\"; cat; } >> \"$HOME/mails\"\n", to: "bin/mail", mode: 0o700)
    }

    /// The script under a heading.
    private func recipe(_ heading: String) throws -> String {
        let path = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "docs/scripting.md")
        let text = String(decoding: try Data(contentsOf: path), as: UTF8.self)
        let section = try #require(text.components("### \(heading)\n").dropFirst().first)
        let block = try #require(String(section).components("```sh\n").dropFirst().first)
        return try #require(String(block).components("```").first.map(String.init))
    }

    private func run(_ heading: String) throws -> ProgramResult {
        let path = "\(home.file("bin")):\(TemporaryHome.binaries):/usr/bin:/bin"
        return try home.bash(try recipe(heading), variables: ["PATH": path])
    }

    @Test("nightly export")
    func nightlyExport() throws {
        for _ in 1...2 {
            let ran = try run("Nightly export")
            #expect(ran.status == 0, "\(ran.complaint)")
        }
        let file = try #require(try home.files().first { $0.hasPrefix("events-") })
        #expect(home.text(of: file)?.hasPrefix("id,camera_id,") == true)
    }

    @Test("snapshots on a timer")
    func snapshots() throws {
        let ran = try run("Snapshots on a timer")
        #expect(ran.status == 0, "\(ran.complaint)")
        #expect(try home.files().count { $0.hasPrefix("pictures/") } == 4)
    }

    @Test("a time-lapse of the pictures that a timer saved")
    func timeLapse() throws {
        try home.write(
            "#!/bin/sh\nshift 8; ls $1 > seen; [ $# = 6 ] && touch \"$6\"\n", to: "bin/ffmpeg",
            mode: 0o700)
        for time in ["120000", "121500"] {
            let name =
                "$(date -d yesterday +%F)/Front-Door-$(date -d yesterday +%Y%m%d)T\(time).jpg"
            let made = try home.bash("f=pictures/\(name); mkdir -p \"${f%/*}\"; touch \"$f\"")
            #expect(made.status == 0)
        }
        let ran = try run("A time-lapse")
        #expect(ran.status == 0, "\(ran.complaint)")
        #expect(home.text(of: "seen")?.split(separator: "\n").count == 2)
        #expect(try home.files().contains { $0.hasPrefix("Front-Door-") && $0.hasSuffix(".mp4") })
    }

    @Test("mail on a package, once for each")
    func mail() throws {
        #expect(try run("Mail on a package").status == 0)
        let mails = home.text(of: "mails")
        #expect(mails?.contains("-s A package: ") == true)
        let again = try run("Mail on a package")
        #expect(again.status == 0, "\(again.complaint)")
        #expect(home.text(of: "mails") == mails)
    }

    @Test("weekly statistics")
    func statistics() throws {
        let ran = try run("Weekly statistics")
        #expect(ran.status == 0, "\(ran.complaint)")
        #expect(ran.lines.count == 6)
        #expect(try home.files().contains { $0.hasPrefix("week-") })
    }
}

extension String {
    /// The parts between the places where a text stands.
    fileprivate func components(_ separator: String) -> [Substring] {
        var parts: [Substring] = []
        var rest = self[...]
        while let range = rest.firstRange(of: separator) {
            parts.append(rest[..<range.lowerBound])
            rest = rest[range.upperBound...]
        }
        return parts + [rest]
    }
}
