import Glibc
import Synchronization

/// The signals of this process: one thread waits for them and acts on them (sigtimedwait(2)).
///
/// All other threads block them. What a signal causes is therefore ordinary code, and one signal is
/// dealt with before the next: a second Ctrl-Z counts after `fg` has shown the prompt again.
package enum Signals {
    private struct State {
        var isStarted = false
        var endRequest = EndRequest.none
        /// The number of active holds.
        var holds = 0
        /// The longest time for which they postpone a signal.
        var holdLimit = Duration.zero
        /// The first signal that a hold has postponed, and the time at which it ends the process.
        var postponed: (number: Int32, deadline: ContinuousClock.Instant)?
        /// True if no hold may begin any more.
        var isEnding = false
        var continuations = 0
        var screenChanges: AsyncStream<Void>.Continuation?
    }

    /// The effect of the next SIGINT, SIGTERM or SIGHUP.
    private enum EndRequest {
        /// It kills.
        case none
        /// It calls this function.
        case expected(@Sendable (Int32?) -> Void)
        /// It changes nothing: the reader of stdout has left, so that the command ends already.
        case readerHasLeft
        /// It has come; the next one kills.
        case received
    }

    private static let state = Mutex(State())

    private static let ignored = [SIGPIPE, SIGXFSZ]
    private static let handled = [
        SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGALRM, SIGUSR1, SIGUSR2, SIGXCPU, SIGTSTP, SIGCONT,
        SIGWINCH,
    ]

    /// Opens descriptors 0 to 2 if the caller closed them, and ignores SIGPIPE and SIGXFSZ, so that
    /// write(2) reports a closed pipe and a full quota; called first in main.
    package static func prepareProcess() {
        openStandardDescriptors()
        for number in ignored { signal(number, SIG_IGN) }
    }

    /// Undoes settings that exec(2) does not reset, such as an ignored SIGPIPE, without which
    /// `argus-NAME | head` would not end.
    package static func prepareForAnotherProgram() {
        for number in ignored { signal(number, SIG_DFL) }
    }

    /// Starts the thread, once; called before any other thread exists, since threads inherit the
    /// signals that are blocked here.
    ///
    /// Until then signals have their default action, for there is nothing to clean up. Those that the
    /// caller ignores stay ignored (nohup).
    /// - Throws: The errno if the system grants no thread; signals keep their default action.
    package static func start() throws(Errno) {
        try state.withLock { state throws(Errno) in
            guard !state.isStarted else { return }
            var signals = set(of: handled.filter { !isIgnored($0) })
            var previous = sigset_t()
            pthread_sigmask(SIG_BLOCK, &signals, &previous)
            do throws(Errno) {
                try startDetachedThread { [signals] in waitAndAct(on: signals) }
            } catch {
                pthread_sigmask(SIG_SETMASK, &previous, nil)
                throw error
            }
            state.isStarted = true
        }
    }

    /// Acts on each of these signals, which the calling thread has blocked.
    static func waitAndAct(on signals: sigset_t) -> Never {
        var signals = signals
        blockAll()
        while true {
            let postponed = state.withLock(\.postponed)
            let number: Int32
            if let postponed {
                var limit = timespec(max(.zero, postponed.deadline - .now))
                number = sigtimedwait(&signals, nil, &limit)
            } else {
                number = sigwaitinfo(&signals, nil)
            }
            if number > 0 {
                act(on: number)
            } else if errno == EAGAIN, let postponed {
                die(of: postponed.number)
            }
        }
    }

    private static func act(on number: Int32) {
        switch number {
        case SIGTSTP: stop()
        case SIGCONT:
            state.withLock { $0.continuations += 1 }
            TerminalState.resume()
            reportScreenChange()
        case SIGWINCH: reportScreenChange()
        case SIGINT, SIGQUIT:
            // Ctrl-C and Ctrl-\ reach a program in the foreground too, which decides what they mean.
            if !Subprocess.isInForeground { endOrRequestEnd(by: number) }
        default: endOrRequestEnd(by: number)
        }
    }

    private static func endOrRequestEnd(by number: Int32) {
        if !requestEnd(by: number) { end(by: number) }
    }

    /// Opens the standard streams that the caller closed, whose numbers a socket or file would take.
    private static func openStandardDescriptors() {
        for number: Int32 in 0...2 where fcntl(number, F_GETFD) == -1 {
            // The wrong direction on purpose: using the stream fails with EBADF, as before.
            let flags = number == 0 ? O_WRONLY : O_RDONLY
            _ = open("/dev/null", flags)
        }
    }

    /// Drops a Ctrl-C and a Ctrl-\\ that came for a program which has ended since, and that wait here.
    static func dropInterrupts() {
        for number in [SIGINT, SIGQUIT] where !isIgnored(number) {
            signal(number, SIG_IGN)
            signal(number, SIG_DFL)
        }
    }

    private static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        guard sigaction(number, nil, &action) == 0 else { return true }
        // SIG_IGN is the address 1; imported function pointers cannot be compared.
        return unsafeBitCast(action.__sigaction_handler.sa_handler, to: UInt.self) == 1
    }

    private static func set(of numbers: [Int32]) -> sigset_t {
        var set = sigset_t()
        sigemptyset(&set)
        for number in numbers { sigaddset(&set, number) }
        return set
    }

    /// Blocks every signal in this thread: it uses the terminal, and must not be stopped for that in
    /// the background (SIGTTOU).
    private static func blockAll() {
        var all = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_SETMASK, &all, nil)
    }
}

