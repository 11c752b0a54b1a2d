import ArgusAccount
import ArgusCore
import Testing

@Suite("SecretText")
struct SecretTextTests {
    private func parse(
        _ bytes: [UInt8], _ alphabet: SecretText.Alphabet
    ) -> Result<Redacted<String>, AccountError> {
        Result { () throws(AccountError) in
            try SecretText.parse(bytes, as: alphabet, from: "here")
        }
    }

    @Test(
        "exactly one line end is dropped",
        arguments: [("a", "a"), ("a\n", "a"), ("a\r\n", "a"), (" a: ü \n", " a: ü ")])
    func dropsLineEnd(text: String, secret: String) {
        #expect(parse(Array(text.utf8), .anyText) == .success(Redacted(secret)))
    }

    @Test(
        "what cannot be one secret is refused without being shown",
        arguments: [
            ("", SecretText.Fault.empty), ("\n", .empty), ("\r\n", .empty),
            ("planted\n\n", .severalLines), ("planted\r", .severalLines),
            ("plan\nted", .severalLines), ("plan\0ted", .notText),
        ])
    func refuses(text: String, reason: SecretText.Fault) {
        for alphabet in [SecretText.Alphabet.visibleASCII, .anyText] {
            #expect(parse(Array(text.utf8), alphabet) == .failure(.secret("here", reason)))
        }
        #expect(!AccountError.secret("here", reason).description.contains("plan"))
    }

    @Test("a byte order mark is no part of a secret, but of a passphrase that a key comes from")
    func byteOrderMark() {
        for alphabet in [SecretText.Alphabet.visibleASCII, .anyText, .lines] {
            #expect(parse(Array("\u{FEFF}abc\n".utf8), alphabet) == .success(Redacted("abc")))
            #expect(
                parse(Array("\u{FEFF}\n".utf8), alphabet) == .failure(.secret("here", .empty)))
        }
        let marked = "a\u{FEFF}bc"
        #expect(parse(Array(marked.utf8), .anyText) == .success(Redacted(marked)))
        let passphrase = "\u{FEFF}abc"
        #expect(parse(Array(passphrase.utf8), .passphrase) == .success(Redacted(passphrase)))
    }

    @Test("tokens are visible ASCII, passwords any UTF-8")
    func alphabets() {
        for text in ["a b", "tokén", "a\tb", "a\u{7F}"] {
            #expect(
                parse(Array(text.utf8), .visibleASCII)
                    == .failure(.secret("here", .notVisibleASCII)))
            #expect(parse(Array(text.utf8), .anyText) == .success(Redacted(text)))
        }
        #expect(parse([0xFF, 0x61], .anyText) == .failure(.secret("here", .notText)))
        func long(_ count: Int) -> [UInt8] { [UInt8](repeating: 0x61, count: count) }
        for (alphabet, limit) in [
            (SecretText.Alphabet.visibleASCII, SecretText.tokenLimit),
            (.anyText, SecretText.sizeLimit),
        ] {
            let most = Redacted(String(repeating: "a", count: limit))
            #expect(parse(long(limit) + [0x0A], alphabet) == .success(most))
            #expect(
                parse(long(limit + 1), alphabet)
                    == .failure(.secret("here", .tooLong(limit: limit))))
        }
    }

    @Test("what a server calls a token is judged like one that a person brings")
    func tokensOfServers() {
        #expect(SecretText.isToken("e30.e30.c2ln"))
        #expect(SecretText.isToken(String(repeating: "a", count: SecretText.tokenLimit)))
        for text in ["", "a b", "a\r\nX: y", "a\u{1B}", "tokén", "a\u{7F}"] {
            #expect(!SecretText.isToken(text))
        }
        #expect(!SecretText.isToken(String(repeating: "a", count: SecretText.tokenLimit + 1)))
    }
}
