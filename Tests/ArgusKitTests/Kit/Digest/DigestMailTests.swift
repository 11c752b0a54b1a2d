import ArgusTestSupport
import Foundation
import Testing

@testable import ArgusCore
@testable import ArgusEvents
@testable import ArgusKit

/// Messages and pages of digests; Python's `email` reads the messages.
@Suite("pages and mails of digests")
struct DigestMailTests {
    /// Prints what it finds in a message, a line for each part.
    private static let read = """
        import email, email.policy, hashlib, sys
        raw = open(sys.argv[1], 'rb').read()
        assert b'\\r' not in raw and raw.endswith(b'\\n')
        assert max(map(len, raw.split(b'\\n'))) <= 78, 'a line is too long'
        assert not any(line == b'.' or line.startswith(b'From ') for line in raw.split(b'\\n'))
        message = email.message_from_bytes(raw, policy=email.policy.default)
        print(','.join(message.keys()))
        print('to', message['to'])
        print('subject', message['subject'])
        print('date', message['date'].datetime.isoformat())
        for part in message.walk():
            assert not part.defects, part.defects
            content = part.get_payload(decode=True) or b''
            print(part.get_content_type(), part['content-id'] or '-',
                  hashlib.sha256(content).hexdigest() if part.get_content_maintype() == 'image' else '-')
        plain = message.get_body(('plain',)).get_content()
        page = message.get_body(('html',)).get_content()
        open(sys.argv[1] + '.txt', 'w').write(plain)
        open(sys.argv[1] + '.html', 'w').write(page)
        """

    private static let picture: [UInt8] = {
        let path = "Tests/EndToEndTests/Fixtures/samples/thumbnail.jpg"
        var root = URL(filePath: #filePath)
        for _ in 0..<5 { root.deleteLastPathComponent() }
        return (try? Data(contentsOf: root.appending(path: path))).map(Array.init) ?? []
    }()

    private func mail(_ digest: Digest, _ images: DigestImages) throws -> (
        lines: [String], text: String, page: String
    ) {
        let folder = try TemporaryFolder()
        let message = DigestMail(
            digest, images, to: ["ann@example.org", "bob"], at: DigestTests.at(2000))
        try Data(message.utf8).write(to: URL(filePath: folder.file("mail")))
        let program = try ChildProcess(
            ["python3", "-c", Self.read, folder.file("mail")], output: folder.file("out"))
        let status = program.wait()
        let output = try folder.text("out")
        try #require(status == 0, "\(output)")
        return (
            output.split(separator: "\n").map(String.init), try folder.text("mail.txt"),
            try folder.text("mail.html")
        )
    }

    private func images(of digest: Digest) -> DigestImages {
        var images = DigestImages()
        for picture in digest.pictures { images.add(Self.picture, of: picture) }
        return images
    }

    @Test("a message has the text, the page, and the pictures that the page shows")
    func parts() throws {
        let digest = DigestTests.digest([
            DigestTests.event(60) { $0.description = "A person" }, DigestTests.event(100),
        ])
        let mail = try mail(digest, images(of: digest))
        #expect(
            Array(mail.lines.prefix(6)) == [
                "To,Subject,Date,Auto-Submitted,MIME-Version,Content-Type",
                "to ann@example.org, bob",
                "subject home: 2 visits, Thursday 26 November 2026",
                "date 2026-11-27T09:20:00+01:00",
                "multipart/alternative - -", "text/plain - -",
            ])
        #expect(mail.lines.dropFirst(6).first == "multipart/related - -")
        let sum = Checksum.sha256(Self.picture)
        #expect(
            Array(mail.lines.suffix(2))
                == (1...2).map {
                    "image/jpeg <picture\($0)@argus.invalid> \(sum)"
                })
        #expect(mail.text == DigestText(digest, width: 78, style: .plain).text)
        for number in 1...2 {
            #expect(mail.page.contains("src=\"cid:picture\(number)%40argus.invalid\""))
        }
        #expect(mail.page.contains("alt=\"A person\"") && !mail.page.contains("data:image"))
    }

    @Test("no name gets into the head of a message, ends a part, or becomes an element")
    func hostile() throws {
        for name in HostileNames.all {
            var digest = DigestTests.digest([
                DigestTests.event(60) {
                    ($0.cameraName, $0.description, $0.smartDetectionType) = (name, name, name)
                    ($0.hasEntity, $0.entityID, $0.entityName) = (true, name, name)
                    ($0.carrier, $0.objects) = (name, ["package"])
                }
            ])
            digest.source = name
            let mail = try mail(digest, images(of: digest))
            #expect(mail.lines.first == "To,Subject,Date,Auto-Submitted,MIME-Version,Content-Type")
            #expect(mail.lines.dropFirst(2).first?.hasSuffix("26 November 2026") == true)
            #expect(mail.lines.count == 9, "\(mail.lines)")
            #expect(!mail.page.contains("<script") && !mail.page.contains("<img src=x"))
            #expect(!mail.page.contains("\u{202E}"))
            let page = String(
                decoding: DigestPage(digest, images(of: digest)).utf8, as: UTF8.self)
            #expect(!page.contains("<script") && !page.contains("<img src=x"))
            #expect(page.contains("src=\"data:image/jpeg;base64,"))
        }
    }

    @Test(
        "an address is one, and no option of sendmail",
        arguments: [
            ("ann@example.org", true), ("ann", true), ("a.b+c@d-e.example", true), ("", false),
            ("-f", false), ("ann@", false), ("ann@example.org\nBcc: x", false), ("a b", false),
            ("a,b", false), ("ann@a@b", false), ("Ann <ann@example.org>", false), ("前", false),
        ])
    func addresses(text: String, isAddress: Bool) {
        #expect(DigestMail.isAddress(text) == isAddress)
    }

    @Test("what is no picture is named, and no more bytes are shown than a page may have")
    func pictures() {
        let digest = DigestTests.digest((0..<24).map { DigestTests.event($0 * 20) })
        var images = DigestImages()
        let bad: [[UInt8]] = [
            [], Array("<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>".utf8),
            Array(Self.picture.dropLast(100)), Self.picture + [UInt8](repeating: 0, count: 600_000),
        ]
        for (index, picture) in digest.pictures.enumerated() {
            if index < bad.count {
                images.add(bad[index], of: picture)
            } else {
                images.add(Self.picture + [UInt8](repeating: 0, count: 500_000), of: picture)
            }
        }
        let shown = images.all.filter { $0.kind != nil }
        #expect(images.all.count == 24 && shown.count == 12)
        #expect(shown.reduce(0) { $0 + $1.bytes.count } <= DigestImages.mostBytesOfAll)
        let page = String(decoding: DigestPage(digest, images).utf8, as: UTF8.self)
        #expect(page.contains("no picture: it is neither a JPEG nor a PNG"))
        #expect(page.contains("no picture: it is a JPEG cut short"))
        #expect(page.contains("no picture: it is too large") && !page.contains("<svg"))
    }
}
