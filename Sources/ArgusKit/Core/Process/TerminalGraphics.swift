import Glibc

/// What the user's terminal reports of itself about pictures.
package struct TerminalGraphics: Hashable, Sendable {
    /// The width and height of a cell in pixels; nil if the terminal does not report it.
    package var cellWidth: Int?
    package var cellHeight: Int?
    /// True if it shows sixels.
    package var hasSixels = false

    package init(cellWidth: Int? = nil, cellHeight: Int? = nil, hasSixels: Bool = false) {
        (self.cellWidth, self.cellHeight) = (cellWidth, cellHeight)
        self.hasSixels = hasSixels
    }

    /// What the controlling terminal reports; only with `asksForSixels` it is asked for them, and answers
    /// within `limit` or not at all.
    package static func current(
        asksForSixels: Bool, within limit: Duration = .seconds(1)
    ) -> TerminalGraphics {
        var graphics = TerminalGraphics()
        guard let terminal = try? OwnedDescriptor("/dev/tty", O_RDWR | O_NOCTTY) else {
            return graphics
        }
        var size = winsize()
        if ioctl(terminal.rawValue, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0,
            size.ws_row > 0, size.ws_xpixel >= size.ws_col, size.ws_ypixel >= size.ws_row
        {
            graphics.cellWidth = Int(size.ws_xpixel / size.ws_col)
            graphics.cellHeight = Int(size.ws_ypixel / size.ws_row)
        }
        if asksForSixels {
            graphics.hasSixels = attributes(of: terminal.rawValue, within: limit).contains(4)
        }
        return graphics
    }

    /// The terminal's primary device attributes, of which 4 means sixels (DA1; ECMA-48, section
    /// 8.3.24, and the VT340's manual); none if it does not answer in time.
    ///
    /// Asks nothing in the background, and while something waits to be read: that is for another
    /// program.
    package static func attributes(of terminal: Int32, within limit: Duration) -> Set<Int> {
        guard TerminalState.isForeground(terminal), !hasInput(terminal, within: .zero),
            TerminalState.beginPrompt("\u{1B}[c", .hiddenBytes, on: terminal)
        else { return [] }
        defer { TerminalState.endPrompt() }
        let end = ContinuousClock.now + limit
        var (bytes, buffer): ([UInt8], [UInt8]) = ([], Array(repeating: 0, count: 256))
        while hasInput(terminal, within: end - .now) {
            let count = retryingInterrupts { read(terminal, &buffer, buffer.count) }
            // An answer has some 30 bytes; a user who leans on a key sends more.
            guard count > 0, bytes.count < 4096 else { break }
            bytes += buffer[..<count]
            if let attributes = attributes(in: bytes) { return attributes }
        }
        return []
    }

    /// The attributes in an answer, `ESC [ ? 62 ; 4 c`, after anything that was typed; nil while it is
    /// incomplete.
    static func attributes(in bytes: [UInt8]) -> Set<Int>? {
        let text = String(decoding: bytes, as: UTF8.self)
        for part in text.split(separator: "\u{1B}[?").reversed() {
            let numbers = part.prefix { $0.isASCII && ($0.isNumber || $0 == ";") }
            guard part.dropFirst(numbers.count).first == "c" else { continue }
            return Set(numbers.split(separator: ";").compactMap { Int($0) })
        }
        return nil
    }

    private static func hasInput(_ terminal: Int32, within limit: Duration) -> Bool {
        var polled = pollfd(fd: terminal, events: Int16(POLLIN), revents: 0)
        let milliseconds = max(.zero, limit) / .milliseconds(1)
        return retryingInterrupts { poll(&polled, 1, Int32(milliseconds)) } == 1
    }
}
