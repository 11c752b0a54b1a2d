import ArgusCore
import ArgusTestSupport
import Glibc
import Testing

/// Whole commands against a server whose answers are long, or become it.
///
/// `make fuzz` gives every body to every command, and `make test` to a few.
@Suite("memory", .waitsForPrograms)
struct MemoryTests {
    /// The memory that a command may have beyond what it needs for an answer of a few bytes: twice the
    /// largest answer.
    private static let bound = 2 * (32 << 20)

    private static let isFuzzed = getenv("ARGUS_FUZZ") != nil

    /// The commands that meet each body.
    private static let lines =
        isFuzzed
        ? FuzzedCommands.lines.flatMap { $0.split(separator: ";").map { String($0) } }
            + FuzzedCommands.watches.map { $0 + " --for 3s" }
        : [
            "events list --all", "whoami", "api --paginate events",
            "cameras snapshot c0 -o OUT/",
        ]

    /// Those that ask no server where there is no sign-in.
    private static let silent = ["logout", "token", "pair resume", "server show"]

    /// A body for whatever is asked.
    struct Body: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var bytes: @Sendable () -> [UInt8]
        var headers: [String] = []
        var status = "200 OK"
        /// True for a body beyond the limit of 32 MiB.
        var isTooLarge = false
        /// The body from an offset on, where there are pages.
        var page: (@Sendable (Int) -> [UInt8])?

        init(_ description: String, pages page: @escaping @Sendable (Int) -> [UInt8]) {
            self.init(description) { page(0) }
            self.page = page
        }

