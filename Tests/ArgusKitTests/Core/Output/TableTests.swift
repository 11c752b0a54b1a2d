import ArgusCore
import Testing

@Suite("Tables")
struct TableTests {
    private let both = [SampleRecord.first, SampleRecord.second]

    @Test("columns are aligned under upper-case headings, without blanks at the end")
    func columns() throws {
        #expect(
            try printed(both, .table) == """
                ID   ITEM COUNT  NOTE
                a    1           hello
                bcd  -           -

                """)
        #expect(
            try printed(both, .table, fields: ["note", "id"], hidesHeader: true)
                == "hello  a\n-      bcd\n")
    }

    @Test("times are local and lists are joined")
    func values() throws {
        let berlin = LocalZone.find(environment: ["TZ": "Europe/Berlin"]).rules
        #expect(
            try printed(both, .table, fields: ["at", "tags"], zone: berlin) == """
                AT                   TAGS
                2026-11-20 23:00:00  x, y
                -                    -

                """)
    }

    @Test("wide characters count double, and controls are visible also in a pipe")
    func wideCharacters() throws {
        let records = [
            SampleRecord(id: "日本", note: "x"), SampleRecord(id: "e\u{301}", note: "y"),
            SampleRecord(id: "\u{1B}\\", note: "z"),
        ]
        #expect(
            try printed(records, .table, fields: ["id", "note"]) == """
                ID      NOTE
                日本    x
                e\u{301}       y
                \\x1b\\\\  z

                """)
    }

    @Test("the first page of a table ends where it becomes long, too")
    func heavyFirstPage() throws {
        let sink = ByteSink.memory()
        var printer = try RecordPrinter(
            SampleRecord.fields, shape: .list,
            options: OutputOptions(format: .table, fields: ["id", "note"]), sink: sink)
        let note = String(repeating: "x", count: 62_000)
        for _ in 0..<20 { try printer.write(SampleRecord(id: "a", note: note)) }
        #expect(sink.text.hasPrefix("ID  NOTE\na   xxx"))
        try printer.finish()
        #expect(sink.text.split(separator: "\n").count == 21)
    }

    @Test("a cell of megabytes is whole, and makes no other row that long")
    func hugeCell() throws {
        let huge = String(repeating: "x", count: 1_000_000)
        let records = [
            SampleRecord(id: huge, note: "x"), SampleRecord(id: "b", note: "y"),
        ]
        let lines = try printed(records, .table, fields: ["id", "note"]).split(separator: "\n")
        #expect(lines.map(\.count) == [206, 1_000_003, 203])
        #expect(lines[1].hasSuffix("xxx  x"))
        #expect(lines[2].hasSuffix("  y"))
    }

    @Test("the first page decides about widths, later cells overflow and keep their distance")
    func overflow() throws {
        let sink = ByteSink.memory()
        var printer = try RecordPrinter(
            SampleRecord.fields, shape: .list,
            options: OutputOptions(format: .table, fields: ["id", "note"]), sink: sink)
        try printer.write(SampleRecord(id: "ab", note: "x"))
        #expect(sink.text.isEmpty)
        try printer.endPage()
        #expect(sink.text == "ID  NOTE\nab  x\n")
        for id in ["abc", "abcdef"] { try printer.write(SampleRecord(id: id, note: "y")) }
        try printer.finish()
        #expect(sink.text == "ID  NOTE\nab  x\nabc  y\nabcdef  y\n")
    }

    @Test("a first page without end is shown all the same")
    func longFirstPage() throws {
        let sink = ByteSink.memory()
        var printer = try RecordPrinter(
            SampleRecord.fields, shape: .list, options: OutputOptions(format: .table), sink: sink)
        for _ in 0..<1000 { try printer.write(.first) }
        #expect(sink.text.split(separator: "\n").count == 1001)
    }

    @Test("texts are cut on a terminal only, and rows behind its edge")
    func cutting() throws {
        let record = SampleRecord(id: "abc", note: "日本語 and more")
        func shown(_ width: Int, isTerminal: Bool = true) throws -> [String] {
            let terminal = Terminal(isOutputTerminal: isTerminal, width: width)
            return try printed([record], .table, fields: ["id", "note"], terminal: terminal)
                .split(separator: "\n").map(String.init)
        }
        #expect(try shown(20) == ["ID   NOTE", "abc  日本語 and more"])
        #expect(try shown(19) == ["ID   NOTE", "abc  日本語 and mo…"])
        #expect(try shown(11) == ["ID   NOTE", "abc  日本…"])
        #expect(try shown(3) == ["ID", "abc"])
        #expect(try shown(3, isTerminal: false) == ["ID   NOTE", "abc  日本語 and more"])
    }

    @Test("one object is a block of all its fields, several are blocks apart")
    func blocks() throws {
        #expect(
            try printed([.first], .table, shape: .single) == """
                id          a
                item_count  1
                at          2026-11-20 22:00:00
                tags        x, y
                note        hello

                """)
        #expect(
            try printed(both, .table, shape: .several, fields: ["id", "note"])
                == "id    a\nnote  hello\n\nid    bcd\nnote  -\n")
    }

    @Test("headings are bold where colours are on, and alignment does not suffer")
    func bold() throws {
        let terminal = Terminal(isOutputTerminal: true, style: Style(isOn: true))
        #expect(
            try printed([.first], .table, fields: ["id", "note"], terminal: terminal)
                == "\u{1B}[1mID  NOTE\u{1B}[0m\na   hello\n")
        #expect(
            try printed(
                [.first], .table, shape: .single, fields: ["id", "note"], terminal: terminal)
                == "\u{1B}[1mid\u{1B}[0m    a\n\u{1B}[1mnote\u{1B}[0m  hello\n")
        #expect(
            try printed([.second], .table, shape: .single, terminal: terminal)
                == "\u{1B}[2mid\u{1B}[0m  bcd\n")
    }
}

