import ArgusCore
import ArgusTestSupport
import FoundationEssentials
import Testing

@testable import argus

/// Compares what a terminal shows with the files in `Screens`, one for each screen and width.
///
/// With `ARGUS_WRITE_SCREENS=1` the files are written instead, so that a change of a screen is a
/// change of its files. Escape sequences are readable there: `‹bold›…‹/›`, `‹link URL›…‹/link›`.
enum Screen {
    /// The widths at which each screen is looked at.
    static let widths = [60, 80, 120, 200]

    /// Compares a text, as it was written to the terminal, with the file of that name and width.
    static func expect(
        _ text: String, is name: String, width: Int,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let file = folder.appending(path: "\(name).\(width).txt")
        let text = readable(text)
        if ProcessInfo.processInfo.environment["ARGUS_WRITE_SCREENS"] == "1" {
            return try Data(text.utf8).write(to: file)
        }
        let expected = (try? Data(contentsOf: file)).map { String(decoding: $0, as: UTF8.self) }
        let remedy: Comment = """
            \(name) at \(width) columns differs from its file; if that is meant, run the test with \
            ARGUS_WRITE_SCREENS=1 and look at the change. It is now:
            \(text)
            """
        #expect(text == expected, remedy, sourceLocation: sourceLocation)
    }

    private static let folder = URL(filePath: #filePath)
        .deletingLastPathComponent().appending(path: "Screens")

    /// The text with its escape sequences (ECMA-48) as words.
    static func readable(_ text: String) -> String {
        text.replacing(/\u{1B}\[([0-9;]*)m/) { match in
            "‹" + match.output.1.split(separator: ";").map { name($0) }.joined(separator: " ") + "›"
        }
        .replacing(/\u{1B}\]8;;([^\u{1B}]*)\u{1B}\\/) { match in
            match.output.1.isEmpty ? "‹/link›" : "‹link \(match.output.1)›"
        }
        .replacing("\u{1B}", with: "‹ESC›").replacing("\r", with: "‹CR›")
    }

    private static func name(_ code: Substring) -> String {
        let names = ["0": "/", "1": "bold", "2": "dim", "90": "grey"]
        if let name = names[String(code)] { return name }
        let colors = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"]
        guard let number = Int(code), colors.indices.contains(number % 10) else {
            return String(code)
        }
        switch number / 10 {
        case 3: return colors[number % 10]
        case 9: return "bright \(colors[number % 10])"
        default: return String(code)
        }
    }
}

extension TestSystem {
    /// Makes a world with a terminal of colours, which shows both streams.
    static func onScreen(width: Int) throws -> TestSystem {
        let test = try TestSystem()
        let style = Style(isOn: true)
        test.terminal = Terminal(
            isOutputTerminal: true, isErrorTerminal: true, width: width, style: style,
            errorStyle: style)
        test.environment["TERM"] = "xterm-256color"
        test.environment["TZ"] = "CET-1"
        test.joinsStreams = true
        return test
    }

    /// Compares what was printed with the file of a screen.
    func expectScreen(
        _ name: String, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        try Screen.expect(
            stdout, is: name, width: terminal.width, sourceLocation: sourceLocation)
    }
}
