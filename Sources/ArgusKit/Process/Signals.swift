import Glibc

/// How this process meets signals: it dies of them, but leaves terminal and folders tidy.
package enum Signals {
    /// Prepares the process; to be called once, first thing in main.
    ///
    /// Opens descriptors 0 to 2 where the caller closed them, ignores SIGPIPE and SIGXFSZ so that a
    /// closed pipe and a full quota are errors of write(2), and installs the handler for the
    /// signals by which people and programs end others. A signal that the caller ignores (nohup, a
    /// background job) stays ignored. SIGALRM, where the caller ignores or blocks it, only ends
    /// the putting off of another one.
    package static func prepareProcess() {
        openStandardDescriptors()
        for number in ignored { signal(number, SIG_IGN) }
        // The handler may not allocate, so what it walks must exist before it.
        TemporaryFiles.prepare()
        InterruptedFiles.prepare()
        SavedTerminal.prepare()
        callersAlarm = (isIgnored(SIGALRM), changeAlarm(SIG_BLOCK))
        HeldSignals.prepare(ignoringAlarm: callersAlarm.isIgnored || callersAlarm.isBlocked)
        for number in deadly where !isIgnored(number) || number == SIGALRM { install(number) }
        changeAlarm(SIG_UNBLOCK)
    }

    /// Undoes what another program would inherit from us; to be called just before it is run.
    ///
    /// Handlers go by themselves, but an ignored SIGPIPE stays: `argus-NAME | head` would not end.
    package static func prepareForAnotherProgram() {
        for number in ignored { signal(number, SIG_DFL) }
        if callersAlarm.isIgnored { signal(SIGALRM, SIG_IGN) }
        if callersAlarm.isBlocked { changeAlarm(SIG_BLOCK) }
    }

    /// How the caller left SIGALRM, which ends what signals were put off for too long.
    nonisolated(unsafe) private static var callersAlarm = (isIgnored: false, isBlocked: false)

    private static let ignored = [SIGPIPE, SIGXFSZ]
    private static let deadly = [
        SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGALRM, SIGUSR1, SIGUSR2, SIGXCPU,
    ]

    private static func install(_ number: Int32) {
        var action = sigaction()
        action.__sigaction_handler.sa_handler = meetSignal
        // A signal that is only noted must not end a system call.
        action.sa_flags = Int32(SA_RESTART)
        sigfillset(&action.sa_mask)
        sigaction(number, &action, nil)
    }

    /// Blocks SIGALRM in this thread and those that it starts later, or lets it through; returns
    /// whether it was blocked.
    @discardableResult
    private static func changeAlarm(_ how: Int32) -> Bool {
        var (set, old) = (sigset_t(), sigset_t())
        sigemptyset(&set)
        sigaddset(&set, SIGALRM)
        pthread_sigmask(how, &set, &old)
        return sigismember(&old, SIGALRM) == 1
    }

    /// Whether the process ignores a signal.
    static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        guard sigaction(number, nil, &action) == 0 else { return true }
        // SIG_IGN is the address 1; imported function pointers cannot be compared.
        return unsafeBitCast(action.__sigaction_handler.sa_handler, to: UInt.self) == 1
    }

    /// A socket or file that took the number of a closed stream would receive what is printed.
    private static func openStandardDescriptors() {
        for number: Int32 in 0...2 where fcntl(number, F_GETFD) == -1 {
            // The wrong direction on purpose: using the stream fails with EBADF, as before.
            let flags = number == 0 ? O_WRONLY : O_RDONLY
            _ = open("/dev/null", flags)
        }
    }
}

/// Dies of a signal, or notes it where a `SignalHold` puts it off.
///
/// A top-level function without isolation, since C calls it on whatever thread the signal meets;
/// it uses async-signal-safe calls only (signal-safety(7)).
private func meetSignal(_ number: Int32) {
    let code = errno
    if let number = HeldSignals.verdict(on: number) { dieTidily(of: number) }
    errno = code
}

/// Restores the terminal, removes unfinished files, tells of those that stay, and dies of the
/// signal; safe in a signal handler.
func dieTidily(of number: Int32) -> Never {
    // Neither another signal nor a terminal that stops who writes to it may come in between.
    var (all, one) = (sigset_t(), sigset_t())
    sigfillset(&all)
    pthread_sigmask(SIG_SETMASK, &all, nil)
    SavedTerminal.restore()
    TemporaryFiles.unlinkAll()
    InterruptedFiles.tellAll()
    signal(number, SIG_DFL)
    raise(number)
    sigemptyset(&one)
    sigaddset(&one, number)
    pthread_sigmask(SIG_UNBLOCK, &one, nil)
    // The first process of a container dies of no signal (pid_namespaces(7)).
    _exit(128 + number)
}