@Suite("Terminals and progress")
struct TerminalTests {
    @Test("colours follow the flag, then NO_COLOR and TERM, then the stream")
    func colors() {
        func isOn(_ choice: ColorChoice, _ environment: [String: String], tty: Bool) -> Bool {
            var terminal = Terminal(isOutputTerminal: tty)
            terminal.applyColor(choice, environment: environment)
            return terminal.style.isOn
        }
        #expect(isOn(.auto, ["TERM": "xterm"], tty: true))
        #expect(isOn(.auto, ["TERM": "xterm", "NO_COLOR": ""], tty: true))
        #expect(!isOn(.auto, ["TERM": "xterm", "NO_COLOR": "1"], tty: true))
        #expect(!isOn(.auto, ["TERM": "dumb"], tty: true))
        #expect(!isOn(.auto, [:], tty: true))
        #expect(!isOn(.auto, ["TERM": "xterm"], tty: false))
        #expect(!isOn(.never, ["TERM": "xterm"], tty: true))
        #expect(isOn(.always, ["TERM": "dumb", "NO_COLOR": "1"], tty: false))
    }

    @Test("a style that is off emits the text alone")
    func styles() {
        #expect(Style.plain.green("x") == "x")
        #expect(Style(isOn: true).green("x") == "\u{1B}[32mx\u{1B}[0m")
    }

    @Test("COLUMNS gives the width when it is a sensible number")
    func width() {
        #expect(Terminal.detect(environment: ["COLUMNS": "123"]).width == 123)
        for text in ["0", "-5", "x", "99999999999999999999", ""] {
            let width = Terminal.detect(environment: ["COLUMNS": text]).width
            #expect((1...9999).contains(width))
        }
    }

    @Test("sizes read short")
    func sizes() {
        let expected: [(Int, String)] = [
            (-1, "0 B"), (999, "999 B"), (1000, "1.0 kB"), (12_345, "12.3 kB"),
            (999_999, "999.9 kB"), (1_000_000, "1.0 MB"), (4_096_000_000, "4.0 GB"),
            (.max, "9.2 EB"),
        ]
        for (count, text) in expected { #expect(ByteCountText.short(count) == text) }
    }
}
