import ArgusAccount
import ArgusCore
import Glibc

/// Shows the code of a pairing, in large letters, and the remaining time as a countdown.
///
/// The cursor always rests below the drawing and no terminal setting changes, so Ctrl-C leaves the
/// terminal intact.
final class PairingDisplay {
    private let sink: ByteSink
    private let terminal: Terminal
    private let isQuiet: Bool
    private var hasCountdown = false
    private var screen = ""
    private var continuations = 0

    init(_ streams: Streams, terminal: Terminal, isQuiet: Bool) {
        sink = streams.err
        self.terminal = terminal
        self.isQuiet = isQuiet
    }

    /// True if the remaining time is updated.
    var isLive: Bool { terminal.isErrorTerminal && !isQuiet }

    /// Shows the code and what to do with it.
    func begin(_ pairing: PendingPairing, on server: String, now: Timestamp) {
        guard !isQuiet else { return }
        continuations = Signals.continuationCount
        let left = DurationText.short(pairing.expiresAt - now)
        let device = Sanitizer.visible(pairing.device.name)
        let server = Sanitizer.visible(server)
        guard isLive else {
            return sink.show(
                "the pairing code of '\(device)' for '\(server)' is "
                    + "\(pairing.code.grouped.reveal()), good for \(left); confirm it in the "
                    + "server's dashboard, or with 'argus pair confirm' where you are signed in\n")
        }
        let banner = CodeBanner.lines(pairing.code, width: terminal.width)
            .map(terminal.errorStyle.bold)
        let lines =
            ["Pairing code of '\(device)' for '\(server)':", ""] + banner + [
                "", "Confirm it in the server's dashboard, or where you are signed in with",
                "  argus pair confirm \(pairing.code.text.reveal())",
            ]
        screen = lines.joined(separator: "\n") + "\n"
        sink.show(screen)
    }

    func countDown(_ left: Duration) {
        guard isLive, TerminalState.isForeground(STDERR_FILENO) else { return }
        if continuations != Signals.continuationCount {
            // The shell has written below the countdown, which stays on the screen.
            continuations = Signals.continuationCount
            hasCountdown = false
            sink.show(screen)
        }
        let seconds = Int64((left / .seconds(1)).rounded(.up))
        let line = DisplayWidth.truncate(
            "Good for \(DurationText.short(.seconds(seconds))). Ctrl-C stops waiting, "
                + "'argus pair resume' continues.", to: terminal.width - 1)
        sink.show((hasCountdown ? Self.lineAbove : "") + line + Self.endOfLine + "\n")
        hasCountdown = true
    }

    func end() {
        guard hasCountdown else { return }
        hasCountdown = false
        guard continuations == Signals.continuationCount,
            TerminalState.isForeground(STDERR_FILENO)
        else { return }
        sink.show(Self.lineAbove + Self.endOfLine)
    }

    /// To the first column of the line above (ECMA-48, section 8.3.22 and CR).
    private static let lineAbove = "\u{1B}[A\r"
    /// Erases to the end of the line (ECMA-48, section 8.3.41).
    private static let endOfLine = "\u{1B}[K"
}

/// A pairing code in large letters.
enum CodeBanner {
    /// Five rows for each digit, three pixels in a row, the left one first.
    private static let digits: [[UInt8]] = [
        [0b111, 0b101, 0b101, 0b101, 0b111], [0b010, 0b110, 0b010, 0b010, 0b111],
        [0b111, 0b001, 0b111, 0b100, 0b111], [0b111, 0b001, 0b111, 0b001, 0b111],
        [0b101, 0b101, 0b111, 0b001, 0b001], [0b111, 0b100, 0b111, 0b001, 0b111],
        [0b111, 0b100, 0b111, 0b101, 0b111], [0b111, 0b001, 0b001, 0b001, 0b001],
        [0b111, 0b101, 0b111, 0b101, 0b111], [0b111, 0b101, 0b111, 0b001, 0b111],
    ]

    /// The code in rows of blocks; plain if they do not fit or if the code is not numeric.
    static func lines(_ code: PairingCode, width: Int) -> [String] {
        let text = code.text.reveal()
        let glyphs = text.compactMap(\.wholeNumberValue).filter(digits.indices.contains)
            .map { digits[$0] }
        guard glyphs.count == text.count, let big = rows(glyphs, width) else {
            return ["  " + code.grouped.reveal().map(String.init).joined(separator: " ")]
        }
        return big
    }

    private static func rows(_ glyphs: [[UInt8]], _ width: Int) -> [String]? {
        let rows = (0..<5).map { row in
            var line = "  "
            for (index, glyph) in glyphs.enumerated() {
                if index > 0 { line += index % 3 == 0 ? "    " : "  " }
                for pixel in [0b100, 0b010, 0b001] as [UInt8] {
                    line += glyph[row] & pixel == 0 ? "  " : "██"
                }
            }
            return line
        }
        return rows.allSatisfy { DisplayWidth.of($0) < width } ? rows : nil
    }
}
