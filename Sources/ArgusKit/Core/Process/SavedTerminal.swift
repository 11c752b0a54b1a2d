import Glibc
import Synchronization

/// The terminal settings behind a waiting prompt, for signal handlers to restore.
package enum SavedTerminal {
    /// The terminal's descriptor; -1 while no prompt waits.
    private static let descriptor = Atomic<Int32>(-1)
    /// True after the user has stopped the process at the prompt, until it continues there.
    private static let isSuspended = Atomic<Bool>(false)
    /// Held while the terminal changes, by a thread that blocks signals, so that no handler waits for
    /// the thread that it interrupted.
    private static let isBusy = Atomic<Bool>(false)
    // Changed only while `isBusy` is held.
    private nonisolated(unsafe) static var settings = termios()
    private nonisolated(unsafe) static var echoes = true
    private nonisolated(unsafe) static var promptLength = 0
    /// The signals whose handlers use the terminal; made here because a loop over an array allocates
    /// in a debug build.
    private static let handled: sigset_t = {
        var signals = sigset_t()
        sigemptyset(&signals)
        for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGCONT] {
            sigaddset(&signals, number)
        }
        return signals
    }()
    /// The end of the prompt, allocated here because a handler may not allocate.
    private nonisolated(unsafe) static let prompt =
        UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 4096)

    /// Makes the storage, so that a handler never has to.
    static func prepare() {
        _ = descriptor.load(ordering: .relaxed)
        _ = isSuspended.load(ordering: .relaxed)
        _ = isBusy.load(ordering: .relaxed)
        withUnsafePointer(to: &settings) { _ in }
        _ = handled
        _ = prompt.count
    }

    /// Shows a prompt, without echo unless `echoes`; false if the terminal refuses.
    package static func begin(_ text: String, echoes: Bool, on terminal: Int32) -> Bool {
        var current = termios()
        guard tcgetattr(terminal, &current) == 0 else { return false }
        // In the background this stops the process until `fg` (SIGTTOU); nothing below may do so.
        if !echoes, tcsetattr(terminal, TCSANOW, &current) != 0 { return false }
        let isShown = exclusively {
            settings = current
            self.echoes = echoes
            promptLength = min(text.utf8.count, prompt.count)
            _ = prompt.update(fromContentsOf: Array(text.utf8.suffix(promptLength)))
            guard echoes || disableEcho(terminal, current) else { return false }
            isSuspended.store(false, ordering: .relaxed)
            descriptor.store(terminal, ordering: .relaxed)
            return true
        }
        guard isShown else { return false }
        // Outside the lock: writing blocks while the user has stopped the output.
        let text = Array(text.utf8)
        _ = retryingInterrupts { write(terminal, text, text.count) }
        return true
    }

    /// Restores the saved settings once; safe in a signal handler.
    package static func restore() {
        exclusively {
            let terminal = descriptor.exchange(-1, ordering: .relaxed)
            if terminal >= 0 { putBack(terminal) }
        }
    }

    /// Restores the saved settings for the time of a stop; safe in a signal handler.
    static func suspend() {
        exclusively {
            let terminal = descriptor.load(ordering: .relaxed)
            guard terminal >= 0 else { return }
            isSuspended.store(true, ordering: .relaxed)
            putBack(terminal)
        }
    }

    /// Turns the echo off and shows the prompt again if the process was stopped; does nothing in
    /// the background, and is safe in a signal handler.
    ///
    /// Saves the current settings first, since a shell may return the terminal with its own.
    static func resume(showingPrompt: Bool) {
        let shown = exclusively { () -> Int32 in
            let terminal = descriptor.load(ordering: .relaxed)
            var current = termios()
            guard terminal >= 0, JobControl.isForeground(terminal),
                tcgetattr(terminal, &current) == 0
            else { return -1 }
            var isNew = false
            if !echoes, current.c_lflag & tcflag_t(ECHO) != 0 {
                settings = current
                isNew = disableEcho(terminal, current)
            }
            guard showingPrompt else { return -1 }
            return isSuspended.exchange(false, ordering: .relaxed) || isNew ? terminal : -1
        }
        if shown >= 0 { _ = write(shown, prompt.baseAddress, promptLength) }
    }

    private static func putBack(_ terminal: Int32) {
        // A background process may not change the terminal.
        guard !echoes, JobControl.isForeground(terminal) else { return }
        change(terminal, &settings)
    }

    private static func disableEcho(_ terminal: Int32, _ settings: termios) -> Bool {
        var settings = settings
        settings.c_lflag &= ~tcflag_t(ECHO)
        // Drops input typed ahead: it was echoed, so it was not meant as a password.
        return change(terminal, &settings)
    }

    /// Changes a terminal and drops pending input.
    ///
    /// Unlike TCSAFLUSH it does not wait until all output is shown, which may be never.
    @discardableResult
    private static func change(_ terminal: Int32, _ settings: inout termios) -> Bool {
        guard tcsetattr(terminal, TCSANOW, &settings) == 0 else { return false }
        tcflush(terminal, TCIFLUSH)
        return true
    }

    private static func exclusively<Result>(_ body: () -> Result) -> Result {
        var (handled, previous) = (Self.handled, sigset_t())
        pthread_sigmask(SIG_BLOCK, &handled, &previous)
        while isBusy.exchange(true, ordering: .acquiring) { sched_yield() }
        defer {
            isBusy.store(false, ordering: .releasing)
            pthread_sigmask(SIG_SETMASK, &previous, nil)
        }
        return body()
    }
}
