import Glibc

/// The signal handling of this process, which dies of signals but cleans up terminal and folders.
package enum Signals {
    /// Prepares the process; called once, first in main.
    ///
    /// Opens descriptors 0 to 2 if the caller closed them, ignores SIGPIPE and SIGXFSZ so that
    /// write(2) reports a closed pipe and a full quota, and handles the signals that end a process,
    /// unless the caller ignores them (nohup). A SIGALRM that the caller ignores or blocks only ends
    /// the delay of another signal.
    package static func prepareProcess() {
        openStandardDescriptors()
        for number in ignored { signal(number, SIG_IGN) }
        // The handler may not allocate, so its tables must exist before it.
        TemporaryFiles.prepare()
        SavedTerminal.prepare()
        Pager.prepare()
        EndSignals.prepare()
        DrawnLine.prepare()
        callersAlarm = (isIgnored(SIGALRM), changeAlarm(SIG_BLOCK))
        HeldSignals.prepare(ignoringAlarm: callersAlarm.isIgnored || callersAlarm.isBlocked)
        for number in deadly where !isIgnored(number) || number == SIGALRM {
            install(number, handleSignal)
        }
        changeAlarm(SIG_UNBLOCK)
    }

    /// Undoes settings that exec(2) does not reset, such as an ignored SIGPIPE, without which
    /// `argus-NAME | head` would not end.
    package static func prepareForAnotherProgram() {
        for number in ignored { signal(number, SIG_DFL) }
        if callersAlarm.isIgnored { signal(SIGALRM, SIG_IGN) }
        if callersAlarm.isBlocked { changeAlarm(SIG_BLOCK) }
    }

    /// The caller's disposition of SIGALRM, which argus uses to limit the delay of signals.
    nonisolated(unsafe) private static var callersAlarm = (isIgnored: false, isBlocked: false)

    private static let ignored = [SIGPIPE, SIGXFSZ]
    private static let deadly = [
        SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGALRM, SIGUSR1, SIGUSR2, SIGXCPU,
    ]

    /// Handles a signal without interrupting system calls: a running request continues unharmed.
    static func install(_ number: Int32, _ handler: @escaping @convention(c) (Int32) -> Void) {
        var action = sigaction()
        action.__sigaction_handler.sa_handler = handler
        action.sa_flags = Int32(SA_RESTART)
        sigfillset(&action.sa_mask)
        sigaction(number, &action, nil)
    }

    /// Blocks or unblocks SIGALRM in this thread and its later ones; true if it was blocked before.
    @discardableResult
    private static func changeAlarm(_ how: Int32) -> Bool {
        var (set, old) = (sigset_t(), sigset_t())
        sigemptyset(&set)
        sigaddset(&set, SIGALRM)
        pthread_sigmask(how, &set, &old)
        return sigismember(&old, SIGALRM) == 1
    }

    static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        guard sigaction(number, nil, &action) == 0 else { return true }
        // SIG_IGN is the address 1; imported function pointers cannot be compared.
        return unsafeBitCast(action.__sigaction_handler.sa_handler, to: UInt.self) == 1
    }

    /// Fills closed standard streams, whose numbers a socket or file would otherwise take over.
    private static func openStandardDescriptors() {
        for number: Int32 in 0...2 where fcntl(number, F_GETFD) == -1 {
            // The wrong direction on purpose: using the stream fails with EBADF, as before.
            let flags = number == 0 ? O_WRONLY : O_RDONLY
            _ = open("/dev/null", flags)
        }
    }
}

/// Dies of a signal, or records it while a `SignalHold` is active; async-signal-safe
/// (signal-safety(7)).
private func handleSignal(_ number: Int32) {
    let code = errno
    defer { errno = code }
    // Ctrl-C and Ctrl-\\ reach the pager too, which decides what they mean.
    if number == SIGINT || number == SIGQUIT, Pager.isRunning { return }
    if EndSignals.take(number) { return }
    if let number = HeldSignals.fatalSignal(on: number) { cleanUpAndDie(of: number) }
}

/// Restores the terminal, removes unfinished files, reports those that stay, and dies of the signal;
/// async-signal-safe.
func cleanUpAndDie(of number: Int32) -> Never {
    // Neither another signal nor a terminal that stops background writers may interfere.
    var (all, one) = (sigset_t(), sigset_t())
    sigfillset(&all)
    pthread_sigmask(SIG_SETMASK, &all, nil)
    SavedTerminal.restore()
    DrawnLine.erase()
    TemporaryFiles.endAll()
    signal(number, SIG_DFL)
    raise(number)
    sigemptyset(&one)
    sigaddset(&one, number)
    pthread_sigmask(SIG_UNBLOCK, &one, nil)
    // The first process of a container does not die of signals (pid_namespaces(7)).
    _exit(128 + number)
}
