import Testing

@testable import argus_demo

/// The small parts that the demo is made of.
@Suite(.waitsForPrograms)
struct DemoTextTests {
    @Test("JSON is read and written back, escapes and all")
    func roundTripsJSON() throws {
        let text = #"{"a":[1,-2.5,null,true,"q\"\\\n\u001b é 前 😀"],"b":{}}"#
        let value = try JSON.read(Array(text.utf8))
        #expect(value.description() == text)
        #expect(
            JSON.text("é😀").description(.spaced) == #""\u00e9\ud83d\ude00""#)
        let spaced: JSON = ["a": [1, 2], "b": "\u{1B}"]
        #expect(spaced.description(.spaced) == #"{"a": [1, 2], "b": "\u001b"}"#)
        #expect(try JSON.read(Array(#""\ud83d\ude00""#.utf8)) == "😀")
        #expect(try JSON.read(Array(#"[",]", "\",}", 1]"#.utf8)) == [",]", "\",}", 1])
    }

    @Test(
        "what is no JSON is refused",
        arguments: [
            "", "{", "[1,]", "{\"a\"}", "{\"a\":[1,\"\\\\\",\n]}", "{\"a\":1 , }", "nul", "1 2",
            "\"", "\"\u{1}\"", "\"\\u12\"",
            "{1:2}", "--1", #""\ud83d""#, #""\ude00""#, #""\ud83d\u0041""#, #"{"\ud83d":1}"#,
        ])
    func refusesBadJSON(_ text: String) {
        #expect(throws: JSON.Failure.self) { try JSON.read(Array(text.utf8)) }
    }

    @Test("deep nesting and invalid UTF-8 are refused")
    func refusesHostileJSON() {
        let deep = [UInt8](repeating: UInt8(ascii: "["), count: 100_000)
        #expect(throws: JSON.Failure.self) { try JSON.read(deep) }
        let quote = UInt8(ascii: "\"")
        #expect(throws: JSON.Failure.self) { try JSON.read([quote, 0xFF, quote]) }
    }

    @Test(
        "times are read in every form that the server takes",
        arguments: [
            ("2026-11-20T22:00:00Z", "2026-11-20T22:00:00Z"),
            ("2026-11-20T22:00:00.5+02:00", "2026-11-20T22:00:00.500000Z"),
            ("2026-11-20 22:00", "2026-11-20T22:00:00Z"), ("2026-11-20", "2026-11-20T00:00:00Z"),
            ("1795212000", "2026-11-20T22:00:00Z"), ("0", "1970-01-01T00:00:00Z"),
            ("1969-12-31T23:59:59.999999Z", "1969-12-31T23:59:59.999999Z"),
            ("2024-02-29T00:00:00.1234567Z", "2024-02-29T00:00:00.123456Z"),
        ])
    func readsTimes(_ text: String, _ expected: String) {
        #expect(Moment(text)?.text == expected)
    }

    @Test(
        "what is no time is refused",
        arguments: [
            "", "yesterday", "2026-13-01", "2026-11-20T24:00:00Z", "2026-11-20T10:00:00 02:00",
            "2026-11-20T10:00:00Zx", "1e300", "nan", "-026-11-20",
        ])
    func refusesTimes(_ text: String) {
        #expect(Moment(text) == nil)
    }

    @Test("a moment has the server's other spellings")
    func spellsTimes() {
        let moment = Moment(microseconds: 1_795_212_000_250_000)
        #expect(moment.offsetText == "2026-11-20T22:00:00.250000+00:00")
        let whole = Moment(seconds: 1_795_212_000)
        #expect(whole.offsetText == "2026-11-20T22:00:00.000000+00:00")
        #expect(moment.httpDate == "Fri, 20 Nov 2026 22:00:00 GMT")
        #expect(moment.stampText == "2026-11-20 22:00:00")
    }

    @Test("ids are lower-case version 4 UUIDs and read back as nothing else")
    func identifies() {
        var generator = SeededGenerator(seed: 9)
        for _ in 0..<100 {
            let id = Identifier(&generator)
            let text = Array(id.text)
            #expect(text.count == 36 && text[14] == "4" && "89ab".contains(text[19]))
            #expect(Identifier(id.text) == id)
        }
        let text = Identifier(&generator).text
        #expect(Identifier(text.uppercased()) == nil)
        #expect(Identifier(text + "0") == nil)
        #expect(Identifier(String(repeating: "-", count: 36)) == nil)
    }

    @Test("base64url has its vectors, without padding")
    func encodesBase64() throws {
        let vectors = ["": "", "f": "Zg", "fo": "Zm8", "foo": "Zm9v", "foobar": "Zm9vYmFy"]
        for (plain, encoded) in vectors {
            #expect(Base64URL.encode(Array(plain.utf8)) == encoded)
            #expect(Array(try #require(Base64URL.decode(encoded))) == Array(plain.utf8))
        }
        #expect(Base64URL.encode([0xFB, 0xFF]) == "-_8")
        #expect(Array(try #require(Base64URL.decode("-_8"))) == [0xFB, 0xFF])
        #expect(Base64URL.decode("+/8") == nil)
    }

    @Test("options have their defaults, and a command turns limits off")
    func readsOptions() throws {
        let plain = try Options()
        #expect(plain.settings.limitsRates && plain.port == nil && plain.rate == 6)
        let options = try Options([
            "--port=0", "--api", "mobile", "--token-ttl", "9", "--", "sh", "-c", "--port",
        ])
        #expect(options.command == ["sh", "-c", "--port"])
        #expect(options.port == 0 && !options.settings.limitsRates)
        #expect(options.settings.accessTokenLifetime == 9)
        #expect(try Options(["--all-online", "--port", "1"]).settings.isAllOnline)
        #expect(try Options(["--rate-limits", "on", "--", "x"]).settings.limitsRates)
    }

    @Test(
        "a command line that makes no sense is refused",
        arguments: [
            ["--port"], ["--port", "65536"], ["--api", "new"], ["--events", "1000001"], ["--"],
            ["serve"], ["--rate-limits", "maybe"], ["--fault", "zap"], ["--rate", "-1"],
            ["--token-ttl", "0"], ["--what", "1"],
        ])
    func refusesOptions(_ arguments: [String]) {
        #expect(throws: UsageError.self) { try Options(arguments) }
    }
}
