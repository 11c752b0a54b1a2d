import Glibc
import Synchronization

/// Ctrl-Z, `fg` and `bg`: what a stopped process leaves on the terminal, and what it finds there
/// when it goes on (credentials(7), termios(3)).
package enum JobControl {
    private static let isPrepared = Atomic<Bool>(false)
    private static let continuations = Atomic<Int>(0)

    /// Installs the handlers of SIGTSTP and SIGCONT, once; a SIGTSTP that the caller ignores stays
    /// ignored.
    ///
    /// To be called before something is drawn that a shell would write over.
    package static func prepare() {
        guard !isPrepared.exchange(true, ordering: .acquiringAndReleasing) else { return }
        SavedTerminal.prepare()
        // Makes the storage, so that a handler never has to.
        _ = continuationCount
        install(SIGCONT, comeBack)
        if !Signals.isIgnored(SIGTSTP) { install(SIGTSTP, stopTidily) }
    }

    /// How often the process has gone on after a stop; what was drawn before is gone since.
    package static var continuationCount: Int { continuations.load(ordering: .acquiring) }

    /// Whether what is written to a terminal reaches the person's attention, and not the line that
    /// they are typing; true of what is no terminal of ours.
    package static func isForeground(_ terminal: Int32) -> Bool {
        let group = tcgetpgrp(terminal)
        return group < 0 || group == getpgrp()
    }

    fileprivate static func countContinuation() {
        continuations.add(1, ordering: .acquiringAndReleasing)
    }

    private static func install(
        _ number: Int32, _ handler: @escaping @convention(c) (Int32) -> Void
    ) {
        var action = sigaction()
        action.__sigaction_handler.sa_handler = handler
        // A request that runs goes on as if nothing had been.
        action.sa_flags = SA_RESTART
        sigfillset(&action.sa_mask)
        sigaction(number, &action, nil)
    }
}

/// Puts the terminal back and stops the process, as if there were no handler.
///
/// A top-level function with async-signal-safe calls only (signal-safety(7)).
private func stopTidily(_ number: Int32) {
    let error = errno
    SavedTerminal.leave()
    var (usual, ours, only) = (sigaction(), sigaction(), sigset_t())
    usual.__sigaction_handler.sa_handler = SIG_DFL
    sigaction(number, &usual, &ours)
    sigemptyset(&only)
    sigaddset(&only, number)
    raise(number)
    // Here it stops, unless nobody could let it go on (an orphaned process group).
    pthread_sigmask(SIG_UNBLOCK, &only, nil)
    pthread_sigmask(SIG_BLOCK, &only, nil)
    sigaction(number, &ours, nil)
    SavedTerminal.comeBack(showingPrompt: false)
    errno = error
}

/// Goes on at the prompt; as above.
private func comeBack(_ number: Int32) {
    let error = errno
    JobControl.countContinuation()
    SavedTerminal.comeBack(showingPrompt: true)
    errno = error
}
