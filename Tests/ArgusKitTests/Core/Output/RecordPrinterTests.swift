import Glibc
import Testing

@testable import ArgusCore

/// A record with a field of each kind.
struct SampleRecord: Sendable {
    var id: String
    var count: Int?
    var at: Timestamp?
    var tags: [String]?
    var note: String?

    static let fields: [Field<SampleRecord>] = [
        Field("id", "its name") { .text($0.id) },
        Field("item_count", "how many") { FieldValue($0.count) },
        Field("at", "when", isColumn: false) { FieldValue($0.at) },
        Field("tags", "words", isColumn: false) { FieldValue($0.tags) },
        Field("note", "anything") { FieldValue($0.note) },
    ]

    static let first = SampleRecord(
        id: "a", count: 1, at: Timestamp(seconds: 1_795_212_000), tags: ["x", "y"], note: "hello")
    static let second = SampleRecord(id: "bcd", count: nil, at: nil, tags: nil, note: nil)
}

/// Prints records as one page and returns what came out.
func printed(
    _ records: [SampleRecord], _ format: OutputFormat, shape: OutputShape = .list,
    fields: [String]? = nil, hidesHeader: Bool = false, zone: TimeZoneRules = .utc,
    terminal: Terminal = .none
) throws -> String {
    let sink = ByteSink.memory()
    let options = OutputOptions(
        format: format, fields: fields, hidesHeader: hidesHeader, zone: zone, terminal: terminal)
    var printer = try RecordPrinter(
        SampleRecord.fields, shape: shape, options: options, sink: sink)
    for record in records { try printer.write(record) }
    try printer.finish()
    return sink.text
}

@Suite("Printing records for programs")
struct RecordPrinterTests {
    private let both = [SampleRecord.first, SampleRecord.second]

