import CProcess
import Glibc
import Synchronization

/// What a program printed on both its outputs, and its exit status.
struct RunResult: Sendable, Equatable {
    var status: Int32
    var output: String
}

/// A system call that failed while a test was set up.
struct SetupFailure: Error {
    var call: String
    var code = errno
}

/// Runs a program found through PATH, with nothing to read, for at most 60 seconds.
func run(_ words: [String], environment: [String: String] = [:]) throws -> RunResult {
    let settings = environment.map { "\($0.key)=\($0.value)" }
    let child = try starting.withLock { _ in
        try start(["timeout", "60", "env"] + settings + words)
    }
    defer { close(child.output) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
        let count = read(child.output, &buffer, buffer.count)
        if count <= 0 { break }
        bytes += buffer[..<count]
    }
    var status: Int32 = 0
    waitpid(child.pid, &status, 0)
    // The upper byte is the exit status, the lower seven bits a signal.
    let exit = status & 0x7f == 0 ? (status >> 8) & 0xff : 128 + (status & 0x7f)
    return RunResult(status: exit, output: String(decoding: bytes, as: UTF8.self))
}

/// Held while a program starts: between `pipe` and `fcntl` another child could inherit the pipe,
/// and its end would then be waited for too.
private let starting = Mutex(())

private func start(_ words: [String]) throws -> (pid: pid_t, output: Int32) {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw SetupFailure(call: "pipe") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    defer { close(ends[1]) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
    posix_spawn_file_actions_adddup2(&actions, ends[1], 2)
    // Nothing of other tests, such as swift-nio's sockets: a child would keep a port in use.
    posix_spawn_file_actions_addclosefrom_np(&actions, 3)
    var argv = words.map { strdup($0) } + [nil]
    defer { argv.forEach { free($0) } }
    var pid = pid_t()
    let code = posix_spawnp(&pid, words[0], &actions, nil, &argv, environ)
    guard code == 0 else {
        close(ends[0])
        throw SetupFailure(call: "posix_spawnp", code: code)
    }
    return (pid, ends[0])
}

/// A folder for the files of one test, removed with it.
final class ScratchFolder: Sendable {
    let path: String

    init() throws {
        var template = Array("/tmp/toy-test-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw SetupFailure(call: "mkdtemp") }
        path = String(
            decoding: template.dropLast().map { UInt8(truncatingIfNeeded: $0) }, as: UTF8.self)
    }

    deinit {
        _ = try? run(["rm", "-rf", path])
    }

    /// Writes a file and returns its path.
    func write(_ text: String, to name: String, mode: mode_t = 0o600) throws -> String {
        let file = path + "/" + name
        let descriptor = open(file, O_WRONLY | O_CREAT | O_TRUNC, mode)
        guard descriptor >= 0 else { throw SetupFailure(call: "open") }
        defer { close(descriptor) }
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { throw SetupFailure(call: "write") }
            rest = rest.dropFirst(count)
        }
        return file
    }
}
