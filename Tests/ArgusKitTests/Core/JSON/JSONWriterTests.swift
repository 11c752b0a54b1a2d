import ArgusCore
import Testing

@Suite("Writing JSON")
struct JSONWriterTests {
    private func text(_ layout: JSONWriter.Layout, _ body: (inout JSONWriter) -> Void) -> String {
        var writer = JSONWriter(layout: layout)
        body(&writer)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    private func sample(_ writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("name", "Front Door")
            writer.member("missing", nil as String?)
            writer.key("list")
            writer.array { writer in
                writer.integer(-1)
                writer.bool(true)
                writer.object { _ in }
                writer.array { _ in }
            }
            writer.member("at", Timestamp(seconds: 1_795_212_000))
        }
    }

    @Test("the compact layout has no blanks and keeps the order")
    func compact() {
        #expect(
            text(.compact, sample)
                == #"{"name":"Front Door","missing":null,"list":[-1,true,{},[]],"#
                + #""at":"2026-11-20T22:00:00.000000Z"}"#)
    }

    @Test("the pretty layout indents by two blanks, and leaves empty containers closed")
    func pretty() {
        #expect(
            text(.pretty, sample) == """
                {
                  "name": "Front Door",
                  "missing": null,
                  "list": [
                    -1,
                    true,
                    {},
                    []
                  ],
                  "at": "2026-11-20T22:00:00.000000Z"
                }
                """)
    }

    @Test("nothing that a terminal acts on stays raw, in keys and in strings")
    func escapes() {
        let hostile =
            "\u{1B}[31m\u{7F}\u{9B}\u{0}\u{85}\u{202E}\u{2066}\u{200E}\u{61C}\u{2028}\u{2029}"
        let escaped =
            #"\u001b[31m\u007f\u009b\u0000\u0085\u202e\u2066\u200e\u061c\u2028\u2029"#
        #expect(text(.compact) { $0.string(hostile) } == "\"\(escaped)\"")
        #expect(
            text(.compact) { writer in writer.object { $0.member(hostile, 1) } }
                == "{\"\(escaped)\":1}")
    }

    @Test("the quote and the backslash are escaped, the slash and other letters are not")
    func plainLetters() {
        #expect(
            text(.compact) { $0.string("a\"b\\c/d\n\r\té日😀\u{200D}\u{A0}") }
                == #""a\"b\\c/d\n\r\té日😀"# + "\u{200D}\u{A0}\"")
        #expect(text(.compact) { $0.string("") } == "\"\"")
    }

    @Test("a control is found wherever it stands in a long text")
    func everyPosition() {
        for length in 0..<40 {
            let front = String(repeating: "a", count: length)
            let rest = String(repeating: "b", count: 20)
            #expect(
                text(.compact) { $0.string(front + "\u{1}" + rest) }
                    == "\"" + front + "\\u0001" + rest + "\"")
        }
    }

    @Test("numbers are written so that they read the same, and infinite ones as null")
    func numbers() throws {
        #expect(text(.compact) { $0.integer(Int64.min) } == "-9223372036854775808")
        #expect(text(.compact) { $0.number(0.1) } == "0.1")
        #expect(text(.compact) { $0.number(.infinity) } == "null")
        #expect(text(.compact) { $0.number(.nan) } == "null")
        for value in [1e300, -2.5e-308, 1e-7, 123456789.125] {
            let json = text(.compact) { $0.number(value) }
            #expect(try JSONView.parse(Array(json.utf8)).double == value)
        }
    }

    @Test("raw values stand among written ones")
    func rawValues() throws {
        let view = try JSONView.parse(Array(#"{"a" : 1}"#.utf8))
        #expect(
            text(.compact) { writer in
                writer.array { writer in
                    writer.value(view)
                    writer.value(view)
                }
            } == #"[{"a":1},{"a":1}]"#)
    }
}
