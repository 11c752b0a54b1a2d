import ArgusCore
import ArgusEvents
import ArgusTestSupport
import FoundationEssentials
import Testing

@testable import ArgusKit

/// Case files as unzip(1) and sha256sum(1) read them, and what `CaseVerification` finds in changed ones.
@Suite("case files")
struct CaseFileTests {
    private let folder: TemporaryFolder
    private let spool: CaseSpool
    private static let time = Timestamp(seconds: 1_795_212_005)
    private static let fields: [Field<Event>] = [
        .column("id", "") { $0.id }, .column("description", "") { $0.description },
    ]

    init() throws {
        folder = try TemporaryFolder()
        spool = try CaseSpool(in: folder.path)
    }

    private func event(
        _ id: String, camera: String, _ description: String = "", at time: Timestamp = time,
        pictures: Int = 1
    ) throws -> CaseEvent {
        var event = Event(id: id)
        (event.cameraID, event.cameraName) = ("c-\(camera)", camera)
        (event.description, event.timestamp) = (description, time)
        var result = CaseEvent(event)
        result.files.append(
            CaseItem(
                kind: .object, content: try spool.keep(Array("{\"id\":\"\(id)\"}".utf8)),
                fileExtension: "json", source: "/api/v1/events", capturedAt: time,
                collectedAt: time + .seconds(60)))
        for number in 0..<pictures {
            result.files.append(
                CaseItem(
                    kind: number == 0 ? .picture : .frame(number),
                    content: try spool.keep([0xFF, 0xD8, UInt8(number)]), fileExtension: "jpg",
                    capturedAt: time))
        }
        return result
    }

    private func file(_ events: [CaseEvent], note: String? = nil) -> CaseFile {
        CaseFile(
            server: .init(name: "home", address: "https://home.example"),
            exporter: .init(user: "anna", host: "nas", program: "argus 1"), origin: .server,
            exportedAt: Self.time + .seconds(3600), selection: "all", note: note, zone: .utc,
            zoneName: "UTC", events: events)
    }

    @discardableResult
    private func pack(_ file: CaseFile, as name: String = "case.zip") throws -> String {
        let packed = try CaseFileWriter(file, fields: Self.fields, in: folder.path).pack()
        let output = try OutputFile(folder.file(name), for: .owner, replacing: true)
        try output.write(packed)
        try output.commit()
        return output.path
    }

    /// The output of a script of the shell in the folder.
    private func run(_ script: String) throws -> String {
        let other = try TemporaryFolder()
        let child = try ChildProcess(
            ["/bin/sh", "-c", "cd '\(folder.path)' && \(script)"], output: other.file("output"))
        child.wait()
        return try other.text("output")
    }

    /// Runs a script of Python in the folder.
    private func python(_ script: String) throws {
        let other = try TemporaryFolder()
        #expect(try run("python3 '\(other.plant(script, "script.py"))'") == "")
    }

