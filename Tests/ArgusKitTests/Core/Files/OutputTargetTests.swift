import ArgusCore
import ArgusTestSupport
import Glibc
import Testing

@Suite("OutputTarget")
struct OutputTargetTests {
    @Test("a word is a file, a folder, a stream or standard output")
    func decides() throws {
        let folder = try TemporaryFolder()
        let path = folder.path
        #expect(try OutputTarget.resolve(nil) == .folder("."))
        #expect(try OutputTarget.resolve(path + "/new.jpg") == .file(path + "/new.jpg"))
        #expect(try OutputTarget.resolve(path) == .folder(path))
        #expect(try OutputTarget.resolve(path + "/new/") == .folder(path + "/new/"))
        #expect(try OutputTarget.resolve(path + "/new", count: 2) == .folder(path + "/new"))
        #expect(try OutputTarget.resolve("-", isBinary: false) == .standardOutput)
        #expect(try OutputTarget.resolve("/dev/stdout", isBinary: false) == .standardOutput)
        #expect(try OutputTarget.resolve("/dev/null") == .stream("/dev/null"))
    }

    @Test("what cannot be meant is refused before anything is fetched")
    func refuses() throws {
        let folder = try TemporaryFolder()
        let file = try folder.plant("old", "a")
        #expect(throws: OutputError.emptyName) { try OutputTarget.resolve("") }
        #expect(throws: OutputError.severalToOne("-")) {
            try OutputTarget.resolve("-", count: 2)
        }
        #expect(throws: OutputError.file(FileSystemError(.create, file, .exists))) {
            try OutputTarget.resolve(file)
        }
        for (word, count) in [(file, 2), ("/dev/null", 2)] {
            #expect(throws: OutputError.file(FileSystemError(.create, word, .notFolder))) {
                try OutputTarget.resolve(word, count: count, force: true)
            }
        }
        #expect(try OutputTarget.resolve(file, force: true) == .file(file))
    }

    @Test("binary data is refused to a terminal")
    func refusesTerminal() throws {
        let pseudo = try PseudoTerminal()
        let terminal = pseudo.path
        #expect(throws: OutputError.binaryToTerminal) { try OutputTarget.resolve(terminal) }
        #expect(try OutputTarget.resolve(terminal, isBinary: false) == .stream(terminal))
    }

    @Test(
        "a link that another user has put into a folder for all is refused",
        .enabled(if: geteuid() == 0))
    func foreignLink() throws {
        let folder = try TemporaryFolder()
        let shared = folder.file("shared")
        try #require(mkdir(shared, 0o700) == 0 && chmod(shared, 0o1777) == 0)
        let victim = try folder.plant("mine", "victim")
        for (name, target) in [
            ("direct", victim), ("stream", "/dev/null"), ("folder", folder.path),
        ] {
            try #require(symlink(target, "\(shared)/\(name)") == 0)
            try #require(lchown("\(shared)/\(name)", 12345, 12345) == 0)
            let refusal = OutputError.file(
                FileSystemError(.create, "\(shared)/\(name)", .foreignLink(12345)))
            #expect(throws: refusal) {
                try OutputTarget.resolve("\(shared)/\(name)", isBinary: false, force: true)
            }
        }
        // Through a link of one's own, too; and one of one's own alone is followed.
        try #require(symlink("\(shared)/direct", folder.file("own")) == 0)
        #expect(throws: OutputError.self) {
            try OutputTarget.resolve(folder.file("own"), force: true)
        }
        try #require(symlink(victim, "\(shared)/own") == 0)
        #expect(try OutputTarget.resolve("\(shared)/own", force: true) == .file(victim))
    }

    @Test("a forced link keeps leading to the file that is replaced")
    func followsForcedLink() throws {
        let folder = try TemporaryFolder()
        try folder.plant("old", "real")
        try #require(symlink(folder.file("real"), folder.file("link")) == 0)
        let target = try OutputTarget.resolve(folder.file("link"), force: true)
        let file = try target.open(named: "", force: true)
        try file.write(Array("new".utf8))
        try file.commit()
        #expect(try folder.text("real") == "new")
        var status = stat()
        #expect(lstat(folder.file("link"), &status) == 0 && status.st_mode & S_IFMT == S_IFLNK)
    }

    @Test("a folder is created with its parents; a file in it is never partial")
    func createsFolder() throws {
        let folder = try TemporaryFolder()
        let target = try OutputTarget.resolve(folder.file("a/b/"))
        do {
            let file = try target.open(named: "x.jpg", force: false)
            #expect(file.path == folder.file("a/b/x.jpg"))
            try file.write([1, 2])
        }
        let again = try target.open(named: "x.jpg", force: false)
        try again.write([1])
        try again.commit()
        let third = try target.open(named: "x.jpg", force: false)
        #expect(throws: FileSystemError(.create, folder.file("a/b/x.jpg"), .exists)) {
            try third.commit()
        }
    }

    @Test("a full device is an error")
    func tellsFullDevice() throws {
        let file = try OutputTarget.resolve("/dev/full").open(named: "", force: false)
        let error = #expect(throws: FileSystemError.self) { try file.write([65]) }
        #expect(error?.description == "cannot write '/dev/full': no space left on device")
    }
}