        init(
            _ description: String, headers: [String] = [], status: String = "200 OK",
            isTooLarge: Bool = false, _ bytes: @escaping @Sendable () -> [UInt8]
        ) {
            testDescription = description
            self.bytes = bytes
            self.headers = headers
            self.status = status
            self.isTooLarge = isTooLarge
        }
    }

    private static func repeated(
        _ text: String, _ count: Int, from start: String, to end: String
    ) -> [UInt8] {
        let piece = Array(text.utf8)
        var bytes = Array(start.utf8)
        bytes.reserveCapacity(piece.count * count + 100)
        for _ in 0..<count { bytes += piece }
        return bytes + Array(end.utf8)
    }

    private static func rows(
        _ count: Int, hasMore: Bool = false, _ row: (Int) -> String
    ) -> [UInt8] {
        var bytes: [UInt8] = Array(#"{"events":["#.utf8)
        for number in 0..<count { bytes += Array(((number == 0 ? "" : ",") + row(number)).utf8) }
        return bytes + Array(#"],"has_more":\#(hasMore)}"#.utf8)
    }

    private static let picture =
        [0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 1, 2, 0xFF, 0xC0, 0, 5, 1, 2, 3, 0xFF, 0xDA, 0, 3, 0]
        + [UInt8](repeating: 17, count: 4 << 20) + [0xFF, 0xD9]

    static let bodies = [
        Body(
            "63 MiB of zeros in 400 bytes", headers: ["Content-Encoding: gzip, gzip"],
            isTooLarge: true
        ) { Bombs.zeros },
        Body("a string of 7 MiB in 100 bytes", headers: ["Content-Encoding: gzip, gzip"]) {
            Bombs.text
        },
        Body("a string of 63 MiB", isTooLarge: true) {
            repeated("aaaaaaaa", 63 << 17, from: "\"", to: "\"")
        },
        Body("a string of 31 MiB") { repeated("aaaaaaaa", 31 << 17, from: "\"", to: "\"") },
        Body("zeros") { repeated("0,", 4 << 20, from: "[", to: "0]") },
        Body("empty arrays") { repeated("[],", 2 << 20, from: #"{"events":["#, to: "[]]}") },
        Body("brackets") { repeated("[", 16 << 20, from: "", to: "") },
        Body("small rows") { rows(300_000) { #"{"id":"\#($0)"}"# } },
        Body("rows of 100 KB") {
            let text = String(repeating: "x", count: 100_000)
            return rows(300) {
                #"{"id":"e\#($0)","timestamp":\#(1_700_000_000 - $0),"x":"\#(text)"}"#
            }
        },
        Body("a row of 15 MiB") {
            repeated(
                "abcdefgh", 15 << 17, from: #"{"events":[{"id":"e","description":""#, to: "\"}]}")
        },
        Body("a page of 31 MB, for a table") {
            let text = String(repeating: "x", count: 31_000)
            return rows(1000) {
                #"{"id":"e\#($0)","timestamp":\#(1_700_000_000 - $0),"description":"\#(text)"}"#
            }
        },
        Body("long ids") {
            let text = String(repeating: "i", count: 3000)
            return rows(19_900) {
                #"{"id":"\#(text)\#($0)","timestamp":\#(1_700_000_000 - $0)}"#
            }
        },
        Body("ids that are not too long") {
            let text = String(repeating: "i", count: 250)
            return rows(19_900) {
                #"{"id":"\#(text)\#($0)","timestamp":\#(1_700_000_000 - $0)}"#
            }
        },
        Body(
            "an instant of 180 MB",
            pages: { offset in
                let text = String(repeating: "x", count: 6000)
                return rows(500, hasMore: offset < 30_000) {
                    #"{"id":"e\#(offset + $0)","timestamp":1700000000,"x":"\#(text)"}"#
                }
            }),
        Body("an object of many numbers") {
            repeated(#""abc":12345,"#, 140_000, from: #"{"id":"e","usage":{"#, to: #""z":1}}"#)
        },
        Body("controls") {
            repeated("\u{7F}", 2 << 20, from: #"{"id":"e","detail":""#, to: "\"}")
        },
        Body("members") {
            repeated(#""abc":0,"#, 900_000, from: "{", to: #""id":"e"}"#)
        },
        Body("lines") { repeated(#"{"id":"e1"}"# + "\n", 300_000, from: "", to: "") },
        Body("a page of an error", status: "500 Internal Server Error") {
            repeated("<p>", 2 << 20, from: "<html>", to: "")
        },
        Body("an endless error", status: "404 Not Found", isTooLarge: true) {
            repeated("aaaaaaaa", 63 << 17, from: "", to: "")
        },
        Body("a picture", headers: ["Content-Type: image/jpeg"]) { picture },
        Body("a picture in base64") {
            repeated("YWFh", 4 << 20, from: #"{"id":"e","image_base64":""#, to: "\"}")
        },
    ]

    private static let cameras = #"[{"id":"c0","name":"c0"}]"#

    /// Runs a program and writes its peak in KiB: a child of the tests would be said to have had
    /// theirs (getrusage(2), execve(2)).
    static let measure = """
        import os, sys
        child = os.fork()
        if child == 0: os.execvp(sys.argv[1], sys.argv[1:])
        _, status, usage = os.wait4(child, 0)
        if not os.WIFEXITED(status): sys.exit("ended by a signal")
        print("\\n%d %d" % (usage.ru_maxrss, os.WEXITSTATUS(status)), file=sys.stderr)
        """

    /// What became of a command line.
    private struct Outcome {
        /// The most memory that it took.
        var peak: Int
        var status: Int
        var complaint: String
        var requestCount: Int
    }

    /// Runs a command line against a body, whose bytes from the start on are given.
    private func run(_ line: String, _ body: Body, _ bytes: [UInt8]) async throws -> Outcome {
        let home = try TemporaryHome()
        mkdir(home.file("out"), 0o700)
        for name in ["old", "new"] { try home.write("password-\(name)", to: "out/\(name)") }
        let step = LoopbackServer.Step.answer(body.status, headers: body.headers, bytes: bytes)
        return try await LoopbackServer.serving({ request in
            if line.contains("snapshot"), request.line.contains("/cameras ") {
                return [.answer("200 OK", Self.cameras)]
            }
            guard let page = body.page, let offset = Self.offset(of: request) else { return [step] }
            return [.answer(body.status, headers: body.headers, bytes: page(offset))]
        }) { server in
            let words = line.replacing("OUT", with: home.file("out"))
                .replacing("https://home.example", with: server.origin.description)
            let isRaw = line.contains("--raw") && !line.contains("api ")
            var launch = home.launch(
                (line.contains("https://home.") ? [] : ["--server", server.origin.description])
                    + words.split(separator: " ").map(String.init)
                    + (isRaw ? ["--format", "ndjson"] : []),
                ["ARGUS_TOKEN": "token", "ARGUS_NO_INPUT": "1", "TMPDIR": home.path])
            launch.words = ["python3", "-c", Self.measure] + launch.words
            launch.deadline = 600
            launch.output = .file("/dev/null")
            let ran = try launch.start().finish()
            let numbers = (ran.complaint.split(separator: "\n").last ?? "").split(separator: " ")
                .compactMap { Int($0) }
            try #require(numbers.count == 2, "\(line): \(ran.complaint)")
            return Outcome(
                peak: numbers[0] << 10, status: numbers[1], complaint: ran.complaint,
                requestCount: server.requests.count)
        }
    }

    private static func offset(of request: LoopbackServer.Request) -> Int? {
        guard let name = request.line.firstRange(of: "offset=") else { return nil }
        return Int(request.line[name.upperBound...].prefix { $0.isNumber })
    }

    @Test("an answer is held up to 32 MiB, and refused beyond", arguments: bodies)
    func bounded(body: Body) async throws {
        let bytes = body.bytes()
        let short = Body("short") { Array("{}".utf8) }
        let usual = try await run("whoami", short, short.bytes()).peak
        for line in Self.lines {
            let outcome = try await run(line, body, bytes)
            #expect(
                outcome.peak <= usual + Self.bound,
                "\(line): \(outcome.peak >> 20) MiB, and \(usual >> 20) MiB for a short answer")
            // A command that does not begin to work proves nothing.
            let words = line.split(separator: " ").joined(separator: " ")
            #expect(Self.silent.contains(words) || outcome.requestCount > 0, "\(line)")
            // Where the answer is no list there are no pages of it, which is 2, too.
            #expect(outcome.status != 2 || line.contains("--paginate"), "\(line)")
            if !Self.isFuzzed, body.isTooLarge {
                #expect(outcome.status == 7, "\(line)")
                #expect(outcome.complaint.contains("the answer is larger than 32 MiB"), "\(line)")
            }
        }
    }
}
