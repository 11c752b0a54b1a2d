import ArgusTestSupport
import Glibc
import Testing

@testable import ArgusCore

@Suite("Subprocess", .hangLimit)
struct SubprocessTests {
    // A program may leave its input unread.
    init() { signal(SIGPIPE, SIG_IGN) }

    private func run(
        _ script: String, saying text: String = "", variables: [String: String] = [:],
        timeout: Duration = .seconds(20), limit: Int = 1000
    ) async throws(SubprocessError) -> Subprocess.Answer {
        try await Subprocess.run(
            "/bin/sh", ["-c", script], environment: Environment(variables), timeout: timeout,
            outputLimit: limit, input: Redacted(Array(text.utf8)))
    }

    private func text(_ ending: Subprocess.Answer) -> String {
        String(decoding: ending.output.reveal(), as: UTF8.self)
    }

    @Test("a program reads its input, and its output, errors and status are separate")
    func talks() async throws {
        let ending = try await run("cat; echo oops >&2; exit 41", saying: "read me")
        #expect(text(ending) == "read me")
        #expect(ending.errors == Array("oops\n".utf8))
        #expect(ending.status == 41)
        #expect(try await run("kill -9 $$").status == nil)
    }

    @Test("a program gets no descriptor of its parent but its three streams")
    func descriptors() async throws {
        let open = dup(STDERR_FILENO)
        defer { close(open) }
        let ending = try await run("test -e /proc/self/fd/2 && ! test -e /proc/self/fd/\(open)")
        #expect(ending.status == 0)
    }

    @Test("no child inherits a variable that is a secret, others stay")
    func environment() async throws {
        let ending = try await run(
            "/usr/bin/env",
            variables: [
                "ARGUS_TOKEN": "planted", "ARGUS_API_KEY": "planted", "ARGUS_SERVER": "home",
                "ARGUS_TOKEN_FILE": "/run/token",
            ])
        let lines = text(ending).split(separator: "\n")
        #expect(
            lines.contains("ARGUS_SERVER=home") && lines.contains("ARGUS_TOKEN_FILE=/run/token"))
        #expect(!text(ending).contains("planted"))
    }

    @Test("a program that takes too long is killed with what it started")
    func timeOut() async throws {
        let folder = try TemporaryFolder()
        await #expect(throws: SubprocessError.timedOut) {
            try await run(
                "sleep 600 & echo $! > \(folder.file("id")); wait", timeout: .milliseconds(500))
        }
        let id = try #require(Int32(try folder.text("id").dropLast()))
        // A killed process that nobody has waited for yet is a zombie.
        let state = (try? FileContents("/proc/\(id)/stat", trust: .named, limit: 4096))
            .map { String(decoding: $0.bytes, as: UTF8.self) }
        #expect(state?.contains(") Z ") != false)
    }

    @Test("what a program leaves running is not waited for")
    func daemon() async throws {
        let ending = try await run("sleep 600 & echo $!")
        let id = try #require(Int32(text(ending).dropLast()))
        #expect(kill(id, SIGKILL) == 0)
        #expect(ending.status == 0)
    }

    @Test("endless output ends the program; endless complaints do not, and are cut")
    func bounds() async throws {
        await #expect(throws: SubprocessError.tooMuchOutput) { try await run("yes") }
        let ending = try await run("head -c 100000 /dev/zero >&2; echo done")
        #expect(ending.errors.count == 4096)
        #expect(text(ending) == "done\n")
    }

    @Test("a program may leave its input unread, and none has a terminal")
    func unread() async throws {
        let long = String(repeating: "x", count: 300_000)
        #expect(try await run("exit 7", saying: long).status == 7)
        #expect(try await run("cat | wc -c", saying: long).status == 0)
        #expect(try await run("exec 2>/dev/null; : </dev/tty").status != 0)
    }

    @Test("a file that is not a program is an error")
    func none() async throws {
        await #expect(throws: SubprocessError.notStarted(Errno(rawValue: EACCES))) {
            try await Subprocess.run(
                "/etc/passwd", [], environment: Environment(), timeout: .seconds(1), outputLimit: 1)
        }
    }

    @Test("many programs at once hear the end of their own input")
    func manyAtOnce() async {
        let failures = await withTaskGroup(of: Bool.self, returning: Int.self) { group in
            for number in 0..<40 {
                group.addTask {
                    guard let ending = try? await run("cat", saying: "\(number)") else {
                        return true
                    }
                    return text(ending) != "\(number)"
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(failures == 0)
    }
}
