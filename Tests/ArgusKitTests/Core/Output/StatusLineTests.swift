import ArgusCore
import Testing

@Suite("StatusLine")
struct StatusLineTests {
    private let sink = ByteSink.memory()

    private func line(width: Int = 30, hasEscapes: Bool = true) -> StatusLine {
        let line = StatusLine(on: sink, width: width)
        line.begin(Style(isOn: hasEscapes)) { nil }
        return line
    }

    @Test("it is drawn on a change, and rests with the cursor at its first cell")
    func changes() {
        let line = line()
        line.show(["live"], in: nil)
        line.show(["live"], in: nil)
        line.show(["down"], in: .yellow)
        line.end()
        line.end()
        #expect(
            sink.text == "\r\u{1B}[Jlive\r" + "\r\u{1B}[J\u{1B}[33mdown\u{1B}[0m\r" + "\r\u{1B}[J")
    }

    @Test("output goes above it, also several at once")
    func hidden() throws {
        let line = line()
        line.hidden {}
        #expect(sink.text.isEmpty)
        line.show(["live"], in: nil)
        try line.hidden { () throws(OutputError) in
            try sink.write("one\n")
            line.show(["1 event"], in: nil)
            try line.hidden { () throws(OutputError) in try sink.write("two\n") }
        }
        #expect(
            sink.text == "\r\u{1B}[Jlive\r" + "\r\u{1B}[J" + "one\ntwo\n" + "\r\u{1B}[J1 event\r")
    }

    @Test("a failed output brings it back")
    func failure() {
        let line = line()
        line.show(["live"], in: nil)
        #expect(throws: OutputError.closedPipe) {
            try line.hidden { () throws(OutputError) in throw OutputError.closedPipe }
        }
        #expect(sink.text.hasSuffix("\r\u{1B}[Jlive\r"))
    }

    @Test("it is cut so that the last cell stays free", arguments: [1, 2, 10, 11])
    func width(width: Int) {
        line(width: width).show(["live, door"], in: nil)
        let drawn = sink.text.dropFirst("\r\u{1B}[J".count).dropLast()
        #expect(DisplayWidth.of(String(drawn)) == max(1, width - 1))
        #expect(drawn.hasSuffix("…") == (width < 11))
    }

    @Test(
        "the first of its texts that fits is shown, after a dot in its own colour",
        arguments: [(30, "live, 3 events"), (17, "live, 3 events"), (16, "live"), (5, "l…")])
    func shorterTexts(width: Int, text: String) {
        line(width: width).show(["live, 3 events", "live"], dot: .green, in: .dim)
        #expect(
            sink.text == "\r\u{1B}[J\u{1B}[32m● \u{1B}[0m\u{1B}[2m\(text)\u{1B}[0m\r")
    }

    @Test("without styles there is no escape sequence: blanks cover what was drawn")
    func plain() {
        let line = line(hasEscapes: false)
        line.show(["前庭"], in: .dim)
        line.show(["live"], in: .dim)
        line.end()
        #expect(sink.text == "\r前庭\r" + "\r    \rlive\r" + "\r    \r")
    }
}
