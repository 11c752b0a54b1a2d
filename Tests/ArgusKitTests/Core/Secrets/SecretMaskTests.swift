import FoundationEssentials
import Testing

@testable import ArgusAccount
@testable import ArgusArchive
@testable import ArgusCore
@testable import ArgusEvents
@testable import ArgusPush

@Suite("Secrets in text of others")
struct SecretMaskTests {
    private static let secret = #"hunter2-"S&c\r€t/+"#
    private let mask = SecretMask([Array(Self.secret.utf8), Array("tok-a1b2c3d4".utf8)])

    private func masked(_ text: String) -> String {
        String(decoding: mask.masking(Array(text.utf8)), as: UTF8.self)
    }

    private static func percent(_ text: String, _ hex: (UInt8) -> String) -> String {
        text.utf8.map { "%" + hex($0) }.joined()
    }

    private static func hex(_ byte: UInt8) -> String {
        (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }

    private static func json(_ text: String) -> String {
        String(
            decoding: JSONWriter.object { $0.member("a", text) }.dropFirst(6).dropLast(2),
            as: UTF8.self)
    }

    /// The forms in which a server may repeat a secret.
    static let forms: [(name: String, text: String)] = [
        ("plain", secret),
        ("JSON", json(secret)),
        ("JSON in JSON", json(json(secret))),
        (
            "JSON with every letter escaped",
            secret.utf16.map { unit in
                "\\u" + String(repeating: "0", count: 4 - String(unit, radix: 16).count)
                    + String(unit, radix: 16)
            }.joined()
        ),
        ("percent, lower case", percent(secret, hex)),
        ("percent, upper case", percent(secret) { hex($0).uppercased() }),
        ("percent twice", percent(secret) { "25" + hex($0) }),
        ("percent in JSON", json(PercentEncoding.encode(secret))),
        ("partly percent", secret.replacing("-", with: "%2d")),
        (
            "HTML",
            secret.replacing("&", with: "&amp;").replacing("\"", with: "&#34;").replacing(
                "t", with: "&#x74;")
        ),
        ("as argus shows it", Sanitizer.visible(secret)),
        ("in a URL", "https://relay.example/" + PercentEncoding.encode(secret) + "?a=b"),
        ("cut", String(secret.prefix(9)) + "…"),
        ("cut in an escape", PercentEncoding.encode(String(secret.prefix(8))) + "%2…"),
    ]

    @Test("a secret is found in every form, and nothing else goes", arguments: forms)
    func found(form: (name: String, text: String)) {
        for before in ["", "a", "ab", "abc", "\"", "detail: ", "100% of ", "C:\\dir "] {
            let text = before + form.text + " after"
            let result = masked(text)
            #expect(result.hasPrefix(before) && result.hasSuffix(" after"), "\(result)")
            #expect(result.contains("<redacted>"), "\(result)")
            #expect(!result.contains("unter2") && !result.contains("75%6e"), "\(result)")
        }
    }

    @Test("base64 gives it away wherever it begins, in both alphabets")
    func base64() {
        for count in 0..<9 {
            let text = Data(("user:abcde".suffix(count) + Self.secret + "xyz").utf8)
                .base64EncodedString()
            for form in [
                text, text.replacing("+", with: "-").replacing("/", with: "_"),
                PercentEncoding.encode(text),
            ] {
                let result = masked("Basic \(form)")
                #expect(result.hasPrefix("Basic "))
                // What is left tells of its neighbours and of a letter at either end.
                #expect(
                    result.replacing("<redacted>", with: "").utf8.count <= 6 + (count * 8 + 5) / 6
                        + 14, "\(result)")
                #expect(result.contains("<redacted>"), "\(result)")
            }
        }
    }

