internal import CProcess
import Glibc

/// Starts a program, given by its path or a name to find in PATH (posix_spawn(3)).
///
/// It keeps its standard streams alone: it could use libcurl's connections, signed in as they are, and
/// would hold the pipes of other children open. Neither the signal mask nor ignored signals pass on.
///
/// `variables` is the whole environment, as `NAME=value` words; `streams` are the descriptors that take
/// the place of standard streams, in order.
/// - Throws: The errno if the program cannot be started.
func spawn(
    _ program: String, _ arguments: [String], variables: [[CChar]],
    streams: [(source: Int32, target: Int32)] = [], flags: Int32 = 0
) throws(Errno) -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (source, target) in streams { posix_spawn_file_actions_adddup2(&actions, source, target) }
    posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1)
    var (attributes, none, all) = (posix_spawnattr_t(), sigset_t(), sigset_t())
    sigemptyset(&none)
    sigfillset(&all)
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setflags(
        &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | flags))
    let words = ([program] + arguments).map { strdup($0) } + [nil]
    let variables = variables.map { strdup($0) } + [nil]
    defer { for text in words + variables { free(text) } }
    var id = pid_t()
    let code = CoreDumps.allowedAsUsual {
        posix_spawnp(&id, program, &actions, &attributes, words, variables)
    }
    guard code == 0 else { throw Errno(rawValue: code) }
    return id
}

/// The exit status in a status of waitpid(2); nil if a signal ended the program.
func exitStatus(of status: Int32) -> Int32? { status & 0x7F == 0 ? status >> 8 & 0xFF : nil }

/// A pipe that closes its ends when it is released; one thread uses it.
final class Pipe {
    private(set) var reading: Int32 = -1
    private(set) var writing: Int32 = -1

    deinit {
        closeReading()
        closeWriting()
    }

    /// Creates the pipe; false, with the cause in errno, on failure.
    func open() -> Bool {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return false }
        (reading, writing) = (ends[0], ends[1])
        return ends.allSatisfy { fcntl($0, F_SETFD, FD_CLOEXEC) == 0 }
    }

    func closeReading() { Pipe.close(&reading) }
    func closeWriting() { Pipe.close(&writing) }

    private static func close(_ end: inout Int32) {
        if end >= 0 { Glibc.close(end) }
        end = -1
    }
}
