import FoundationEssentials
import Testing

@testable import ArgusAccount
@testable import ArgusArchive
@testable import ArgusCore
@testable import ArgusEvents
@testable import ArgusPush

@Suite("SecretMask")
struct SecretMaskTests {
    private static let secret = #"hunter2-"S&c\r€t/+"#
    private let mask = SecretMask([Array(Self.secret.utf8), Array("tok-a1b2c3d4".utf8)])

    private static func percent(_ text: String, _ hex: (UInt8) -> String) -> String {
        text.utf8.map { "%" + hex($0) }.joined()
    }

    private static func hex(_ byte: UInt8) -> String {
        (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }

    private static func unicode(_ text: String, uppercase: Bool) -> String {
        text.utf16.map { unit in
            let digits = String(unit, radix: 16, uppercase: uppercase)
            return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }.joined()
    }

    /// The forms in which a server may repeat a secret.
    static let forms: [(name: String, text: String)] = [
        ("plain", secret),
        (
            "JSON",
            String(
                decoding: JSONWriter.object { $0.member("a", secret) }.dropFirst(6).dropLast(2),
                as: UTF8.self)
        ),
        ("percent, lower case", percent(secret, hex)),
        ("percent, upper case", percent(secret) { hex($0).uppercased() }),
        ("JSON, all escaped", unicode(secret, uppercase: false)),
        ("JSON, all escaped in capitals", unicode(secret, uppercase: true)),
        ("as argus shows it", Sanitizer.visible(secret)),
        ("in a URL", "https://relay.example/" + PercentEncoding.encode(secret) + "?a=b"),
    ]

    @Test("a secret is found in every form, and nothing else goes", arguments: forms)
    func found(form: (name: String, text: String)) {
        for before in ["", "a", "ab", "abc", "\"", "detail: ", "100% of ", "C:\\dir "] {
            let result = mask.masking(before + form.text + " after")
            #expect(result.hasPrefix(before) && result.hasSuffix(" after"), "\(result)")
            #expect(result.contains("<redacted>"), "\(result)")
            #expect(!result.contains("unter2") && !result.contains("75%6e"), "\(result)")
        }
    }

    @Test("a secret is found in base64 wherever it begins, in both alphabets")
    func base64() {
        for count in 0..<9 {
            let text = Data(("user:abcde".suffix(count) + Self.secret + "xyz").utf8)
                .base64EncodedString()
            for form in [text, text.replacing("+", with: "-").replacing("/", with: "_")] {
                let result = mask.masking("Basic \(form)")
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
            mask.masking("a tok-a1b2c3d4, tok-a1b2c3d4tok-a1b2c3d4 b")
                == "a <redacted>, <redacted><redacted> b")
        let nested = SecretMask([Array("abcdefgh".utf8), Array("abcdefghij".utf8)])
        #expect(nested.masking("1abcdefghij2abcdefgh3") == "1<redacted>2<redacted>3")
    }

    @Test(
        "other text stays as it is",
        arguments: [
            "", "tok", "tok-a1b2c3d", "tok-a1b2 c3d4", "hunter", "%", "100%", "\\", "\\u12",
            "https://home.example:8000/a@b", "{\"bytes\":12345678,\"n\":\"é\"}",
        ])
    func kept(text: String) {
        #expect(mask.masking(text) == text)
        #expect(SecretMask().masking(text) == text)
    }

    @Test("short values and short numbers are parts of too much else to be looked for")
    func short() {
        let mask = SecretMask(["ann12", "1234567"].map { Array($0.utf8) })
        #expect(mask.masking("ann12 1234567") == "ann12 1234567")
        let longer = SecretMask(["ann123", "12345678"].map { Array($0.utf8) })
        #expect(longer.masking("ann123 12345678") == "<redacted> <redacted>")
    }

    @Test("any secret is found anywhere in any text, whatever it is")
    func anywhere() {
        func text(_ lengths: ClosedRange<Int>) -> String {
            let letters = (0..<Int.random(in: lengths)).map { _ in UInt8.random(in: 0...255) }
            return String(decoding: letters, as: UTF8.self)
        }
        for _ in 0..<2000 {
            let secret = "x" + text(6...40)
            let mask = SecretMask([Array(secret.utf8)])
            let masked = mask.masking(text(0...50) + secret + text(0...50))
            #expect(SecretMask.isReplaced(in: Array(masked.utf8)[...]), "\(secret)")
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

    @Test("a text is masked before it is cut")
    func cut() {
        _ = Redacted("held-secret-8b1c-held-secret")
        for length in 40...62 {
            let text = String(repeating: "x", count: length) + "held-secret-8b1c-held-secret"
            #expect(!text.cut(to: 60).contains("held") && !text.inBrief.contains("held"))
        }
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
        #expect(ArchiveContent(of: row).id == "Held-Camera-Name")
        #expect(ArchiveContent(of: row).raw.elementsEqual(#"{"id":"Held-Camera-Name"}"#.utf8))
    }

    @Test("of a value with secret parts only those are masked")
    func parts() throws {
        let endpoint = try PushEndpoint("https://push.example/planted-endpoint-1")
        #expect(
            "POST https://push.example/planted-endpoint-1".masked
                == "POST https://push.example<redacted>")
        #expect(endpoint.shown.masked == endpoint.shown)
        _ = PairingCode(typed: "Q7X2K9")
        #expect("Q7X2K9".masked == "Q7X2K9")
    }
}