    @Test(
        "the same contents give the same bytes, whatever the order, and a file for its owner only")
    func deterministic() throws {
        let events = [
            try event("b-2", camera: "Door", at: Self.time + .seconds(5)),
            try event("a-1", camera: "Door", pictures: 3),
        ]
        let paths = [
            try pack(file(events), as: "1.zip"), try pack(file(events.reversed()), as: "2.zip"),
        ]
        let sums = try paths.map { try Checksum.sha256(ofFile: $0) }
        #expect(sums[0] == sums[1])
        #expect(try permissions(paths[0]) == 0o600)
        #expect(try folder.names() == ["1.zip", "2.zip"])
        #expect(
            try run("unzip -Z1 1.zip") == """
                index.html
                events.json
                raw/20261120T220005Z-Door-a-1.json
                raw/20261120T220010Z-Door-b-2.json
                media/20261120T220005Z-Door-a-1.jpg
                media/20261120T220005Z-Door-a-1-frame-1.jpg
                media/20261120T220005Z-Door-a-1-frame-2.jpg
                media/20261120T220010Z-Door-b-2.jpg
                manifest.json
                SHA256SUMS

                """)
        let check = try run(
            "unzip -q 1.zip -d x && cd x && sha256sum -c --quiet SHA256SUMS && echo ok")
        #expect(check == "ok\n")
        #expect(try run("unzip -tq 1.zip").contains("No errors"))
        #expect(try run("unzip -Zv 1.zip | grep -c 'none (stored)'") == "10\n")
    }

    @Test("hostile names, descriptions and ids stay text, and no file leaves the folder")
    func hostile() throws {
        let script = "<script>alert(1)</script>"
        let names = [
            "../../etc/passwd", "/etc/passwd", script, "\u{202e}gnp.exe", "C:\\x\n",
            String(repeating: "w", count: 4000), "", "..", "前庭 🏡", "CON", "a/b",
        ]
        let events = try names.enumerated().map { index, name in
            try event(
                "../\(index)\(script)", camera: name, "\(name)\(script)\u{0}\u{1b}[2J", pictures: 2)
        }
        let path = try pack(file(events, note: script))
        #expect(try CaseVerification(path: path).findings.isEmpty)
        #expect(try run("unzip -q case.zip -d x && find x -type f | wc -l") == "38\n")
        #expect(try folder.names() == ["case.zip", "x"])
        let page = try folder.text("x/index.html")
        #expect(!page.contains("<script") && !page.contains("\u{202e}") && !page.contains("\u{1b}"))
        #expect(page.contains("&lt;script&gt;alert(1)&lt;/script&gt;"))
        #expect(page.contains("前庭 🏡"))
        for name in try folder.names(in: "x/media") + folder.names(in: "x/raw") {
            #expect(SafeFileName.reduce(name) == name && name.utf8.count <= 140, "\(name)")
        }
        // Each picture of the page is a file beside it.
        for piece in page.split(separator: "src=\"./").dropFirst() {
            let url = try #require(piece.split(separator: "\"").first)
            let target = try #require(PercentEncoding.decode(url))
            #expect(FileContents.exists(folder.file("x/\(target)")), "\(target)")
        }
    }

    @Test("a changed byte, a missing, an added and a doubled file are named")
    func differences() throws {
        try pack(file([try event("a", camera: "Door")]))
        let picture = "media/20261120T220005Z-Door-a.jpg"
        func findings(_ change: String) throws -> [CaseFinding] {
            try python(Self.prelude + change)
            return try CaseVerification(path: folder.file("changed.zip")).findings
        }
        #expect(try findings("write(files)") == [])
        #expect(
            try findings("files['\(picture)'] = b'\\xff\\xd8\\x01'; write(files)")
                == [CaseFinding(picture, .changed)])
        #expect(
            try findings("files['\(picture)'] += b'x'; write(files)")
                == [CaseFinding(picture, .changed)])
        #expect(
            try findings("del files['\(picture)']; write(files)") == [
                CaseFinding(picture, .missing)
            ])
        #expect(
            try findings("files['../x'] = b''; write(files)") == [CaseFinding("../x", .added)])
        // Two files of one name are read differently by different programs.
        #expect(
            try findings("write(files, [('index.html', b'')])")
                .contains(CaseFinding("index.html", .doubled)))
        #expect(
            try findings("files['前庭/\u{202e}x'] = b''; write(files)")
                == [CaseFinding("前庭/\u{202e}x", .added)])
        #expect(
            try findings("files['SHA256SUMS'] += b'x'; write(files)")
                == [CaseFinding("SHA256SUMS", .changed)])
        #expect(
            try findings("del files['SHA256SUMS']; write(files)")
                == [CaseFinding("SHA256SUMS", .missing)])
        // A picture that is longer unpacked than it says.
        #expect(
            try findings("files['\(picture)'] = bytes(50000000); write(files, pack=8)")
                == [CaseFinding(picture, .changed)])
        // A byte on the disk: the ZIP file's own checksum fails too.
        try python(
            """
            data = open('case.zip', 'rb').read()
            i = data.index(b'\\xff\\xd8\\x00')
            open('changed.zip', 'wb').write(data[:i + 2] + b'\\x07' + data[i + 3:])
            """)
        #expect(
            try CaseVerification(path: folder.file("changed.zip")).findings
                == [CaseFinding(picture, .changed)])
    }

    @Test(
        "a file in which other programs would see other files is not what was exported",
        arguments: [
            // A second ZIP file behind it.
            """
            write({'index.html': b'EVIL'})
            data = open('case.zip', 'rb').read() + open('changed.zip', 'rb').read()
            open('changed.zip', 'wb').write(data)
            """,
            // Another name in the header beside a file than in the directory.
            """
            data = open('case.zip', 'rb').read()
            i = data.index(b'index.html')
            open('changed.zip', 'wb').write(data[:i] + b'indey.html' + data[i + 10:])
            """,
            // A comment, and a link.
            """
            write(files)
            with zipfile.ZipFile('changed.zip', 'a') as z: z.comment = b'<script>'
            """,
            """
            link = zipfile.ZipInfo('index.html')
            link.create_system, link.external_attr = 3, 0o120777 << 16
            data = files.pop('index.html')
            write(files, [(link, data)])
            """,
        ])
    func unsound(change: String) throws {
        try pack(file([try event("a", camera: "Door")]))
        try python(Self.prelude + change)
        #expect(
            try CaseVerification(path: folder.file("changed.zip")).findings
                == [CaseFinding("", .unsound)])
    }

    private static let prelude = """
        import zipfile, warnings
        warnings.simplefilter('ignore')
        with zipfile.ZipFile('case.zip') as z: files = {n: z.read(n) for n in z.namelist()}
        def write(files, more=[], pack=0):
            with zipfile.ZipFile('changed.zip', 'w', pack) as z:
                for name, data in list(files.items()) + more: z.writestr(name, data)

        """

    @Test("what is no case file is refused", arguments: ["", "PK", "{}", "x.zip"])
    func refuses(_ text: String) throws {
        let path = try folder.plant(text, "case.zip")
        #expect(throws: CaseFileError.self) { try CaseVerification(path: path) }
        try python(
            """
            import zipfile
            with zipfile.ZipFile('case.zip', 'w') as z: z.writestr('manifest.json', '{"format": 1}')
            """)
        #expect(throws: CaseFileError.self) { try CaseVerification(path: path) }
        #expect(throws: CaseFileError.self) { try CaseVerification(path: folder.path) }
    }
}