// The end of the process.
extension Signals {
    /// Sends this process again the signal that has requested its end, and which now kills.
    package static func repeatRequest(_ number: Int32) { kill(getpid(), number) }

    /// Ends the process by a signal: at once, or when the last hold ends.
    static func end(by number: Int32) {
        let fatal = state.withLock { state -> Int32? in
            guard state.holds > 0 else {
                state.isEnding = true
                return state.postponed?.number ?? number
            }
            state.postponed = state.postponed ?? (number, .now + state.holdLimit)
            return nil
        }
        if let fatal { die(of: fatal) }
        if isatty(STDERR_FILENO) == 1 {
            writeWithoutWaiting(
                "\nargus: finishing first, so that no new credentials are lost\n",
                to: STDERR_FILENO)
        }
    }

    /// Restores the terminal, removes unfinished files, reports those that stay, and dies of a signal.
    private static func die(of number: Int32) -> Never {
        blockAll()
        TerminalState.putBack()
        TemporaryFiles.endAll()
        var only = set(of: [number])
        // Swift's runtime may answer SIGQUIT with a backtrace.
        signal(number, SIG_DFL)
        raise(number)
        pthread_sigmask(SIG_UNBLOCK, &only, nil)
        // The first process of a container does not die of signals (pid_namespaces(7)).
        _exit(128 + number)
    }

    /// Begins a hold of at most `limit`.
    static func beginHold(for limit: Duration) {
        let isAllowed = state.withLock { state in
            guard !state.isEnding else { return false }
            state.holds += 1
            state.holdLimit = max(state.holdLimit, limit)
            return true
        }
        // The process is about to die: it must not send a request whose answer it could not keep.
        while !isAllowed { pause() }
    }

    /// Ends a hold, and with the last one the process, if a signal has come.
    static func endHold() {
        let fatal = state.withLock { state -> Int32? in
            state.holds -= 1
            guard state.holds == 0, let postponed = state.postponed else { return nil }
            state.isEnding = true
            return postponed.number
        }
        if let fatal { die(of: fatal) }
    }

    /// Prevents new holds; false while one is active.
    static func closeHolds() -> Bool {
        state.withLock { state in
            if state.holds == 0 { state.isEnding = true }
            return state.isEnding
        }
    }
}

// The end of a long-running command in order.
extension Signals {
    /// Calls `body` once, with the first SIGINT, SIGTERM or SIGHUP, or with nil when stdout has lost
    /// its reader, unless only signals count; a second signal kills.
    ///
    /// A later call replaces the body. It runs on the thread of the signals, so it must not wait.
    package static func onEndRequest(
        onlySignals: Bool = false, _ body: @escaping @Sendable (_ signal: Int32?) -> Void
    ) {
        state.withLock { state in
            switch state.endRequest {
            case .none, .expected: state.endRequest = .expected(body)
            case .readerHasLeft, .received: break
            }
        }
        if !onlySignals { OutputReader.watch { _ = requestEnd(by: nil) } }
    }

    /// Requests the end of the command; false if it was not expected, or requested before.
    private static func requestEnd(by signal: Int32?) -> Bool {
        guard [nil, SIGINT, SIGTERM, SIGHUP].contains(signal) else { return false }
        let (isRequest, body) = state.withLock { state -> (Bool, (@Sendable (Int32?) -> Void)?) in
            let next = signal == nil ? EndRequest.readerHasLeft : .received
            switch state.endRequest {
            case .none, .received: return (false, nil)
            case .readerHasLeft:
                state.endRequest = next
                return (true, nil)
            case .expected(let body):
                state.endRequest = next
                return (true, body)
            }
        }
        body?(signal)
        return isRequest
    }
}

// Ctrl-Z, `fg`, and the size of the window.
extension Signals {
    /// The number of continuations after a stop, each of which clears earlier drawings.
    package static var continuationCount: Int { state.withLock(\.continuations) }

    /// The changes of the terminal that require a redraw: a new size, and the return to the
    /// foreground.
    ///
    /// A later call takes the place of an earlier one.
    static func screenChanges() -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream<Void>.makeStream(
            bufferingPolicy: .bufferingNewest(1))
        state.withLock { $0.screenChanges = continuation }
        return stream
    }

    private static func reportScreenChange() {
        _ = state.withLock(\.screenChanges)?.yield()
    }

    /// Puts the terminal back and stops the process, until the shell continues it.
    private static func stop() {
        TerminalState.putBack()
        var only = set(of: [SIGTSTP])
        raise(SIGTSTP)
        // It stops here, except in an orphaned process group, which nothing could continue.
        pthread_sigmask(SIG_UNBLOCK, &only, nil)
        pthread_sigmask(SIG_BLOCK, &only, nil)
        TerminalState.resume()
    }
}

/// Writes a text if the descriptor takes it now: a terminal whose output the user has stopped must not
/// keep the process from ending.
func writeWithoutWaiting(_ text: String, to descriptor: Int32) {
    var polled = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    guard poll(&polled, 1, 0) == 1, polled.revents & Int16(POLLOUT) != 0 else { return }
    let bytes = Array(text.utf8)
    _ = write(descriptor, bytes, bytes.count)
}

extension timespec {
    fileprivate init(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        self.init(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
    }
}
