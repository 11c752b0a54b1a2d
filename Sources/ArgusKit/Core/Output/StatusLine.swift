internal import Glibc
internal import Synchronization

/// A line on standard error, below all other output of a long-running command.
///
/// The cursor rests at its first cell: a terminal that wraps lines anew at another width keeps it
/// there, so that erasing what follows removes the whole line. Write errors are ignored.
package final class StatusLine: Sendable {
    private struct State {
        var width: Int
        var style = Style.plain
        /// The text to show, and shorter ones for narrow terminals; empty while there is none.
        var texts: [String] = []
        /// The colour of the dot before the text; nil if there is no dot.
        var dot: TextColor?
        var color: TextColor?
        /// The number of outputs in progress.
        var covers = 0
        /// The cells of the drawing; 0 while there is none.
        var cells = 0
        /// Draws the line anew when the screen has changed.
        var redrawing: Task<Void, Never>?
    }

    private let sink: ByteSink
    private let state: Mutex<State>

    /// Makes a line without text, for a terminal of `width` cells.
    package init(on sink: ByteSink, width: Int) {
        self.sink = sink
        state = Mutex(State(width: width))
    }

    /// The cells of the terminal, which change with its window after `begin`.
    package var width: Int { state.withLock { $0.width } }

    /// Follows the terminal, whose width `measure` returns.
    ///
    /// A style that is off keeps escape sequences out of the drawing too.
    package func begin(_ style: Style, measure: @escaping @Sendable () -> Int?) {
        let changes = Signals.screenChanges()
        state.withLock { state in
            state.style = style
            state.redrawing = Task { [weak self] in
                for await _ in changes { self?.redraw(measure) }
            }
        }
    }

    private func redraw(_ measure: () -> Int?) {
        state.withLock { state in
            state.width = measure() ?? state.width
            draw(&state)
        }
    }

    /// Shows the first of the texts that fits the terminal from now on, or the last one, cut.
    package func show(_ texts: [String], dot: TextColor? = nil, in color: TextColor?) {
        state.withLock { state in
            guard state.texts != texts || state.dot != dot || state.color != color else { return }
            (state.texts, state.dot, state.color) = (texts, dot, color)
            draw(&state)
        }
    }

    /// Removes the line while `body` prints.
    package func hidden<Failure: Error>(_ body: () throws(Failure) -> Void) throws(Failure) {
        cover()
        defer { uncover() }
        try body()
    }

    /// Removes the line while another program prints, until `uncover`; several may at once.
    package func cover() {
        state.withLock { state in
            state.covers += 1
            erase(&state)
        }
    }

    /// Ends a `cover`.
    package func uncover() {
        state.withLock { state in
            state.covers -= 1
            draw(&state)
        }
    }

    /// Removes the line for good.
    package func end() {
        state.withLock { state in
            state.redrawing?.cancel()
            state.texts = []
            erase(&state)
        }
    }

    private func draw(_ state: inout State) {
        guard let shortest = state.texts.last, state.covers == 0,
            TerminalState.isForeground(STDERR_FILENO)
        else { return }
        let dot = state.dot == nil ? "" : "● "
        let room = max(1, state.width - 1 - DisplayWidth.of(dot))
        let text = state.texts.first { DisplayWidth.of($0) <= room } ?? shortest
        let line = DisplayWidth.truncate(text, to: room)
        let cells = DisplayWidth.of(dot + line)
        // A signal at any moment finds at least the cells that are drawn.
        TerminalState.noteLine(cells: max(cells, state.cells))
        let drawing = state.style.paint(dot, state.dot) + state.style.paint(line, state.color)
        sink.show(Self.erasure(of: state) + drawing + "\r")
        TerminalState.noteLine(cells: cells)
        state.cells = cells
    }

    private func erase(_ state: inout State) {
        guard state.cells > 0 else { return }
        if TerminalState.isForeground(STDERR_FILENO) { sink.show(Self.erasure(of: state)) }
        TerminalState.noteLine(cells: 0)
        state.cells = 0
    }

    /// Erases to the end of the screen (ECMA-48, section 8.3.39), or blanks what is drawn.
    private static func erasure(of state: State) -> String {
        if state.style.isOn { return "\r\u{1B}[J" }
        return state.cells == 0
            ? "\r" : "\r" + String(repeating: " ", count: min(state.cells, state.width - 1)) + "\r"
    }
}
