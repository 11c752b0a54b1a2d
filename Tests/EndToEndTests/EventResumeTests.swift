import ArgusCore
import ArgusTestSupport
import Glibc
import Testing

@testable import argus_demo

/// What `events export --resume` refuses to go on with, and what an interrupted one says.
@Suite(.waitsForPrograms)
struct EventResumeTests {
    /// A part that one command would leave, and another that is to go on with it.
    struct Mixture: Sendable, CustomTestStringConvertible {
        var begun: String
        var resumed: String
        var reason: String
        var remedy: String

        var testDescription: String { "\(begun) then \(resumed)" }
    }

    private static let mixtures = [
        Mixture(
            begun: "--format ndjson", resumed: "",
            reason: "it contains NDJSON, not CSV", remedy: "use --format ndjson"),
        Mixture(
            begun: "--format ndjson", resumed: "--format csv --no-header",
            reason: "it contains NDJSON, not CSV", remedy: "--format ndjson"),
        Mixture(
            begun: "--format ndjson --fields id,timestamp,description",
            resumed: "--format tsv --fields id,timestamp,description",
            reason: "it contains NDJSON, not TSV", remedy: "--format ndjson"),
        Mixture(
            begun: "--format ndjson --fields id,timestamp", resumed: "--format ndjson",
            reason: "it has other fields: id,timestamp", remedy: "use the same --fields"),
        Mixture(
            begun: "--format ndjson --fields id,timestamp",
            resumed: "--format ndjson --fields timestamp,id",
            reason: "it has other fields: id,timestamp", remedy: "use the same --fields"),
        Mixture(
            begun: "--format csv", resumed: "--format ndjson", reason: "it holds no NDJSON",
            remedy: "use the --format of its rows"),
        Mixture(
            begun: "--format csv", resumed: "--format tsv", reason: "its rows are not TSV",
            remedy: "use the --format of its rows"),
        Mixture(
            begun: "--format tsv --no-header", resumed: "--format csv --no-header",
            reason: "its rows are not CSV", remedy: "use the --format of its rows"),
        Mixture(
            begun: "--no-header --fields id,timestamp,type", resumed: "--no-header",
            reason: "a row of it has 3 cells", remedy: "use the same --fields"),
        Mixture(
            begun: "--no-header --fields id,timestamp,type",
            resumed: "--no-header --fields id,type,timestamp",
            reason: "its rows have no id or no timestamp", remedy: "use the same --fields"),
        Mixture(
            begun: "--fields id,timestamp", resumed: "--no-header --fields id,timestamp",
            reason: "it begins with a header line", remedy: "leave --no-header out"),
        Mixture(
            begun: "--no-header --fields id,timestamp", resumed: "--fields id,timestamp",
            reason: "it does not begin with a header line", remedy: "add --no-header"),
        Mixture(
            begun: "--fields id,timestamp", resumed: "",
            reason: "it has other fields: id,timestamp", remedy: "use the same --fields"),
    ]

    private let home: TemporaryHome

    init() throws {
        home = try TemporaryHome()
    }

    private func export(_ options: String, _ more: String...) throws -> ProgramResult {
        try home.argus(
            ["events", "export"] + options.split(separator: " ").map(String.init) + more)
    }

    /// Leaves the part of an export that says of itself that it is one.
    private func leave(_ part: String) throws {
        try home.write(part, to: "out.part")
        try PartialFile(home.file("out"), remains: .continued, advice: "").note = "an export"
    }

    @Test("a part of which nothing shows its events is not continued")
    func unknownOrigin() throws {
        try home.signIn(to: try DemoServer("--events", "9"))
        let part = String(try export("").text.dropLast(9))
        try home.write(part, to: "out.part")
        for words in ["", "--since 2d"] {
            let ran = try export(words, "--resume", "-o", "out")
            #expect(ran.status == 2)
            #expect(ran.complaint.contains("its conditions are unknown"))
            #expect(home.text(of: "out.part") == part)
        }
        #expect(try export("", "--force", "-o", "out").status == 0)
    }

