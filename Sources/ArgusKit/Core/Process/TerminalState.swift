import Glibc
import Synchronization

/// The changes to the terminal that must be undone: a waiting prompt, a status line, and a screen of its
/// own.
///
/// Signals put it back before the process stops or dies, and show the prompt again after `fg`
/// (credentials(7), termios(3)).
package enum TerminalState {
    /// The manner in which a terminal hands over what is typed.
    package enum Input: Sendable {
        /// Lines, which the user sees.
        case lines
        /// Lines, which nobody sees.
        case hiddenLines
        /// Each byte at once, unseen: the terminal's own answer to a query.
        case hiddenBytes
    }

    private struct Prompt {
        let terminal: Int32
        let text: String
        let input: Input
        /// The settings to restore.
        var settings: termios
        /// True after the user has stopped the process at the prompt, until it continues there.
        var isSuspended = false
    }

    private struct State {
        var prompt: Prompt?
        /// The cells of the line, from the first column on; 0 while there is none.
        var drawnCells = 0
        /// The terminal whose other screen is shown; nil while there is none.
        var screen: Int32?
    }

    /// Shows the other screen without a cursor, and the usual one again (xterm's private modes 1049, 25).
    private static let (enterScreen, leaveScreen) = (
        "\u{1B}[?1049h\u{1B}[?25l\u{1B}[H", "\u{1B}[?25h\u{1B}[?1049l"
    )

    // Never held while something is written, which waits for a user who has stopped the output.
    private static let state = Mutex(State())

    /// True if this process is in the terminal's foreground, or the descriptor is not its terminal:
    /// output in the background would land in the line that the user is typing.
    package static func isForeground(_ terminal: Int32) -> Bool {
        let group = tcgetpgrp(terminal)
        return group < 0 || group == getpgrp()
    }

    /// Shows a prompt, or sends a query; false if the terminal refuses.
    package static func beginPrompt(_ text: String, _ input: Input, on terminal: Int32) -> Bool {
        var settings = termios()
        guard tcgetattr(terminal, &settings) == 0 else { return false }
        // In the background this stops the process until `fg` (SIGTTOU); nothing below may do so.
        if input != .lines, tcsetattr(terminal, TCSANOW, &settings) != 0 { return false }
        let isChanged = state.withLock { state in
            guard input == .lines || hide(input, of: terminal, settings) else { return false }
            state.prompt = Prompt(
                terminal: terminal, text: text, input: input, settings: settings)
            return true
        }
        guard isChanged else { return false }
        write(text, to: terminal)
        return true
    }

    /// Restores the settings once the prompt is answered.
    package static func endPrompt() {
        state.withLock { state in
            if let prompt = state.prompt.take() { putBack(prompt) }
        }
    }

    /// Shows the other screen of a terminal until `endScreen`, so that nothing of it stays.
    package static func beginScreen(on terminal: Int32) {
        state.withLock { $0.screen = terminal }
        write(enterScreen, to: terminal)
    }

    /// Shows the usual screen again.
    package static func endScreen() {
        guard let terminal = state.withLock({ $0.screen.take() }) else { return }
        write(leaveScreen, to: terminal)
    }

    private static func write(_ text: String, to terminal: Int32) {
        let bytes = Array(text.utf8)
        _ = retryingInterrupts { Glibc.write(terminal, bytes, bytes.count) }
    }

    /// Notes how many cells of the line are drawn; the cursor is at the first of them.
    static func noteLine(cells: Int) { state.withLock { $0.drawnCells = cells } }

    /// Restores the settings and blanks the line before the process stops or dies; does nothing in the
    /// background.
    static func putBack() {
        let (cells, screen) = state.withLock { state in
            if let prompt = state.prompt { putBack(prompt) }
            state.prompt?.isSuspended = true
            defer { state.drawnCells = 0 }
            return (state.drawnCells, state.screen)
        }
        if let screen, isForeground(screen) { writeWithoutWaiting(leaveScreen, to: screen) }
        guard cells > 0, isForeground(STDERR_FILENO) else { return }
        writeWithoutWaiting("\r" + String(repeating: " ", count: cells) + "\r", to: STDERR_FILENO)
    }

    /// Turns the echo off and shows the prompt again after a stop; does nothing in the background.
    static func resume() {
        if let screen = state.withLock(\.screen), isForeground(screen) {
            writeWithoutWaiting(enterScreen, to: screen)
        }
        let prompt = state.withLock { state -> Prompt? in
            var settings = termios()
            guard let prompt = state.prompt, isForeground(prompt.terminal),
                tcgetattr(prompt.terminal, &settings) == 0
            else { return nil }
            var isChanged = prompt.isSuspended
            if prompt.input != .lines, settings.c_lflag & tcflag_t(ECHO) != 0 {
                // A shell may have given the terminal back with settings of its own.
                state.prompt?.settings = settings
                isChanged = hide(prompt.input, of: prompt.terminal, settings) || isChanged
            }
            state.prompt?.isSuspended = false
            return isChanged ? prompt : nil
        }
        if let prompt { writeWithoutWaiting(prompt.text, to: prompt.terminal) }
    }

    private static func putBack(_ prompt: Prompt) {
        // A background process may not change the terminal.
        guard prompt.input != .lines, isForeground(prompt.terminal) else { return }
        change(prompt.terminal, prompt.settings)
    }

    private static func hide(_ input: Input, of terminal: Int32, _ settings: termios) -> Bool {
        var settings = settings
        settings.c_lflag &= ~tcflag_t(ECHO)
        if input == .hiddenBytes { settings.c_lflag &= ~tcflag_t(ICANON) }
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
