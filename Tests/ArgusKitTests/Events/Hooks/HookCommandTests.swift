import ArgusTestSupport
import Glibc
import Testing

@testable import ArgusCore
@testable import ArgusEvents

@Suite("the command of a hook", .hangLimit)
struct HookCommandTests {
    private let folder: TemporaryFolder
    private let clock = ManualClock()

    init() throws { folder = try TemporaryFolder() }

    private func command(
        _ words: [String], in environment: Environment = Environment()
    ) throws(HookCommandError) -> HookCommand {
        try HookCommand(words, in: environment, within: .seconds(60), clock.clock)
    }

    private func script(_ text: String) throws -> HookCommand {
        try command(["/bin/sh", "-c", text])
    }

    private func variables(_ event: Event, picture: String? = nil) -> [String] {
        HookVariables.words(of: event, on: "home", picture: picture).map {
            $0.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
        }
    }

    @Test("the event is on stdin, whole, and in variables; a hook may leave its input unread")
    func input() async throws {
        let out = folder.file("out")
        let line = [UInt8](repeating: 120, count: 300_000) + [10]
        let command = try script("cat > \(out); printf '%s' \"$ARGUS_EVENT_ID\" > \(out).id")
        let words = HookVariables.words(of: Event(id: "e-1"), on: "home", picture: nil)
        #expect(await command.run(input: line, variables: words) == .done)
        #expect(try folder.text("out").utf8.count == line.count)
        #expect(try folder.text("out.id") == "e-1")
        let deaf = try script("exec 0<&-; exit 0")
        #expect(await deaf.run(input: line, variables: []) == .done)
    }

    @Test("a hook gets no descriptor of its parent but its three streams")
    func descriptors() async throws {
        let open = dup(STDERR_FILENO)
        defer { close(open) }
        let test = "test -e /proc/self/fd/2 && ! test -e /proc/self/fd/\(open)"
        #expect(await (try script(test)).run(input: [], variables: []) == .done)
    }

    @Test("a status, a signal and a program that cannot be started are failures")
    func failures() async throws {
        #expect(
            await (try script("exit 3")).run(input: [], variables: [])
                == .failed("ended with status 3"))
        #expect(
            await (try script("kill -9 $$")).run(input: [], variables: [])
                == .failed("was ended by signal 9"))
        try folder.plant("#!/bin/sh\n", "gone", mode: 0o700)
        let gone = try command([folder.file("gone")])
        #expect(unlink(folder.file("gone")) == 0)
        #expect(
            await gone.run(input: [], variables: [])
                == .failed("cannot be started: no such file or directory"))
    }

    @Test("a command that cannot be started is refused before anything else")
    func refused() throws {
        let place = folder.path
        let environment = Environment(["PATH": "relative::\(place)"])
        func refusal(_ words: String...) -> HookCommandError? {
            do throws(HookCommandError) {
                _ = try command(words, in: environment)
                return nil
            } catch { return error }
        }
        #expect(refusal("") == .notFound(""))
        #expect(refusal("nope") == .notFound("nope"))
        #expect(refusal("sh") == .notFound("sh"))
        #expect(refusal(place) == .notExecutable(place))
        let plain = try folder.plant("#!/bin/sh\n", "plain")
        #expect(refusal("plain") == .notExecutable(plain))
        let text = try folder.plant("echo\n", "text", mode: 0o700)
        #expect(refusal("text") == .noInterpreter(text))
        let empty = try folder.plant("", "empty", mode: 0o700)
        #expect(refusal("empty") == .noInterpreter(empty))
        let odd = try folder.plant("#!/bin/nope -x\n", "odd", mode: 0o700)
        #expect(refusal(odd) == .interpreterNotFound(odd, "/bin/nope"))
        try folder.plant("#! /bin/sh -e\n", "good", mode: 0o700)
        #expect(refusal("good") == nil)
        #expect(refusal("/bin/ls", "-l") == nil)
    }

    @Test("a hook that has to end takes what it started with it, even if both ignore SIGTERM")
    func end() async throws {
        for trap in ["", "trap '' TERM; "] {
            let ids = folder.file("ids")
            unlink(ids)
            let command = try script(
                "\(trap)sh -c '\(trap)sleep 600' & echo $$ $! > \(ids).new; mv \(ids).new \(ids); "
                    + "while :; do sleep 600; done")
            let task = Task { await command.run(input: [], variables: []) }
            while access(ids, F_OK) != 0 { await Task.yield() }
            task.cancel()
            guard case .failed = await task.value else {
                Issue.record("it did not end")
                continue
            }
            for word in try folder.text("ids").split(whereSeparator: \.isWhitespace) {
                while isRunning(String(word)) { await Task.yield() }
            }
        }
    }

    @Test("a command that outlives its time is ended, and fails, whatever its status")
    func timeout() async throws {
        let command = try script(
            "trap 'exit 0' TERM; : > \(folder.file("on")); while :; do sleep 1; done")
        let task = Task { await command.run(input: [], variables: []) }
        while access(folder.file("on"), F_OK) != 0 { await Task.yield() }
        await clock.wake(at: .seconds(60))
        #expect(await task.value == .failed("took longer than 1 min"))
    }

    /// True until a process has ended; a zombie is one that nobody has waited for yet.
    private func isRunning(_ id: String) -> Bool {
        let state = try? FileContents("/proc/\(id)/stat", trust: .named, limit: 4096).bytes
        return state.map { !String(decoding: $0, as: UTF8.self).contains(") Z ") } ?? false
    }

    @Test("values lose NUL, and are cut between characters where they are too long")
    func values() {
        let longest = HookVariables.maxValueSize
        let event = Event(
            id: "a\u{0}b", cameraName: "x\u{0}\u{301}", timestamp: ManualClock.origin,
            description: "xx" + String(repeating: "👩‍👩‍👧", count: 3000))
        let words = variables(event, picture: "")
        #expect(words.contains("ARGUS_EVENT_ID=ab"))
        #expect(words.contains("ARGUS_EVENT_CAMERA_NAME=x\u{301}"))
        #expect(words.contains("ARGUS_EVENT_TYPE=motion"))
        #expect(words.contains("ARGUS_EVENT_TIMESTAMP=2026-11-21T12:00:00.000000Z"))
        #expect(words.contains("ARGUS_EVENT_CAMERA_ID="))
        #expect(words.contains("ARGUS_EVENT_SERVER_NAME=home"))
        #expect(words.contains("ARGUS_EVENT_THUMBNAIL="))
        let text = words.first { $0.hasPrefix("ARGUS_EVENT_DESCRIPTION=") }.map { $0.dropFirst(24) }
        #expect((text?.utf8.count ?? 0) <= longest && (text?.utf8.count ?? 0) > longest - 20)
        #expect(text?.dropFirst(2).allSatisfy { $0 == "👩‍👩‍👧" } == true)
        let heap = "e" + String(repeating: "\u{301}", count: longest)
        #expect(HookVariables.fitted(heap).utf8.count == longest - 1)
        #expect(!variables(event).contains { $0.hasPrefix("ARGUS_EVENT_THUMBNAIL") })
    }
}
