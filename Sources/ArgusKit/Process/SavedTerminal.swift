import Glibc
import Synchronization

/// The prompt that waits at a terminal: what signal handlers put back, and show again.
enum SavedTerminal {
    /// The terminal's descriptor, -1 while no prompt waits.
    private static let descriptor = Atomic<Int32>(-1)
    /// Whether the person stopped the process at the prompt and has not come back to it.
    private static let isLeft = Atomic<Bool>(false)
    /// Held while the terminal is changed, by a thread that meets no signal meanwhile: a handler
    /// that waits for it never waits for the thread that it interrupted.
    private static let isBusy = Atomic<Bool>(false)
    // Changed only by whoever holds `isBusy`.
    private nonisolated(unsafe) static var settings = termios()
    private nonisolated(unsafe) static var echoes = true
    private nonisolated(unsafe) static var promptLength = 0
    /// The end of the prompt; a handler may not allocate.
    private nonisolated(unsafe) static let prompt =
        UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 4096)

    /// Makes the storage, so that a handler never has to.
    static func prepare() {
        _ = descriptor.load(ordering: .relaxed)
        _ = isLeft.load(ordering: .relaxed)
        _ = isBusy.load(ordering: .relaxed)
        withUnsafePointer(to: &settings) { _ in }
        _ = prompt.count
    }

    /// Shows a prompt, with the echo off unless it `echoes`; false where the terminal refuses.
    static func begin(_ text: String, echoes: Bool, on terminal: Int32) -> Bool {
        var current = termios()
        guard tcgetattr(terminal, &current) == 0 else { return false }
        // In the background this stops the process until `fg` (SIGTTOU), as nothing below may.
        if !echoes, tcsetattr(terminal, TCSANOW, &current) != 0 { return false }
        let isShown = exclusively {
            settings = current
            self.echoes = echoes
            promptLength = min(text.utf8.count, prompt.count)
            _ = prompt.update(fromContentsOf: Array(text.utf8.suffix(promptLength)))
            guard echoes || silence(terminal, current) else { return false }
            isLeft.store(false, ordering: .relaxed)
            descriptor.store(terminal, ordering: .relaxed)
            return true
        }
        // It waits where the person has stopped the output, and whoever puts back must not.
        if isShown { write(text, to: terminal) }
        return isShown
    }

    /// Puts back what was saved, once; safe in a signal handler.
    static func restore() {
        exclusively {
            let terminal = descriptor.exchange(-1, ordering: .relaxed)
            if terminal >= 0 { putBack(terminal) }
        }
    }

    /// Puts back what was saved for as long as the process is stopped; for a signal handler.
    static func leave() {
        exclusively {
            let terminal = descriptor.load(ordering: .relaxed)
            guard terminal >= 0 else { return }
            isLeft.store(true, ordering: .relaxed)
            putBack(terminal)
        }
    }

    /// Takes the echo away again where it is back, and shows the prompt anew if the process was
    /// stopped; for a signal handler, and nothing in the background.
    ///
    /// A shell may give a terminal back as it was for itself, so what stands there now is kept.
    static func comeBack(showingPrompt: Bool) {
        let shown = exclusively { () -> Int32 in
            let terminal = descriptor.load(ordering: .relaxed)
            var current = termios()
            guard terminal >= 0, JobControl.isForeground(terminal),
                tcgetattr(terminal, &current) == 0
            else { return -1 }
            var isNew = false
            if !echoes, current.c_lflag & tcflag_t(ECHO) != 0 {
                settings = current
                isNew = silence(terminal, current)
            }
            guard showingPrompt else { return -1 }
            return isLeft.exchange(false, ordering: .relaxed) || isNew ? terminal : -1
        }
        if shown >= 0 { _ = Glibc.write(shown, prompt.baseAddress, promptLength) }
    }

    private static func putBack(_ terminal: Int32) {
        // What stands in the background has no say about the terminal.
        guard !echoes, JobControl.isForeground(terminal) else { return }
        change(terminal, &settings)
    }

    private static func silence(_ terminal: Int32, _ settings: termios) -> Bool {
        var settings = settings
        settings.c_lflag &= ~tcflag_t(ECHO)
        // Dropping what was typed ahead: it was shown, and not meant as a password.
        return change(terminal, &settings)
    }

    /// Changes a terminal and drops what was typed, without waiting until it has shown everything
    /// (TCSAFLUSH), which may be never.
    @discardableResult
    private static func change(_ terminal: Int32, _ settings: inout termios) -> Bool {
        guard tcsetattr(terminal, TCSANOW, &settings) == 0 else { return false }
        tcflush(terminal, TCIFLUSH)
        return true
    }

    private static func write(_ text: String, to terminal: Int32) {
        var text = text
        text.withUTF8 { bytes in
            _ = retryingInterrupts { Glibc.write(terminal, bytes.baseAddress, bytes.count) }
        }
    }

    private static func exclusively<Result>(_ body: () -> Result) -> Result {
        var (handled, previous) = (sigset_t(), sigset_t())
        sigemptyset(&handled)
        for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGCONT] {
            sigaddset(&handled, number)
        }
        pthread_sigmask(SIG_BLOCK, &handled, &previous)
        while isBusy.exchange(true, ordering: .acquiring) { sched_yield() }
        defer {
            isBusy.store(false, ordering: .releasing)
            pthread_sigmask(SIG_SETMASK, &previous, nil)
        }
        return body()
    }
}
