import Glibc
import Synchronization

/// The changes to the terminal that must be undone: a waiting prompt, and a status line.
///
/// Signals put it back before the process stops or dies, and show the prompt again after `fg`
/// (credentials(7), termios(3)).
package enum TerminalState {
    private struct Prompt {
        let terminal: Int32
        let text: String
        let echoes: Bool
        /// The settings to restore.
        var settings: termios
        /// True after the user has stopped the process at the prompt, until it continues there.
        var isSuspended = false
    }

    private struct State {
        var prompt: Prompt?
        /// The cells of the line, from the first column on; 0 while there is none.
        var drawnCells = 0
    }

    // Never held while something is written, which waits for a user who has stopped the output.
    private static let state = Mutex(State())

    /// True if this process is in the terminal's foreground, or the descriptor is not its terminal:
    /// output in the background would land in the line that the user is typing.
    package static func isForeground(_ terminal: Int32) -> Bool {
        let group = tcgetpgrp(terminal)
        return group < 0 || group == getpgrp()
    }

    /// Shows a prompt, without echo unless `echoes`; false if the terminal refuses.
    package static func beginPrompt(_ text: String, echoes: Bool, on terminal: Int32) -> Bool {
        var settings = termios()
        guard tcgetattr(terminal, &settings) == 0 else { return false }
        // In the background this stops the process until `fg` (SIGTTOU); nothing below may do so.
        if !echoes, tcsetattr(terminal, TCSANOW, &settings) != 0 { return false }
        let isChanged = state.withLock { state in
            guard echoes || disableEcho(terminal, settings) else { return false }
            state.prompt = Prompt(
                terminal: terminal, text: text, echoes: echoes, settings: settings)
            return true
        }
        guard isChanged else { return false }
        let bytes = Array(text.utf8)
        _ = retryingInterrupts { write(terminal, bytes, bytes.count) }
        return true
    }

    /// Restores the settings once the prompt is answered.
    package static func endPrompt() {
        state.withLock { state in
            if let prompt = state.prompt.take() { putBack(prompt) }
        }
    }

    /// Notes how many cells of the line are drawn; the cursor is at the first of them.
    static func noteLine(cells: Int) { state.withLock { $0.drawnCells = cells } }

    /// Restores the settings and blanks the line before the process stops or dies; does nothing in the
    /// background.
    static func putBack() {
        let cells = state.withLock { state in
            if let prompt = state.prompt { putBack(prompt) }
            state.prompt?.isSuspended = true
            defer { state.drawnCells = 0 }
            return state.drawnCells
        }
        guard cells > 0, isForeground(STDERR_FILENO) else { return }
        writeWithoutWaiting("\r" + String(repeating: " ", count: cells) + "\r", to: STDERR_FILENO)
    }

    /// Turns the echo off and shows the prompt again after a stop; does nothing in the background.
    static func resume() {
        let prompt = state.withLock { state -> Prompt? in
            var settings = termios()
            guard let prompt = state.prompt, isForeground(prompt.terminal),
                tcgetattr(prompt.terminal, &settings) == 0
            else { return nil }
            var isChanged = prompt.isSuspended
            if !prompt.echoes, settings.c_lflag & tcflag_t(ECHO) != 0 {
                // A shell may have given the terminal back with settings of its own.
                state.prompt?.settings = settings
                isChanged = disableEcho(prompt.terminal, settings) || isChanged
            }
            state.prompt?.isSuspended = false
            return isChanged ? prompt : nil
        }
        if let prompt { writeWithoutWaiting(prompt.text, to: prompt.terminal) }
    }

    private static func putBack(_ prompt: Prompt) {
        // A background process may not change the terminal.
        guard !prompt.echoes, isForeground(prompt.terminal) else { return }
        change(prompt.terminal, prompt.settings)
    }

    private static func disableEcho(_ terminal: Int32, _ settings: termios) -> Bool {
        var settings = settings
        settings.c_lflag &= ~tcflag_t(ECHO)
        // Drops input typed ahead: it was echoed, so it was not meant as a password.
        return change(terminal, settings)
    }

    /// Changes a terminal and drops pending input.
    ///
    /// Unlike TCSAFLUSH it does not wait until all output is shown, which may be never.
    @discardableResult
    private static func change(_ terminal: Int32, _ settings: termios) -> Bool {
        var settings = settings
        guard tcsetattr(terminal, TCSANOW, &settings) == 0 else { return false }
        tcflush(terminal, TCIFLUSH)
        return true
    }
}
