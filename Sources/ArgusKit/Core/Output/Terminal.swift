internal import Glibc

/// The properties of the three standard streams; a value, so that tests can make one.
package struct Terminal: Hashable, Sendable {
    package var isInputTerminal: Bool
    package var isOutputTerminal: Bool
    package var isErrorTerminal: Bool
    /// Cells in a line, 1 or more.
    package var width: Int
    /// Lines of the screen.
    package var height: Int
    package var style: Style
    package var errorStyle: Style
    /// True if it shows signs such as ✓, which need UTF-8 and a font.
    package var hasSigns: Bool

    package init(
        isInputTerminal: Bool = false, isOutputTerminal: Bool = false,
        isErrorTerminal: Bool = false, width: Int = 80, height: Int = .max,
        style: Style = .plain, errorStyle: Style = .plain, hasSigns: Bool = false
    ) {
        self.isInputTerminal = isInputTerminal
        self.isOutputTerminal = isOutputTerminal
        self.isErrorTerminal = isErrorTerminal
        self.width = width
        self.height = height
        self.style = style
        self.errorStyle = errorStyle
        self.hasSigns = hasSigns
    }

    /// All three streams are files or pipes.
    package static let none = Terminal()

    /// Queries the streams for terminals; `COLUMNS` overrides the kernel's width.
    package static func detect(
        environment: [String: String], color: ColorChoice = .auto
    ) -> Terminal {
        let streams = [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO].map { isatty($0) == 1 }
        var terminal = Terminal(
            isInputTerminal: streams[0], isOutputTerminal: streams[1], isErrorTerminal: streams[2])
        terminal.width = width(environment: environment) ?? 80
        terminal.height = kernelSize?.rows ?? 24
        terminal.applyColor(color, environment: environment)
        terminal.hasSigns = hasSigns(environment)
        return terminal
    }

    /// True unless the locale has another character set (locale(7)), or it is the kernel's console,
    /// whose fonts have few signs.
    private static func hasSigns(_ environment: [String: String]) -> Bool {
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }
            .first { !$0.isEmpty }?.lowercased()
        let isUTF8 = locale.map { $0.contains("utf-8") || $0.contains("utf8") } ?? true
        return isUTF8 && environment["TERM"] != "linux"
    }

    /// The width that the terminal has now, or `COLUMNS`; nil without either.
    package static func width(environment: [String: String]) -> Int? {
        environment["COLUMNS"].flatMap { Int($0) }.flatMap { (1...10_000).contains($0) ? $0 : nil }
            ?? kernelSize?.columns
    }

    /// Decides on the colours of both output streams (no-color.org).
    package mutating func applyColor(_ choice: ColorChoice, environment: [String: String]) {
        func isOn(_ isTerminal: Bool) -> Bool {
            switch choice {
            case .always: return true
            case .never: return false
            case .auto:
                let isPlain =
                    environment["NO_COLOR"].map { !$0.isEmpty } ?? false
                    || ["", "dumb"].contains(environment["TERM"] ?? "")
                return isTerminal && !isPlain
            }
        }
        let hasLinks = environment["ARGUS_NO_LINKS"]?.isEmpty ?? true
        style = Style(isOn: isOn(isOutputTerminal), hasLinks: hasLinks)
        errorStyle = Style(isOn: isOn(isErrorTerminal), hasLinks: hasLinks)
    }

    /// The size of the terminal behind stdout or stderr (tty_ioctl(4)).
    private static var kernelSize: (columns: Int, rows: Int)? {
        size(of: STDOUT_FILENO) ?? size(of: STDERR_FILENO)
    }

    /// The size of the terminal behind a descriptor; nil if there is none or its size is unknown.
    package static func size(of descriptor: Int32) -> (columns: Int, rows: Int)? {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return (Int(size.ws_col), size.ws_row > 0 ? Int(size.ws_row) : 24)
    }
}

extension Terminal {
    /// A sentence for stderr, with its line feed.
    ///
    /// On a terminal of `width` cells a long sentence is broken at blanks, and goes on below its
    /// beginning; the label has a colour.
    package func paragraph(
        _ label: String, _ color: TextColor?, _ text: String, width: Int
    ) -> String {
        let room = isErrorTerminal ? width - label.count : .max
        let margin = "\n" + String(repeating: " ", count: label.count)
        let lines = DisplayWidth.lines(of: text, width: room)
        return errorStyle.paint(label, color) + lines.joined(separator: margin) + "\n"
    }
}

/// Colours and weights for a terminal (ECMA-48, section 8.3.117); plain text when off.
package struct Style: Hashable, Sendable {
    package var isOn: Bool
    /// False if `ARGUS_NO_LINKS` is set.
    package var hasLinks: Bool

    package init(isOn: Bool, hasLinks: Bool = true) {
        (self.isOn, self.hasLinks) = (isOn, hasLinks)
    }

    package static let plain = Style(isOn: false)

    package func bold(_ text: String) -> String { wrap(text, "1") }
    package func dim(_ text: String) -> String { wrap(text, "2") }
    /// The text in green, for success.
    package func green(_ text: String) -> String { paint(text, .green) }
    /// The text in a colour; unchanged without one.
    package func paint(_ text: String, _ color: TextColor?) -> String {
        color.map { wrap(text, $0.rawValue) } ?? text
    }

    /// The text, which has no control characters, as a link, where terminals know them (OSC 8); without
    /// one if the URL has anything but printable ASCII.
    package func link(_ text: String, to url: String?) -> String {
        guard isOn, hasLinks, let url, url.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            return text
        }
        return "\u{1B}]8;;\(url)\u{1B}\\\(text)\u{1B}]8;;\u{1B}\\"
    }

    private func wrap(_ text: String, _ code: String) -> String {
        isOn ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}

/// A colour of text that is readable on dark and light backgrounds (ECMA-48, section 8.3.117, and the
/// bright colours of aixterm).
package enum TextColor: String, Sendable {
    case red = "31"
    case green = "32"
    case yellow = "33"
    /// The bright blue: the other one is hardly readable on black.
    case blue = "94"
    case magenta = "35"
    case cyan = "36"
    case dim = "2"
}

/// The values of `--color`.
package enum ColorChoice: String, CaseIterable, Sendable {
    /// On a terminal, unless `NO_COLOR` or `TERM=dumb` is set.
    case auto
    /// Also in a pipe.
    case always
    case never
}
