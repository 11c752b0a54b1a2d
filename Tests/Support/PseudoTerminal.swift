package import ArgusAccount
import Glibc
import Synchronization
import Testing

/// A terminal whose other side is the test.
package final class PseudoTerminal: Sendable {
    private let controller: Int32
    private let terminal: Int32
    package let path: String

    package init() throws {
        // glibc hides posix_openpt(3) and its kin from Swift; this is what they do (pts(4)).
        let unlock: UInt = 0x4004_5431  // TIOCSPTLCK
        let tellNumber: UInt = 0x8004_5430  // TIOCGPTN
        controller = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var number: Int32 = 0
        try #require(ioctl(controller, unlock, &number) == 0)
        try #require(ioctl(controller, tellNumber, &number) == 0)
        path = "/dev/pts/\(number)"
        // Held open, so that the other side never ends between two questions.
        terminal = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
        try #require(terminal >= 0)
    }

    deinit {
        close(terminal)
        close(controller)
    }

    package func setWidth(_ columns: UInt16) throws {
        var size = winsize(ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        try #require(ioctl(terminal, UInt(TIOCSWINSZ), &size) == 0)
    }

    package func hasEcho() throws -> Bool {
        var settings = termios()
        try #require(tcgetattr(terminal, &settings) == 0)
        return settings.c_lflag & tcflag_t(ECHO) != 0
    }

    package func type(_ text: String) throws {
        let bytes = Array(text.utf8)
        try #require(write(controller, bytes, bytes.count) == bytes.count)
    }

    /// What was shown until the text appeared, within five seconds.
    package func output(upTo end: String) throws -> String {
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        while !bytes.reversed().starts(with: end.utf8.reversed()) {
            var poll = pollfd(fd: controller, events: Int16(POLLIN), revents: 0)
            try #require(Glibc.poll(&poll, 1, 5000) == 1)
            try #require(read(controller, &byte, 1) == 1)
            bytes.append(byte)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Asks on a thread of its own, since a question blocks.
    package func answer(
        _ ask: @escaping @Sendable (SecretInput) throws(AccountError) -> String
    ) -> Answer {
        let path = path
        return Answer { () throws(AccountError) in
            try ask(SecretInput(mayAsk: true, terminalPath: path))
        }
    }

    package final class Answer: Sendable {
        package typealias Outcome = Result<String, AccountError>
        private let outcome = Mutex<Outcome?>(nil)
        private let ask: @Sendable () throws(AccountError) -> String
        private let thread: Mutex<pthread_t>

        init(_ ask: @escaping @Sendable () throws(AccountError) -> String) {
            self.ask = ask
            thread = Mutex(pthread_t())
            thread.withLock { thread in
                let context = Unmanaged.passRetained(self).toOpaque()
                pthread_create(&thread, nil, runAnswer, context)
            }
        }

        func run() {
            let result = Outcome { () throws(AccountError) in try ask() }
            outcome.withLock { $0 = result }
        }

        package func value() -> Outcome? {
            _ = thread.withLock { pthread_join($0, nil) }
            return outcome.withLock { $0 }
        }
    }
}

private func runAnswer(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let context {
        Unmanaged<PseudoTerminal.Answer>.fromOpaque(context).takeRetainedValue().run()
    }
    return nil
}
