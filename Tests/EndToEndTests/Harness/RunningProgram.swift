import ArgusTestSupport
import Glibc

/// A program that a test started and that ends with the test: it is killed at its deadline.
final class RunningProgram {
    /// The end of a program.
    enum Ending: Equatable {
        case status(Int32)
        case signal(Int32)
    }

    let id: pid_t
    private let channels: Channels
    private let name: String
    private let end: timespec
    private var output: [UInt8] = []
    private var errors: [UInt8] = []
    private var ending: Ending?
    private var usage = rusage()

    init(id: pid_t, channels: Channels, deadline: Int32, name: String) {
        (self.id, self.channels, self.name) = (id, channels, name)
        var end = RunningProgram.now
        end.tv_sec += Int(deadline)
        self.end = end
    }

    deinit {
        stop()
        for descriptor in descriptors + [channels.input].compactMap({ $0 }) { close(descriptor) }
    }

    /// The terminal, where it has one.
    var terminal: Pseudoterminal? { channels.terminal }

    /// Types on the program's terminal.
    func type(_ text: String) {
        guard let terminal else { return }
        _ = write(terminal.descriptor, text, text.utf8.count)
    }

    func send(_ signal: Int32) { kill(id, signal) }

    /// Waits until the program has printed a text, on whatever stream.
    ///
    /// - Throws: `TimeLimitExceeded` when it ended without, or the deadline passed.
    func wait(for text: String) throws { try wait { $0.contains(text) } }

    /// Waits until what the program has printed is enough.
    ///
    /// - Throws: as `wait(for:)`.
    func wait(until isEnough: (String) -> Bool) throws {
        while !isEnough(printed) {
            guard receive() else { throw TimeLimitExceeded(program: name, printed: printed) }
        }
    }

    /// Waits for the end.
    ///
    /// - Throws: `TimeLimitExceeded` when the deadline passed.
    func finish() throws -> ProgramResult {
        while receive() {}
        if remaining == 0 { throw TimeLimitExceeded(program: name, printed: printed) }
        return ProgramResult(
            ending: reap(), output: output, errors: errors, largestMemory: usage.ru_maxrss << 10)
    }

    /// Kills what is left of the program, with its children.
    func stop() {
        guard ending == nil else { return }
        kill(-id, SIGKILL)
        kill(id, SIGKILL)
        _ = reap()
    }

    /// The output so far, on both streams.
    var printed: String {
        String(decoding: output, as: UTF8.self) + String(decoding: errors, as: UTF8.self)
    }

    private var descriptors: [Int32] {
        [channels.output, channels.errors, channels.terminal?.descriptor].compactMap { $0 }
    }

    private var closed: Set<Int32> = []

    /// Takes what was printed next; false when nothing can come any more.
    private func receive() -> Bool {
        let open = descriptors.filter { !closed.contains($0) }
        guard !open.isEmpty else { return false }
        var polled = open.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        guard poll(&polled, nfds_t(polled.count), remaining) > 0 else {
            if errno == EINTR, remaining > 0 { return true }
            stop()
            return false
        }
        var buffer = [UInt8](repeating: 0, count: 65_536)
        for entry in polled where entry.revents != 0 {
            // A terminal that no process holds open fails with EIO.
            let count = read(entry.fd, &buffer, buffer.count)
            if count <= 0 {
                closed.insert(entry.fd)
            } else if entry.fd == channels.errors {
                errors += buffer[..<count]
            } else {
                output += buffer[..<count]
            }
        }
        return true
    }

    /// The result of wait4(2), which can be had once.
    private func reap() -> Ending {
        if let ending { return ending }
        var status: Int32 = 0
        while wait4(id, &status, 0, &usage) < 0, errno == EINTR {}
        let signal = status & 0x7F
        let ending = signal == 0 ? Ending.status(status >> 8 & 0xFF) : .signal(signal)
        self.ending = ending
        return ending
    }

    private static var now: timespec {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return time
    }

    /// Milliseconds until the deadline.
    private var remaining: Int32 {
        let now = RunningProgram.now
        let seconds = end.tv_sec - now.tv_sec
        return Int32(max(0, seconds * 1000 + (end.tv_nsec - now.tv_nsec) / 1_000_000))
    }
}

/// A program that did not do in time what a test waited for.
struct TimeLimitExceeded: Error, CustomStringConvertible {
    var program: String
    var printed: String

    var description: String { "\(program) was not done in time; it printed: \(printed)" }
}
