import Glibc

/// How this process meets signals: it dies of them, but leaves terminal and folders tidy.
package enum Signals {
    /// Prepares the process; to be called once, first thing in main.
    ///
    /// Opens descriptors 0 to 2 where the caller closed them, ignores SIGPIPE so that a closed
    /// pipe is an error of write(2), and installs the handler for SIGINT, SIGTERM, SIGHUP and
    /// SIGQUIT. A signal that the caller ignores (nohup, a background job) stays ignored.
    package static func prepareProcess() {
        openStandardDescriptors()
        signal(SIGPIPE, SIG_IGN)
        // The handler may not allocate, so what it walks must exist before it.
        TemporaryFiles.prepare()
        InterruptedFiles.prepare()
        SavedTerminal.prepare()
        for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT] { install(number) }
    }

    /// Undoes what another program would inherit from us; to be called just before it is run.
    ///
    /// Handlers go by themselves, but an ignored SIGPIPE stays: `argus-NAME | head` would not end.
    package static func prepareForAnotherProgram() {
        signal(SIGPIPE, SIG_DFL)
    }

    private static func install(_ number: Int32) {
        guard !isIgnored(number) else { return }
        var action = sigaction()
        action.__sigaction_handler.sa_handler = dieTidily
        action.sa_flags = Int32(bitPattern: UInt32(SA_RESETHAND))
        sigfillset(&action.sa_mask)
        sigaction(number, &action, nil)
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

/// Restores the terminal, removes unfinished files, tells of those that stay, and dies of the signal.
///
/// A top-level function without isolation, since C calls it on whatever thread the signal meets;
/// it uses async-signal-safe calls only (signal-safety(7)).
private func dieTidily(_ number: Int32) {
    SavedTerminal.restore()
    TemporaryFiles.unlinkAll()
    InterruptedFiles.tellAll()
    // SA_RESETHAND has put the default back; the signal is blocked until this handler returns.
    raise(number)
}