    @Test("json prints an array of all fields, null where there is nothing")
    func jsonList() throws {
        #expect(
            try printed(both, .json) == """
                [
                  {
                    "id": "a",
                    "item_count": 1,
                    "at": "2026-11-20T22:00:00.000000Z",
                    "tags": [
                      "x",
                      "y"
                    ],
                    "note": "hello"
                  },
                  {
                    "id": "bcd",
                    "item_count": null,
                    "at": null,
                    "tags": null,
                    "note": null
                  }
                ]

                """)
    }

    @Test("an empty list is [] in json, nothing in ndjson and table, a header in csv")
    func emptyLists() throws {
        #expect(try printed([], .json) == "[]\n")
        #expect(try printed([], .json, shape: .several) == "[]\n")
        #expect(try printed([], .json, shape: .single).isEmpty)
        #expect(try printed([], .ndjson).isEmpty)
        #expect(try printed([], .table).isEmpty)
        #expect(try printed([], .csv) == "id,item_count,at,tags,note\n")
        #expect(try printed([], .csv, hidesHeader: true).isEmpty)
    }

    @Test("one operand is an object, several are an array")
    func shapes() throws {
        #expect(
            try printed([.first], .json, shape: .single, fields: ["id"])
                == "{\n  \"id\": \"a\"\n}\n")
        #expect(
            try printed([.first], .json, shape: .several, fields: ["id"])
                == "[\n  {\n    \"id\": \"a\"\n  }\n]\n")
    }

    @Test("ndjson prints an object a line, in the order of the fields asked for")
    func ndjson() throws {
        #expect(
            try printed(both, .ndjson, fields: ["note", "id", "note"])
                == #"{"note":"hello","id":"a"}"# + "\n" + #"{"note":null,"id":"bcd"}"# + "\n")
    }

    @Test("a list that broke off has no closing bracket")
    func brokenOff() throws {
        let sink = ByteSink.memory()
        var printer = try RecordPrinter(
            SampleRecord.fields, shape: .list,
            options: OutputOptions(format: .json, fields: ["id"]), sink: sink)
        try printer.write(.first)
        try printer.endPage()
        #expect(sink.text == "[\n  {\n    \"id\": \"a\"\n  }")
    }

    @Test("a field that does not exist is refused with those that do")
    func unknownField() {
        #expect(
            throws: UnknownFieldError(
                name: "nope", validNames: ["id", "item_count", "at", "tags", "note"])
        ) { try printed(both, .json, fields: ["id", "nope"]) }
        #expect(throws: UnknownFieldError.self) { try printed(both, .table, fields: [""]) }
        let error = UnknownFieldError(name: "\u{1B}x", validNames: ["id", "at"])
        #expect(error.description == "no field '\u{1B}x'; the fields are id, at")
    }

    @Test("a column beyond those that are kept is not said to be unknown")
    func tooManyColumns() throws {
        let members = (1...1001).map { #""c\#($0)":1"# }.joined(separator: ",")
        var names = RawRows.Names()
        names.add(try JSONView.parse(Array("{\(members)}".utf8)))
        let error = #expect(throws: UnknownFieldError.self) {
            try RawRows(
                OutputOptions(format: .csv, fields: ["c1001"]), first: names, sink: .memory())
        }
        #expect(
            error?.description == "'c1001' is none of the first 1000 fields, and there are more")
    }

    @Test("raw objects are printed byte for byte, in json and in ndjson")
    func raw() throws {
        let view = try JSONView.parse(Array("{\"z\": 1.0, \"a\" :\"\u{9B}\\u00e9\"}".utf8))
        let expected = "{\"z\":1.0,\"a\":\"\u{9B}\\u00e9\"}"
        for (format, terminal, text) in [
            (OutputFormat.ndjson, Terminal.none, expected + "\n"),
            (.json, .none, "[\n  " + expected + "\n]\n"),
            (
                .ndjson, Terminal(isOutputTerminal: true),
                expected.replacing("\u{9B}", with: "\\u009b") + "\n"
            ),
        ] {
            let sink = ByteSink.memory()
            var printer = try RecordPrinter(
                SampleRecord.fields, shape: .list,
                options: OutputOptions(format: format, terminal: terminal), sink: sink)
            try printer.writeRaw(view)
            try printer.finish()
            #expect(sink.text == text)
        }
    }

    @Test("each line is out at once, or with its page where that was chosen")
    func flushing() throws {
        let pipe = try TestPipe()
        _ = fcntl(pipe.reader, F_SETFL, O_NONBLOCK)
        for flushesEachRecord in [true, false] {
            var printer = try RecordPrinter(
                SampleRecord.fields, shape: .list,
                options: OutputOptions(
                    format: .ndjson, fields: ["id"], flushesEachRecord: flushesEachRecord),
                sink: ByteSink(descriptor: pipe.writer))
            try printer.write(.first)
            let atOnce = pipe.read(upTo: 100)
            try printer.endPage()
            let atEndOfPage = pipe.read(upTo: 100)
            let line = Array("{\"id\":\"a\"}\n".utf8)
            #expect(atOnce == (flushesEachRecord ? line : []))
            #expect(atEndOfPage == (flushesEachRecord ? [] : line))
        }
    }

    @Test("csv follows RFC 4180 and disarms formulas")
    func csv() throws {
        var records = both
        for note in [
            "a,b", "say \"hi\"", "two\nlines", "=1+1", "+1", "-1", "@x", "\tx", "\rx", "=\"a\"", "",
            "\n=1", "＝1", "＋1", "－1", "＠x", "１",
        ] {
            records.append(SampleRecord(id: "n", count: -5, note: note))
        }
        #expect(
            try printed(records, .csv) == """
                id,item_count,at,tags,note
                a,1,2026-11-20T22:00:00.000000Z,x;y,hello
                bcd,,,,
                n,-5,,,"a,b"
                n,-5,,,"say ""hi""\"
                n,-5,,,"two
                lines"
                n,-5,,,'=1+1
                n,-5,,,'+1
                n,-5,,,'-1
                n,-5,,,'@x
                n,-5,,,'\tx
                n,-5,,,"'\rx"
                n,-5,,,"'=""a""\"
                n,-5,,,
                n,-5,,,"'
                =1"
                n,-5,,,'＝1
                n,-5,,,'＋1
                n,-5,,,'－1
                n,-5,,,'＠x
                n,-5,,,１

                """)
    }

    @Test("booleans, numbers and objects have their csv forms")
    func csvValues() throws {
        let fields: [Field<Int>] = [
            Field("yes", "") { _ in .bool(true) }, Field("number", "") { _ in .number(0.5) },
            Field("object", "") { _ in .object([.init("a", .integer(1)), .init("b", .null)]) },
            Field("none", "") { _ in .number(.nan) },
            Field("list", "") { _ in .list([.text("=x"), .null]) },
        ]
        let sink = ByteSink.memory()
        var printer = try RecordPrinter(
            fields, shape: .list, options: OutputOptions(format: .csv), sink: sink)
        try printer.write(0)
        try printer.finish()
        #expect(
            sink.text == "yes,number,object,none,list\n"
                + #"true,0.5,"{""a"":1,""b"":null}",,'=x;"# + "\n")
    }

    @Test("tsv writes tabs, line ends and backslashes as escapes")
    func tsv() throws {
        let record = SampleRecord(id: "=1", note: "a\tb\nc\rd\\e\"f")
        #expect(
            try printed([record], .tsv, fields: ["id", "note"])
                == "id\tnote\n=1\ta\\tb\\nc\\rd\\\\e\"f\n")
    }

    @Test("csv and tsv on a terminal show no controls, into a pipe they keep them")
    func terminalFilter() throws {
        let record = SampleRecord(id: "\u{1B}[2J\u{202E}")
        let terminal = Terminal(isOutputTerminal: true)
        #expect(
            try printed([record], .csv, fields: ["id"], terminal: terminal)
                == "id\n\\x1b[2J\\u{202e}\n")
        #expect(try printed([record], .csv, fields: ["id"]) == "id\n\u{1B}[2J\u{202E}\n")
    }
}
