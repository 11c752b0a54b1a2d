import ArgusCore
import Testing

@Suite("Text from the network on a terminal")
struct SanitizerTests {
    @Test(
        "what is invisible or effective is made visible",
        arguments: [
            ("Front Door", "Front Door"), ("", ""), ("é日本😀", "é日本😀"),
            ("\u{1B}[31mred", #"\x1b[31mred"#), ("a\nb\tc\rd", #"a\nb\tc\rd"#),
            ("\u{0}\u{7}\u{8}", #"\x00\x07\x08"#), ("\u{7F}", #"\x7f"#),
            ("\u{9B}31m\u{85}", #"\u{9b}31m\u{85}"#), (#"C:\x1b"#, #"C:\\x1b"#),
            ("a\u{202E}b\u{2066}c\u{2069}", #"a\u{202e}b\u{2066}c\u{2069}"#),
            ("a\u{200B}b\u{200D}\u{FEFF}", #"a\u{200b}b\u{200d}\u{feff}"#),
            ("👨\u{200D}👩\u{200D}👧", "👨\u{200D}👩\u{200D}👧"),
            ("❤\u{FE0F}\u{200D}🔥", "❤\u{FE0F}\u{200D}🔥"),
            ("می\u{200C}روم", "می\u{200C}روم"), ("क्\u{200D}ष", "क्\u{200D}ष"),
            ("👨\u{200D}", #"👨\u{200d}"#), ("ی\u{200C} ", #"ی\u{200c} "#),
            ("ی\u{200C}\u{200C}ی", #"ی\u{200c}\u{200c}ی"#), ("1\u{200D}2", #"1\u{200d}2"#),
            ("\u{200E}\u{61C}\u{2028}", #"\u{200e}\u{61c}\u{2028}"#),
            ("x\u{E0041}\u{E007F}", #"x\u{e0041}\u{e007f}"#), ("soft\u{AD}", #"soft\u{ad}"#),
        ])
    func visible(text: String, shown: String) {
        #expect(Sanitizer.visible(text) == shown)
    }

    @Test("nothing that passes holds a control, whatever scalar it was")
    func everyScalar() {
        for value in UInt32(0)...0xFFFF {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let shown = Sanitizer.visible("a\(scalar)b")
            for scalar in shown.unicodeScalars {
                let category = scalar.properties.generalCategory
                // Arabic and Syriac prefix marks are format characters that can be seen.
                let isSeen =
                    scalar.properties.isGraphemeExtend
                    || !scalar.properties.isDefaultIgnorableCodePoint
                #expect(category != .control && isSeen, "\(value)")
            }
        }
    }

    @Test("a stream keeps lines, tabs and backslashes, and loses the rest")
    func stream() {
        var filter = TerminalFilter()
        let shown = filter.filter(Array("a\tb\\n\n\u{1B}[2J\r\n\u{9B}é\u{202E}".utf8))
        #expect(
            String(decoding: shown, as: UTF8.self) == "a\tb\\n\n\\x1b[2J\\r\n\\u{9b}é\\u{202e}")
        #expect(filter.finish().isEmpty)
    }

    @Test("a stream may be cut anywhere")
    func streamCuts() {
        let bytes =
            Array("ü\u{9B}日😀\u{202E}x👨\u{200D}👩a\u{200D}".utf8) + [0xFF, 0x41, 0xF0, 0x9F]
        var whole = TerminalFilter()
        let expected = whole.filter(bytes) + whole.finish()
        #expect(
            String(decoding: expected, as: UTF8.self)
                == "ü\\u{9b}日😀\\u{202e}x👨\u{200D}👩a\\u{200d}\u{FFFD}A\u{FFFD}\u{FFFD}")
        for first in 0...bytes.count {
            for second in first...bytes.count {
                var filter = TerminalFilter()
                let shown =
                    filter.filter(bytes[..<first]) + filter.filter(bytes[first..<second])
                    + filter.filter(bytes[second...]) + filter.finish()
                #expect(shown == expected)
            }
        }
    }
}

@Suite("Width on a terminal")
struct DisplayWidthTests {
    @Test(
        "cells are counted as terminals do",
        arguments: [
            ("", 0), ("abc", 3), ("é", 1), ("e\u{301}", 1), ("日本語", 6), ("ｆｕｌｌ", 8), ("한국", 4),
            ("\u{1112}\u{1161}\u{11AB}", 2), ("😀", 2), ("👍🏽", 2), ("👨‍👩‍👧", 2), ("🇩🇪", 2), ("❤️", 2),
            ("❤", 1),
            ("1️⃣", 2), ("…", 1), ("ﾊ", 1), ("の", 2), ("، ", 2), ("שלום", 4), ("𠀀", 2),
        ])
    func widths(text: String, cells: Int) {
        #expect(DisplayWidth.of(text) == cells)
    }

    @Test(
        "a cut text fits, ends in an ellipsis, and no character is split",
        arguments: [
            ("abcdef", 6, "abcdef"), ("abcdef", 5, "abcd…"), ("日本語", 5, "日本…"), ("日本語", 4, "日…"),
            ("日本語", 6, "日本語"), ("👨‍👩‍👧x👍", 4, "👨‍👩‍👧x…"), ("👨‍👩‍👧xyz", 3, "👨‍👩‍👧…"), ("abc", 1, "…"),
            ("abc", 0, ""), ("e\u{301}e\u{301}e\u{301}", 2, "e\u{301}…"),
        ])
    func cuts(text: String, width: Int, shown: String) {
        #expect(DisplayWidth.truncate(text, to: width) == shown)
        #expect(DisplayWidth.of(shown) <= width)
    }
}