    @Test("a part of another export is reported, and left alone")
    func mixtures() throws {
        try home.signIn(to: try DemoServer("--events", "9"))
        for mixture in Self.mixtures {
            let whole = try export(mixture.begun).text
            // The last row was cut in the middle.
            let part = String(whole.dropLast(9))
            try leave(part)
            let ran = try export(mixture.resumed, "--resume", "-o", "out")
            #expect(ran.status == 2, "\(mixture): \(ran.complaint)")
            for words in ["'out.part' cannot be continued: \(mixture.reason)", mixture.remedy] {
                #expect(ran.complaint.contains(words), "\(mixture): \(ran.complaint)")
            }
            #expect(home.text(of: "out.part") == part)
            #expect(home.text(of: "out") == nil)
            // The same words go on.
            let same = try export(mixture.begun, "--resume", "-o", "out")
            #expect(same.status == 0, "\(mixture): \(same.complaint)")
            #expect(home.text(of: "out") == whole)
            #expect(unlink(home.file("out")) == 0)
        }
    }

    @Test("fields that are named twice are one, in the part too")
    func repeatedFields() throws {
        try home.signIn(to: try DemoServer("--events", "9"))
        let fields = "--fields id,timestamp,id"
        let whole = try export(fields).text
        #expect(whole.hasPrefix("id,timestamp\n"))
        try leave(String(whole.dropLast(9)))
        #expect(try export(fields, "--resume", "-o", "out").status == 0)
        #expect(home.text(of: "out") == whole)
    }

    @Test("a part of another server, of other conditions or of other fields is reported")
    func origins() throws {
        let fault = "route=/api/v1/events,after=4,times=2,truncate=2000"
        let server = try DemoServer("--events", "1600", faults: [fault])
        try home.signIn(to: server, "--name", "one")
        let begun = "-s one --since 2000-01-01 --no-header --fields id,timestamp,type --retries 0"
        #expect(try export(begun, "-o", "out").status == 7)
        let part = try #require(home.text(of: "out.part"))
        try home.signIn(to: try DemoServer("--events", "20"), "--name", "two")
        for (words, difference) in [
            (begun.replacing("-s one", with: "-s two"), "for another server"),
            (begun + " --camera Garage", "with other conditions: --since 2000-01-01"),
            (
                begun.replacing("2000-01-01", with: "2d"),
                "with other conditions: --since 2000-01-01"
            ),
            (begun.replacing(",type", with: ",source"), "with other fields: id,timestamp,type"),
        ] {
            let ran = try export(words, "--resume", "-o", "out")
            #expect(ran.status == 2, "\(words): \(ran.complaint)")
            #expect(ran.complaint.contains("the first run was \(difference)\n"), "\(ran.complaint)")
            #expect(home.text(of: "out.part") == part)
        }
        let ran = try export(begun, "--resume", "-o", "out")
        #expect(ran.status == 0, "\(ran.complaint)")
        #expect(home.text(of: "out")?.split(separator: "\n").count == 1600)
    }

    @Test("an export that a signal ends says what stays", arguments: [SIGINT, SIGTERM, SIGHUP])
    func interrupted(signal: Int32) throws {
        let server = try DemoServer(
            "--events", "1600", faults: ["route=/api/v1/events,after=5,silent"])
        try home.signIn(to: server)
        let program = try home.launch(["events", "export", "-o", "out", "-vv"]).start()
        // After the newest and the oldest event come pages, the next one always asked for ahead:
        // that the third has come, says that the first is in the file.
        try program.wait { $0.split(separator: "\n").count { $0.contains("GET http") } == 5 }
        program.send(signal)
        let ran = try program.finish()
        #expect(ran.ending == .signal(signal))
        let rows = home.text(of: "out.part")?.split(separator: "\n").count ?? 0
        #expect(rows >= 500)
        let line = "argus: interrupted: the data so far is in 'out.part'; continue with --resume\n"
        #expect(ran.complaint.hasSuffix(line), "\(ran.complaint.suffix(300))")
    }

    @Test("an interrupted export without a row leaves no file")
    func interruptedEarly() throws {
        let server = try DemoServer(
            "--events", "1600", faults: ["route=/api/v1/events,after=2,silent"])
        try home.signIn(to: server)
        let words = ["events", "export", "-o", "out", "--trace", "-"]
        let program = try home.launch(words).start()
        try program.wait(for: "#3 > GET")
        program.send(SIGTERM)
        let ran = try program.finish()
        #expect(ran.ending == .signal(SIGTERM))
        #expect(!ran.complaint.contains("interrupted"))
        #expect(try home.files().filter { !$0.hasPrefix(".") } == [])
    }
}
