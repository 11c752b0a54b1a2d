import Testing

@testable import argus_demo

/// Runs to which the system refuses something: each ends by itself, and a failure with a sentence.
@Suite("what the system refuses", .waitsForPrograms)
struct RefusalTests {
    private let home: TemporaryHome

    init() throws {
        home = try TemporaryHome()
        try home.signIn(to: try DemoServer("--rate", "60"))
    }

    private static let commands = [
        "events list -n 1", "events watch --for 1s", "notify run latest",
        "cameras snapshot 'Front Door' -o picture.jpg --force", "config set color never",
    ]

    /// Runs each command in a shell after `setting`, with `prefix` before it, and returns what is wrong.
    private func faults(_ setting: String = "true", _ prefix: String = "") throws -> [String] {
        try Self.commands.compactMap { command in
            let ran = try home.bash("\(setting); timeout 20 \(prefix) argus \(command)")
            // Above 14 the shell or timeout reports a signal, or a program that did not end.
            let (status, isTold) = (ran.status ?? 255, !ran.complaint.isEmpty)
            return status == 0 || (status <= 14 && isTold)
                ? nil : "\(command): \(status) \(ran.complaint)"
        }
    }

    @Test("few descriptors", arguments: [8, 9, 10, 12, 14, 16])
    func descriptors(limit: Int) throws {
        #expect(try faults("ulimit -n \(limit)") == [])
    }

    @Test("no socket: status 1 and the system's reason")
    func sockets() throws {
        let ran = try home.bash(
            "timeout 20 strace -f -o /dev/null -e inject=socket:error=EMFILE argus events list")
        #expect(ran.status == 1)
        #expect(ran.complaint.contains("too many open files"), "\(ran.complaint)")
    }

    @Test(
        "calls of every thread that fail",
        arguments: [
            "eventfd2:error=EMFILE", "pipe2:error=EMFILE", "socketpair:error=EMFILE",
            "sendto:error=ENOBUFS:when=1", "poll:error=EINTR:when=1", "fcntl:error=EINTR:when=1",
        ])
    func calls(injection: String) throws {
        #expect(try faults("true", "strace -f -o /dev/null -e inject=\(injection)") == [])
    }

    @Test("no thread: status 1 and a sentence")
    func threads() throws {
        for command in Self.commands.prefix(4) {
            let strace = "strace -f -o /dev/null -e inject=clone,clone3:error=EAGAIN"
            let ran = try home.bash("timeout 20 \(strace) argus \(command)")
            #expect(ran.status == 1, "\(command)")
            #expect(ran.complaint.contains("thread"), "\(command): \(ran.complaint)")
        }
    }

    @Test("a watch with few descriptors ends by SIGTERM")
    func stops() throws {
        for limit in [9, 11, 14] {
            let ran = try home.bash("ulimit -n \(limit); timeout -k 9 1 argus events watch")
            // 124 is what timeout(1) says of a program that its SIGTERM has ended.
            #expect([1, 124].contains(ran.status ?? 255), "\(limit): \(ran.complaint)")
        }
    }

    @Test("without /proc the arguments are read all the same")
    func arguments() throws {
        let ran = try home.bash(
            "unshare -rm sh -c 'mount -t tmpfs none /proc && argus events list -n 1 --format csv'")
        #expect(ran.status == 0, "\(ran.complaint)")
        #expect(ran.lines.first?.hasPrefix("id,") == true, "\(ran.text)")
    }
}
