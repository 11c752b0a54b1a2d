import Glibc

/// Receives signals on the one thread that waits for them.
enum Signals {
    private static var set: sigset_t {
        var set = sigset_t()
        sigemptyset(&set)
        for signal in [SIGINT, SIGTERM, SIGHUP, SIGCHLD] { sigaddset(&set, signal) }
        return set
    }

    /// Blocks the signals in this thread and in those it starts later.
    static func hold() {
        var set = set
        pthread_sigmask(SIG_BLOCK, &set, nil)
        // A client that disconnects must not end the server.
        signal(SIGPIPE, SIG_IGN)
    }

    /// Waits for the next signal; `isFromProcess` is true if another process sent it, as Ctrl-C
    /// reaches the whole process group by itself.
    static func next() -> (number: Int32, isFromProcess: Bool) {
        var set = set
        var info = siginfo_t()
        while true {
            let number = sigwaitinfo(&set, &info)
            // A positive code means the kernel (sigaction(2)).
            if number > 0 { return (number, info.si_code <= 0) }
        }
    }
}
