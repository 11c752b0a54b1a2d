import Glibc
import Synchronization

/// Restores the terminal at Ctrl-Z and takes it back after `fg` (credentials(7), termios(3)).
package enum JobControl {
    private static let isPrepared = Atomic<Bool>(false)
    private static let continuations = Atomic<Int>(0)

    /// Installs the handlers of SIGTSTP, unless the caller ignores it, and SIGCONT once; called before
    /// drawing anything that a shell would write over.
    package static func prepare() {
        guard !isPrepared.exchange(true, ordering: .acquiringAndReleasing) else { return }
        SavedTerminal.prepare()
        DrawnLine.prepare()
        // Makes the storage, so that a handler never has to.
        _ = continuationCount
        ScreenChanges.prepare()
        Signals.install(SIGCONT, resume)
        if !Signals.isIgnored(SIGTSTP) { Signals.install(SIGTSTP, cleanUpAndStop) }
    }

    /// The number of continuations after a stop, each of which clears earlier drawings.
    package static var continuationCount: Int { continuations.load(ordering: .acquiring) }

    /// True if this process is in the terminal's foreground, or the descriptor is not its terminal:
    /// output in the background would land in the line that the user is typing.
    package static func isForeground(_ terminal: Int32) -> Bool {
        let group = tcgetpgrp(terminal)
        return group < 0 || group == getpgrp()
    }

    fileprivate static func countContinuation() {
        continuations.add(1, ordering: .acquiringAndReleasing)
    }
}

/// Restores the terminal and stops the process; async-signal-safe (signal-safety(7)).
private func cleanUpAndStop(_ number: Int32) {
    let error = errno
    SavedTerminal.suspend()
    DrawnLine.erase()
    var (usual, ours, only) = (sigaction(), sigaction(), sigset_t())
    usual.__sigaction_handler.sa_handler = SIG_DFL
    sigaction(number, &usual, &ours)
    sigemptyset(&only)
    sigaddset(&only, number)
    raise(number)
    // The process stops here, except in an orphaned process group, which nothing could continue.
    pthread_sigmask(SIG_UNBLOCK, &only, nil)
    pthread_sigmask(SIG_BLOCK, &only, nil)
    sigaction(number, &ours, nil)
    SavedTerminal.resume(showingPrompt: false)
    errno = error
}

/// Takes the terminal back at the prompt; async-signal-safe.
private func resume(_ number: Int32) {
    let error = errno
    JobControl.countContinuation()
    SavedTerminal.resume(showingPrompt: true)
    ScreenChanges.signal()
    errno = error
}
