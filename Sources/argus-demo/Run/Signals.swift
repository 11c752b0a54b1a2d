import Glibc

/// Signals as messages to the one thread that waits for them.
enum Signals {
    /// A signal that came, and whether another program sent it.
    struct Arrival {
        var number: Int32
        /// False for the terminal's Ctrl-C, which reaches the whole process group by itself.
        var isFromProcess: Bool
    }

    private static let awaited = [SIGINT, SIGTERM, SIGHUP, SIGCHLD]

    private static var set: sigset_t {
        var set = sigset_t()
        sigemptyset(&set)
        for signal in awaited { sigaddset(&set, signal) }
        return set
    }

    /// Holds the signals back, in this thread and in those it starts later.
    static func hold() {
        var set = set
        pthread_sigmask(SIG_BLOCK, &set, nil)
        // A client that hangs up must not end the server.
        signal(SIGPIPE, SIG_IGN)
    }

    /// Waits for the next of them.
    static func next() -> Arrival {
        var set = set
        var info = siginfo_t()
        while true {
            let number = sigwaitinfo(&set, &info)
            // A positive code is the kernel's own (sigaction(2)).
            if number > 0 { return Arrival(number: number, isFromProcess: info.si_code <= 0) }
        }
    }
}