    @Test("several secrets, and one inside another, are masked together")
    func several() {
        #expect(
            masked("a tok-a1b2c3d4, tok-a1b2c3d4tok-a1b2c3d4 b") == "a <redacted>, <redacted> b")
        let nested = SecretMask([Array("abcdefghij".utf8), Array("cdefgh".utf8)])
        let text = nested.masking(Array("1abcdefghij2cdefgh3".utf8))
        #expect(String(decoding: text, as: UTF8.self) == "1<redacted>2<redacted>3")
    }

    @Test(
        "other text stays as it is",
        arguments: [
            "", "tok", "tok-a1b2c3d", "tok-a1b2 c3d4", "hunter", "%", "100%", "\\", "\\u12", "&amp",
            "&#;",
            "%zz tok-", "https://home.example:8000/a@b", "ann@home.example", "a://b c@d", "…",
            "tok-…",
            "http://[::1]:8000/x", "https://host?login_hint=ann@home.example",
            "https://cam.local,ann@home.example", "http://[fe80::1]:8000/x@y",
            "{\"bytes\":12345678,\"n\":\"é\"}",
        ])
    func kept(text: String) {
        #expect(masked(text) == text)
    }

    @Test(
        "passwords inside URLs are masked, known or not",
        arguments: [
            (
                "see rtsp://ann:open@10.0.0.7/live now",
                "see rtsp://ann:<redacted>@10.0.0.7/live now"
            ),
            ("rtsp://ann:p@ss@cam:554/", "rtsp://ann:<redacted>@cam:554/"),
            ("rtsp://ann:pa/ss@cam/", "rtsp://ann:<redacted>@cam/"),
            (#"{"u":"rtsp:\/\/ann:open@cam\/"}"#, #"{"u":"rtsp:\/\/ann:<redacted>@cam\/"}"#),
            ("rtsp%3A%2F%2Fann%3Aopen%40cam", "rtsp%3A%2F%2Fann%3A<redacted>%40cam"),
            ("https://token-only@host/", "https://<redacted>@host/"),
            ("rtsp://ann:2024/x@cam/", "rtsp://ann:<redacted>@cam/"),
        ])
    func urls(text: String, result: String) {
        #expect(masked(text) == result)
        #expect(String(decoding: SecretMask([]).masking(Array(text.utf8)), as: UTF8.self) == result)
    }

    @Test("a number of JSON is replaced by a string, so that JSON stays JSON")
    func numbers() throws {
        let mask = SecretMask([Array("12345678".utf8)])
        for (text, result) in [
            (#"{"a":12345678,"b":[12345678, 1]}"#, #"{"a":"<redacted>","b":["<redacted>", 1]}"#),
            (
                #"{"a":"n:12345678,","b":"\",12345678,"}"#,
                #"{"a":"n:<redacted>,","b":"\",<redacted>,"}"#
            ),
            ("port 12345678", "port <redacted>"),
        ] {
            let masked = mask.masking(Array(text.utf8))
            #expect(String(decoding: masked, as: UTF8.self) == result)
            #expect(!text.hasPrefix("{") || (try? JSONView.parse(masked)) != nil)
        }
    }

    @Test("the beginning of a long secret is masked however it ends")
    func cut() {
        let long = "abcdefghij0123456789ABCDEFGHIJ0123456789"
        let mask = SecretMask([Array(long.utf8)])
        for end in ["...", " (cut)", ""] {
            let text = "token " + long.prefix(20) + end
            #expect(
                String(decoding: mask.masking(Array(text.utf8)), as: UTF8.self)
                    == "token <redacted>" + end)
        }
    }

    @Test("texts that are nothing but escapes or signs of URLs are read in linear time")
    func hostile() {
        // Each took minutes when the time grew with the square of the length.
        for piece in ["@", "://@", "%2525252541&amp;amp;amp;lt;\\\\\\u0041", "%", "\\", "&#"] {
            let text = Array(String(repeating: piece, count: 2_000_000 / piece.utf8.count).utf8)
            let ranges = text.withUnsafeBufferPointer { mask.ranges(in: $0) }
            #expect(ranges.allSatisfy { $0.upperBound <= text.count })
        }
    }

    @Test("short values and short numbers are parts of too much else to be looked for")
    func short() {
        #expect(
            !SecretMask.canFind(Array("ann12".utf8)) && SecretMask.canFind(Array("ann123".utf8)))
        #expect(
            !SecretMask.canFind(Array("1234567".utf8)) && SecretMask.canFind(Array("12345678".utf8))
        )
    }

    @Test("any secret is found anywhere in any bytes, whatever they are")
    func anywhere() {
        var numbers = SystemRandomNumberGenerator()
        for _ in 0..<2000 {
            let secret = (0..<Int.random(in: 6...40, using: &numbers)).map { _ in
                UInt8.random(in: 0...255, using: &numbers)
            }
            guard SecretMask.canFind(secret) else { continue }
            let mask = SecretMask([secret])
            let noise = (0..<Int.random(in: 0...50, using: &numbers)).map { _ in
                UInt8.random(in: 0...255, using: &numbers)
            }
            let text = noise + secret + noise.reversed()
            let ranges = text.withUnsafeBufferPointer { mask.ranges(in: $0) }
            #expect(
                ranges.contains {
                    $0.lowerBound <= noise.count && $0.upperBound >= noise.count + secret.count
                })
        }
    }
}

@Suite("Secrets that the process holds")
struct HeldSecretsTests {
    @Test("what becomes Redacted is masked in messages, and results that equal it are data")
    func sinks() throws {
        _ = Redacted("held-secret-7f3a")
        let sink = ByteSink.memory()
        sink.show("a held-secret-7f3a b\n")
        try sink.write("c held-secret-7f3a\n")
        #expect(sink.text == "a <redacted> b\nc held-secret-7f3a\n")
        #expect("x held-secret-7f3a".masked == "x <redacted>")
    }

    @Test("rows, hooks, names of files and what is stored carry a server's text as it came")
    func data() throws {
        _ = Redacted("Held-Camera-Name")
        let event = Event(id: "Held-Camera-Name")
        let fields: [Field<Event>] = [.column("id", "") { $0.id }]
        #expect(
            String(decoding: fields.jsonLine(event), as: UTF8.self)
                == #"{"id":"Held-Camera-Name"}"# + "\n")
        let words = HookVariables.words(of: event, on: "home", picture: nil)
        #expect(words.contains(Array("ARGUS_EVENT_ID=Held-Camera-Name".utf8CString)))
        #expect(SafeFileName.reduce("Held-Camera-Name 1") == "Held-Camera-Name-1")
        let row = try #require(
            EventRow(try JSONView.parse(Array(#"{"id":"Held-Camera-Name"}"#.utf8))))
        #expect(try ArchiveContent(of: row).id == "Held-Camera-Name")
        #expect(try ArchiveContent(of: row).raw.elementsEqual(#"{"id":"Held-Camera-Name"}"#.utf8))
    }

    @Test("of a value with secret parts only those are masked")
    func parts() throws {
        let endpoint = try PushEndpoint("https://push.example/planted-endpoint-1")
        #expect(
            "POST https://push.example/planted-endpoint-1".masked
                == "POST https://push.example<redacted>")
        #expect(endpoint.shown.masked == endpoint.shown)
        _ = try PairingCode(typed: "Q7X2K9")
        #expect("Q7X2K9".masked == "Q7X2K9")
    }
}