@Suite("SafeFileName")
struct SafeFileNameTests {
    @Test(
        "names keep the letters and digits of every script, and nothing else",
        arguments: [
            ("Front Door", "Front-Door"), ("../../etc/passwd", "etc-passwd"), ("..", ""),
            ("-rf", "rf"), (".hidden", "hidden"), ("a\u{1B}[31mb", "a-31mb"), ("前门", "前门"),
            ("Küche (1)", "Küche-1"), ("a.b_c-d", "a.b_c-d"), ("", ""), ("door.", "door"),
            ("हिन्दी ٣", "हिन्दी-٣"), ("Ⅳ二〇", "Ⅳ二〇"), ("🚪", ""), ("a／b∕c⁄d", "a-b-c-d"),
            // Controls, bidi controls, zero-widths, invisible letters, private and unassigned ones.
            ("a\u{0}b\u{7F}c\u{9B}d", "a-b-c-d"), ("a\u{202E}b\u{2066}c\u{200F}d", "a-b-c-d"),
            ("a\u{200B}b\u{FEFF}c\u{200D}d\u{AD}e", "a-b-c-d-e"), ("a\u{2028}b\u{A0}c", "a-b-c"),
            ("a\u{3164}b\u{115F}c\u{FFA0}d\u{FE0F}e\u{34F}f", "a-b-c-d-e-f"),
            ("a\u{E000}b\u{10FFFF}c\u{E0041}d", "a-b-c-d"),
            // A mark has no letter to be of, so it would hide a dot or a dash before it.
            (".\u{301}a", "a"), ("-\u{301}a", "a"), ("\u{301}a", "a"), ("a-\u{301}b", "a-b"),
            ("a\u{20DD}b", "a-b"),
        ])
    func reduces(text: String, name: String) {
        #expect(Array(SafeFileName.reduce(text).utf8) == Array(name.utf8))
    }

    @Test("names are composed (NFC), so that one name is one file")
    func composes() {
        let composed = Array("é가".utf8)
        #expect(Array(SafeFileName.reduce("e\u{301}\u{1100}\u{1161}").utf8) == composed)
        #expect(Array(SafeFileName.reduce("\u{E9}\u{AC00}").utf8) == composed)
        // Marks are in one order, whatever theirs was.
        #expect(Array(SafeFileName.reduce("o\u{308}\u{323}").utf8) == Array("ọ\u{308}".utf8))
        #expect(Array(SafeFileName.reduce("o\u{323}\u{308}").utf8) == Array("ọ\u{308}".utf8))
    }

    @Test("a long name is cut at 120 bytes or before, between characters")
    func cuts() {
        #expect(SafeFileName.reduce(String(repeating: "x", count: 1000)).utf8.count == 120)
        #expect(SafeFileName.reduce("x" + String(repeating: "前", count: 99)).utf8.count == 118)
        // q with a tilde has no composed form: 3 bytes that stay together.
        let marked = SafeFileName.reduce("xx" + String(repeating: "q\u{303}", count: 99))
        #expect(marked.utf8.count == 119 && marked.unicodeScalars.last == "\u{303}")
        let endless = "a" + String(repeating: "\u{303}", count: 1000)
        #expect(SafeFileName.reduce("b" + endless) == "b")
        #expect(SafeFileName.reduce(endless) == "")
        #expect(SafeFileName.reduce(String(repeating: "x", count: 119) + "-y").utf8.count == 119)
    }

    @Test("names that differ in normal form or case only get characters of the id")
    func equalNames() {
        let items = [("\u{E9}", "11111111"), ("E\u{301}", "22222222"), ("é!", "33333333")]
        #expect(
            SafeFileName.names(for: items, noun: "camera") == [
                "é-11111111", "É-22222222", "é-33333333",
            ])
    }

    @Test("empty and colliding names get characters of the id, whatever the order")
    func namesDiffer() {
        let items = [
            ("Door", "11111111-aaaa"), ("door", "22222222-bbbb"), ("Yard", "33333333-cccc"),
            ("🚪", "44444444-dddd"), ("", "//"), ("🔔", "44444444-eeee"),
        ]
        #expect(
            SafeFileName.names(for: items, noun: "camera") == [
                "Door-11111111", "door-22222222", "Yard", "camera-44444444", "camera",
                "camera-44444444-2",
            ])
        #expect(
            SafeFileName.names(for: [("x", "1"), ("X-2", "2"), ("X", "2")], noun: "c")
                == ["x-1", "X-2", "X-2-2"])
    }
}
