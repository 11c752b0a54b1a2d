import ArgusAccount
import ArgusCore
import ArgusTestSupport
import ArgusTransport
import Testing

@Suite("pairing codes and links")
struct PairingCodeTests {
    private static let digest = String(repeating: "ab", count: 32)

    private func code(_ typed: String) -> String? {
        PairingCode(typed: typed)?.text.reveal()
    }

    private func validationError(in link: String) -> String? {
        do throws(PairingLinkError) {
            _ = try PairingLink(link)
            return nil
        } catch {
            return "\(error)"
        }
    }

    @Test("blanks and dashes are dropped, letters become capitals")
    func normalised() {
        for typed in [
            "482913", "482 913", "482-913", " 4 8 2\u{A0}9 1 3 ", "482\u{2013}913",
            "\t482\u{2011}913\n",
        ] {
            #expect(code(typed) == "482913", "\(typed)")
        }
        #expect(code("abc-123") == "ABC123")
    }

    @Test("anything but 6 digits or 6 letters and digits is no code")
    func refused() {
        for typed in [
            "", "48291", "4829134", "48291\u{301}", "４８２９１３", "48291ß", "48_913", "482.913",
            "482/13", "\u{1B}48291", "٤٨٢٩١٣",
        ] {
            #expect(code(typed) == nil, "\(typed.unicodeScalars.map(\.value))")
        }
    }

    @Test("digits differ from letters, and are shown in groups of three")
    func kinds() throws {
        #expect(try #require(PairingCode(typed: "482913")).isNumeric)
        #expect(try !#require(PairingCode(typed: "48291A")).isNumeric)
        #expect(try #require(PairingCode(typed: "482913")).grouped.reveal() == "482 913")
        #expect("\(try #require(PairingCode(typed: "482913")))".contains("482") == false)
    }

    @Test("a server may make other codes, as long as they are plain words")
    func fromServer() {
        #expect(PairingCode(fromServer: "12345678")?.text.reveal() == "12345678")
        #expect(PairingCode(fromServer: "abC1")?.text.reveal() == "abC1")
        for text in ["", "123", "12/../34", "12 345", String(repeating: "1", count: 17)] {
            #expect(PairingCode(fromServer: text) == nil, "\(text)")
        }
    }

    @Test("a link has code, address and fingerprint, in any order and percent-encoded or not")
    func link() throws {
        let links = [
            "argusai://pair?code=482913&url=https://home.example:8443&fp=sha256:\(Self.digest)",
            "argusai://pair?fp=SHA256:\(Self.digest.uppercased())&x=1"
                + "&url=https%3A%2F%2Fhome.example%3A8443&code=482-913",
            " ARGUSAI://pair?url=https://home.example:8443&code=482%20913&fp=sha256:"
                + Self.digest.enumerated().map { $0 > 0 && $0 % 2 == 0 ? ":\($1)" : "\($1)" }
                .joined() + "\n",
        ]
        for text in links {
            let link = try PairingLink(text)
            #expect(link.address == "https://home.example:8443")
            #expect(link.code.text.reveal() == "482913")
            #expect(link.fingerprint?.hex == Self.digest)
        }
    }

    @Test("a link without a fingerprint leaves the proof to the usual rules")
    func linkWithoutFingerprint() throws {
        let link = try PairingLink("argusai://pair?code=ABC123&url=http://127.0.0.1:8000")
        #expect(link.fingerprint == nil)
        #expect(link.code.text.reveal() == "ABC123")
    }

    @Test("a malformed link is reported by its member, never by its value")
    func malformed() {
        let start = "argusai://pair?"
        let faults = [
            "": "not a pairing link: it does not begin with 'argusai://pair?'",
            "https://home.example/?code=482913": "not a pairing link",
            "argusai://other?code=482913": "not a pairing link",
            start + "code=482913": "the link has no 'url'",
            start + "url=https://h.example": "the link has no 'code'",
            start + "url=&code=482913": "the link has no 'url'",
            start + "url=home.example&code=482913":
                "invalid 'url' in the link: it is not an http or https",
            start + "url=ftp://h.example&code=482913": "invalid 'url' in the link",
            start + "url=https://h.example&code=48291":
                "invalid 'code' in the link: it is not a pairing code (6 digits",
            start + "url=https://h.example&code=482913&fp=\(Self.digest)":
                "invalid 'fp' in the link",
            start + "url=https://h.example&code=482913&fp=sha256:abcd": "64 hexadecimal digits",
            start + "url=https://h.example&code=482913&fp=sha1:\(Self.digest)": "invalid 'fp'",
            start + "url=https://h.example&code=482913&fp=": "invalid 'fp' in the link",
            start + "url=http://h.example&code=482913&fp=sha256:\(Self.digest)":
                "an address without https has no certificate",
            start + "url=https%3&code=482913": "invalid 'url' in the link: its percent-encoding",
            start + "url=https://a.example&url=https://b.example&code=482913":
                "invalid 'url' in the link: it appears twice",
        ]
        for (link, expected) in faults {
            let message = validationError(in: link)
            #expect(message?.contains(expected) == true, "\(link): \(message ?? "accepted")")
            #expect(message?.contains("48291") != true)
        }
    }

    @Test("a code in a path is masked in traces, with a query or without")
    func masked() {
        let mask = SecretMask.replacement
        for (target, shown) in [
            ("/api/v1/mobile/auth/status/482913", "/api/v1/mobile/auth/status/\(mask)"),
            (
                "/argus/api/v1/mobile/auth/pending/482913",
                "/argus/api/v1/mobile/auth/pending/\(mask)"
            ),
            ("/api/v1/mobile/auth/pending", "/api/v1/mobile/auth/pending"),
            ("/api/v1/mobile/auth/status/482913?a=1", "/api/v1/mobile/auth/status/\(mask)?a=1"),
        ] {
            #expect(SecretNames.masking(target: target) == shown)
        }
    }
}
