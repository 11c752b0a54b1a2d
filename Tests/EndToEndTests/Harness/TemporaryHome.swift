import ArgusTestSupport
import Glibc
import Synchronization

@testable import argus_demo

/// A HOME folder with the built programs in PATH, empty at first and removed with the test.
final class TemporaryHome {
    let path: String
    /// The servers with a sign-in in this folder, which run as long as it exists.
    private var servers: [DemoServer] = []

    /// The folder of `argus` and `argus-demo`: `ARGUS_BINARIES`, an absolute path, else that of the
    /// tests, beside which they are built.
    static let binaries: String = {
        if let folder = getenv("ARGUS_BINARIES") { return String(cString: folder) }
        guard let resolved = realpath("/proc/self/exe", nil) else { return "" }
        defer { free(resolved) }
        return String(cString: resolved).split(separator: "/").dropLast().map { "/" + $0 }.joined()
    }()

    init() throws {
        var template = Array("\(P_tmpdir)/argus-e2e.XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw SystemCallFailure(call: "mkdtemp") }
        path = template.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
    }

    deinit {
        _ = try? Launch(words: ["/bin/rm", "-rf", path], environment: [:]).start().finish()
    }

    /// The variables of every program; nothing of the tester's own.
    var environment: [String: String] {
        [
            "HOME": path, "PATH": "\(TemporaryHome.binaries):/usr/bin:/bin", "TZ": "UTC",
            "LC_ALL": "C.UTF-8", "TERM": "xterm-256color",
        ]
    }

    /// Prepares a run of `argus`; removes variables that are empty.
    func launch(_ words: [String], _ variables: [String: String] = [:]) -> Launch {
        let all = environment.merging(variables) { $1 }.filter { !$0.value.isEmpty }
        return Launch(
            words: ["\(TemporaryHome.binaries)/argus"] + words, environment: all, folder: path)
    }

    /// Runs `argus` to its end.
    @discardableResult
    func argus(
        _ words: String..., variables: [String: String] = [:], input: Launch.Source = .nothing,
        output: Launch.Sink = .collected
    ) throws -> ProgramResult {
        try argus(words, variables: variables, input: input, output: output)
    }

    /// Runs `argus` to its end.
    @discardableResult
    func argus(
        _ words: [String], variables: [String: String] = [:], input: Launch.Source = .nothing,
        output: Launch.Sink = .collected
    ) throws -> ProgramResult {
        var launch = launch(words, variables)
        launch.input = input
        launch.output = output
        return try launch.start().finish()
    }

    /// Runs `argus` to its end, all its streams on a terminal.
    func argusOnTerminal(_ words: String..., variables: [String: String] = [:]) throws
        -> ProgramResult
    {
        try launch(words, variables).onTerminal.start().finish()
    }

    /// Runs a script of bash, in which `argus` is found.
    func bash(
        _ script: String, arguments: [String] = [], variables: [String: String] = [:]
    ) throws -> ProgramResult {
        var launch = launch([], variables)
        launch.words = ["/bin/bash", "--norc", "-c", script, "bash"] + arguments
        return try launch.start().finish()
    }

    /// Signs in to a demo with its password, or with a token where it knows no passwords.
    func signIn(to server: DemoServer, _ more: String...) throws {
        let ran =
            server.token.isEmpty
            ? try argus(
                ["login", server.url, "-u", "demo", "--password-stdin"] + more,
                input: .text(DemoServer.password + "\n"))
            : try argus(
                ["login", server.url, "--token-stdin"] + more, input: .text(server.token))
        guard ran.status == 0 else { throw NotReady(reason: ran.complaint) }
        servers.append(server)
    }

    /// Makes an API key on today's server, as its administrator.
    func makeKey(on server: DemoServer) throws -> String {
        let script = """
            argus token | sed 's/^/Authorization: Bearer /' | curl -sS -H @- \
              --json '{"name": "tests"}' "$1/api/v1/api-keys"
            """
        let answer = try bash(script, arguments: [server.url])
        guard let key = answer.json["key"]?.string else { throw NotReady(reason: answer.complaint) }
        return key
    }

    /// The path of a file.
    func file(_ name: String) -> String { "\(path)/\(name)" }

    /// Writes a file with its folders, for its owner only, and returns its path.
    @discardableResult
    func write(_ text: String, to name: String, mode: mode_t = 0o600) throws -> String {
        let folders = name.split(separator: "/").dropLast()
        var folder = path
        for part in folders {
            folder += "/\(part)"
            mkdir(folder, 0o700)
        }
        try Launch.filesForPrograms.withLock { _ in
            let descriptor = open(file(name), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode)
            guard descriptor >= 0 else { throw SystemCallFailure(call: "open \(name)") }
            defer { close(descriptor) }
            var rest = Array(text.utf8)[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes {
                    Glibc.write(descriptor, $0.baseAddress, $0.count)
                }
                guard count > 0 else { throw SystemCallFailure(call: "write \(name)") }
                rest = rest.dropFirst(count)
            }
        }
        return file(name)
    }

    /// The bytes of a file; nil when there is none.
    func bytes(of name: String) -> [UInt8]? { fileBytes(file(name)) }

    /// The text of a file; nil when there is none.
    func text(of name: String) -> String? {
        bytes(of: name).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The paths of all files, those in folders included, without the one of HOME.
    func files(in folder: String = "") throws -> [String] {
        let ran = try Launch(
            words: ["/usr/bin/find", ".", "-type", "f", "-o", "-type", "l"], environment: [:],
            folder: file(folder)
        ).start().finish()
        return ran.lines.map { String($0.dropFirst(2)) }.sorted()
    }
}

/// Something that a test needs and did not get.
struct NotReady: Error, CustomStringConvertible {
    var reason: String
    var description: String { reason }
}

/// The bytes of a file; nil when it cannot be read.
func fileBytes(_ path: String) -> [UInt8]? {
    guard let file = fopen(path, "re") else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
        let count = fread(&buffer, 1, buffer.count, file)
        if count == 0 { return bytes }
        bytes += buffer[..<count]
    }
}
