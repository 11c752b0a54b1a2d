import CProcess
import Glibc

/// A program that a test starts and ends (posix_spawn(3)).
package final class ChildProcess: Sendable {
    package let id: Int32
    /// The writing end of the program's input; servers such as `openssl s_server` end with it.
    private let input: Int32

    /// Starts a program found in PATH, with its output in a file and no input.
    ///
    /// - Throws: `SystemCallFailure`, with `posix_spawnp` if the program is missing.
    package init(_ words: [String], output: String = "/dev/null") throws {
        var ends: [Int32] = [-1, -1]
        // A pipe whose ends no other child inherits.
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
            throw SystemCallFailure(call: "socketpair")
        }
        defer { close(ends[0]) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, ends[0], 0)
        posix_spawn_file_actions_addopen(
            &actions, 1, output, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        posix_spawn_file_actions_adddup2(&actions, 1, 2)
        // Nothing of other tests, such as swift-nio's sockets: a child would keep a port in use.
        posix_spawn_file_actions_addclosefrom_np(&actions, 3)

        // Swift's threads block most signals, so a child would not receive SIGTERM.
        var (attributes, none, all) = (posix_spawnattr_t(), sigset_t(), sigset_t())
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        var id = pid_t()
        let code = posix_spawnp(&id, words[0], &actions, &attributes, &arguments, environ)
        guard code == 0 else {
            close(ends[1])
            throw SystemCallFailure(call: "posix_spawnp \(words[0])", code: code)
        }
        (self.id, input) = (id, ends[1])
    }

    deinit {
        close(input)
    }

    /// Waits for the end and returns the exit status; -1 when a signal ended it.
    @discardableResult
    package func wait() -> Int32 {
        var status: Int32 = 0
        while waitpid(id, &status, 0) < 0, errno == EINTR {}
        return status & 0x7F == 0 ? (status >> 8) & 0xFF : -1
    }

    /// Ends the program and waits for it.
    package func stop() {
        kill(id, SIGTERM)
        wait()
    }
}
