import Testing

@testable import ArgusCore

@Suite("Reading JSON")
struct JSONReadingTests {
    private func view(_ text: String) throws -> JSONView {
        try JSONView.parse(Array(text.utf8))
    }

    @Test("each type has its kind, whatever the blanks around the value")
    func kinds() throws {
        let expected: [(String, JSONView.Kind)] = [
            (" {} ", .object), ("\t[]\n", .array), ("\"\"", .string), ("0", .number),
            ("-1", .number), ("true", .bool), ("false", .bool), ("null\r\n", .null),
        ]
        for (text, kind) in expected { #expect(try view(text).kind == kind, "\(text)") }
    }

    @Test("accessors of another type answer nil")
    func otherTypes() throws {
        let text = try view("\"5\"")
        #expect(text.int == nil && text.double == nil && text.bool == nil)
        #expect(text["a"] == nil && text.strings == nil && Array(text.elements).isEmpty)
        let number = try view("5")
        #expect(number.string == nil && number.bool == nil && !number.isNull)
        #expect(try view("null").isNull)
    }

    @Test("a member is found by its decoded name, and the last of several counts")
    func members() throws {
        let object = try view(#"{"a":1,"b":{"a":2},"\u0061":3,"":4,"é":5,"long_name_here":6}"#)
        #expect(object["a"]?.int == 3)
        #expect(object["b"]?["a"]?.int == 2)
        #expect(object[""]?.int == 4)
        #expect(object["é"]?.int == 5)
        #expect(object["long_name_here"]?.int == 6)
        #expect(object["long_name_her"] == nil)
    }

    @Test("one pass hands out every member in order, whatever lies between")
    func passOverMembers() throws {
        let object = try view(
            #" { "id" : "x" , "skip":[[{"id":"no"}],{}], "n": -2.5e1 ,"\u0069d2":true,"z":null}"#)
        var seen: [String] = []
        object.forEachMember { key, value in
            switch key {
            case "id": seen.append("id=\(value.string ?? "?")")
            case "n": seen.append("n=\(value.int ?? 0)")
            case "id2": seen.append("id2=\(value.bool ?? false)")
            case "z": seen.append("z=\(value.isNull)")
            default: seen.append("other:\(key.text)")
            }
        }
        #expect(seen == ["id=x", "other:skip", "n=-25", "id2=true", "z=true"])
    }

    @Test("a key of one letter can be a case")
    func shortKey() throws {
        var found = false
        try view(#"{"a":1}"#).forEachMember { key, _ in
            if key == "a" { found = true }
        }
        #expect(found)
    }

    @Test("elements of nested arrays are found without confusing their depth")
    func elements() throws {
        let array = try view(#"[[],[1,[2,3]],{"a":[4]}, "]" ,5,[],"\"]",[[[]]]]"#)
        let texts = array.elements.map { String(decoding: $0.rawBytes, as: UTF8.self) }
        #expect(
            texts == ["[]", "[1,[2,3]]", #"{"a":[4]}"#, #""]""#, "5", "[]", #""\"]""#, "[[[]]]"])
        let inner = Array(array.elements)[1]
        #expect(inner.elements.map(\.int) == [1, nil])
        #expect(Array(Array(inner.elements)[1].elements).map(\.int) == [2, 3])
    }

    @Test("a list of strings skips what is none")
    func strings() throws {
        #expect(try view(#"["a",1,null,"b",["c"]]"#).strings == ["a", "b"])
        #expect(try view("[]").strings == [])
    }

    @Test(
        "strings are decoded",
        arguments: [
            (#""plain""#, "plain"), (#""""#, ""), (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{c}\n\r\t"),
            (#""\u00e9\u00E9""#, "éé"), (#""\ud83d\ude00""#, "😀"), (#""a\u0000b""#, "a\0b"),
            (#""\ud83d""#, "\u{FFFD}"), (#""\ude00x""#, "\u{FFFD}x"),
            (#""\ud83d\u0041""#, "\u{FFFD}A"), (#""\ud83d\n""#, "\u{FFFD}\n"),
            (#""\ud83d\ud83d\ude00""#, "\u{FFFD}😀"),
            (#""日本語 with a long tail""#, "日本語 with a long tail"),
        ])
    func decodedStrings(json: String, text: String) throws {
        #expect(try view(json).string == text)
    }

    @Test("invalid UTF-8 in a string becomes U+FFFD, with and without escapes beside it")
    func invalidUTF8() throws {
        let plain = try JSONView.parse([0x22, 0x61, 0xFF, 0xC3, 0x22])
        #expect(plain.string == "a\u{FFFD}\u{FFFD}")
        let escaped = try JSONView.parse([0x22, 0x5C, 0x6E, 0x9B, 0x22])
        #expect(escaped.string == "\n\u{FFFD}")
    }

    @Test(
        "whole numbers are read exactly or not at all",
        arguments: [
            ("0", 0), ("-0", 0), ("9223372036854775807", .max), ("-9223372036854775808", .min),
            ("9223372036854775808", nil), ("-9223372036854775809", nil), ("3.0", 3), ("3e2", 300),
            ("3.5", nil), ("1e400", nil), ("-7", -7),
            ("123456789012345678901234567890", nil),
        ] as [(String, Int?)])
    func integers(json: String, value: Int?) throws {
        #expect(try view(json).int == value)
    }

    @Test("times are read from strings and from Unix seconds")
    func timestamps() throws {
        let expected = Timestamp(seconds: 1_795_212_000)
        #expect(try view(#""2026-11-20T22:00:00Z""#).timestamp == expected)
        #expect(try view("1795212000").timestamp == expected)
        #expect(try view("1795212000.5").timestamp == expected + .milliseconds(500))
        for text in [
            #""""#, #""soon""#, "null", "true", "[]", "1e400", #""2026-11-20T22:00:00\u005a""#,
        ] {
            #expect(try view(text).timestamp == nil, "\(text)")
        }
    }

    @Test("numbers with a fraction are read, infinite ones are none")
    func doubles() throws {
        #expect(try view("0.1").double == 0.1)
        #expect(try view("-2.5E-3").double == -0.0025)
        #expect(try view("12").double == 12)
        #expect(try view("1e999").double == nil)
    }

    @Test(
        "what is no JSON is refused",
        arguments: [
            "", "  ", "{", "[", "\"", "\"a", "tru", "nul", "falsy", "True", "{]", "[}", "[1,]",
            "[,1]",
            "{,}", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{a:1}", "{'a':1}", "[1 2]", "1 2", "[]]",
            "{}}",
            "01", "-", "+1", "1.", ".5", "1e", "1e+", "0x1", "NaN", "Infinity", "-Infinity",
            "\"\\x\"", "\"\\u12\"", "\"\\u12g4\"", "\"\\", "\"a\nb\"", "\"\u{0}\"", "\u{0}",
            "nullnull",
            "[1}", "{\"a\":[}", "// c\n1", "\u{FEFF}",
        ])
    func refused(text: String) {
        #expect(throws: JSONError.self) { try view(text) }
    }

    @Test("a refusal names the place")
    func failurePlace() {
        #expect(throws: JSONError(reason: .unexpectedByte, offset: 4)) { try view("[1, x]") }
        #expect(throws: JSONError(reason: .truncated, offset: 3)) { try view("[1,") }
    }

    @Test("a byte order mark is skipped")
    func byteOrderMark() throws {
        #expect(
            try JSONView.parse([0xEF, 0xBB, 0xBF, 0x5B, 0x31, 0x5D]).elements.map(\.int) == [1])
    }

    @Test("nesting is allowed to the limit and refused past it, at any length")
    func depth() throws {
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        #expect(try view(nested(512)).kind == .array)
        #expect(throws: JSONError(reason: .tooDeep, offset: 512)) { try view(nested(513)) }
        #expect(throws: JSONError(reason: .tooDeep, offset: 512)) { try view(nested(1_000_000)) }
        #expect(throws: JSONError.self) { try view(String(repeating: "{\"a\":", count: 100_000)) }
    }

    @Test("a text of too many values is refused before what is made of them fills the memory")
    func valueLimit() throws {
        let most = JSONError.valueLimit
        for (value, length) in [("[]", 3), ("0", 2)] {
            let text = "[" + String(repeating: value + ",", count: most) + value + "]"
            #expect(throws: JSONError(reason: .tooLarge, offset: 1 + length * (most - 1))) {
                try view(text)
            }
            let fewer = "[" + String(repeating: value + ",", count: most - 2) + value + "]"
            #expect(try view(fewer).kind == .array)
        }
    }

    @Test("a raw value is copied byte for byte, or without the blanks between its tokens")
    func rawCopies() throws {
        let object = try view(#"{"a": [ {"b" : "x  \" y" ,"n":1.50 } , 2 ]}"#)
        let value = try #require(object["a"])
        #expect(
            String(decoding: value.rawBytes, as: UTF8.self)
                == #"[ {"b" : "x  \" y" ,"n":1.50 } , 2 ]"#)
        var output: [UInt8] = []
        value.appendCompact(to: &output)
        #expect(String(decoding: output, as: UTF8.self) == #"[{"b":"x  \" y","n":1.50},2]"#)
    }

    @Test("for a terminal only what it may act on is escaped")
    func rawForTerminal() throws {
        let json = "{\"a\\n\": \"\u{7F}\u{9B}x \u{202E}é😀\\u001b\\\"\u{2028}\"}"
        var output: [UInt8] = []
        try view(json).appendCompact(to: &output, escaping: .forTerminal)
        #expect(
            String(decoding: output, as: UTF8.self)
                == #"{"a\n":"\u007f\u009bx \u202eé😀\u001b\"\u2028"}"#)
        var invalid: [UInt8] = []
        try JSONView.parse([0x22, 0x9B, 0x22]).appendCompact(to: &invalid, escaping: .forTerminal)
        #expect(String(decoding: invalid, as: UTF8.self) == "\"\u{FFFD}\"")
    }
}
