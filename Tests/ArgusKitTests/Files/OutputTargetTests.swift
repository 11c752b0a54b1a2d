import ArgusKit
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
        #expect(throws: OutputTargetError.emptyName) { try OutputTarget.resolve("") }
        #expect(throws: OutputTargetError.severalToOne("-")) {
            try OutputTarget.resolve("-", count: 2)
        }
        #expect(throws: OutputTargetError.file(FileSystemError(.create, file, .exists))) {
            try OutputTarget.resolve(file)
        }
        for (word, count) in [(file, 2), ("/dev/null", 2)] {
            #expect(throws: OutputTargetError.file(FileSystemError(.create, word, .notFolder))) {
                try OutputTarget.resolve(word, count: count, force: true)
            }
        }
        #expect(try OutputTarget.resolve(file, force: true) == .file(file))
    }

    @Test("binary data is refused to a terminal")
    func refusesTerminal() throws {
        let pseudo = try PseudoTerminal()
        let terminal = pseudo.path
        #expect(throws: OutputTargetError.binaryToTerminal) { try OutputTarget.resolve(terminal) }
        #expect(try OutputTarget.resolve(terminal, isBinary: false) == .stream(terminal))
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
        "names are reduced to safe characters",
        arguments: [
            ("Front Door", "Front-Door"), ("../../etc/passwd", "etc-passwd"), ("..", ""),
            ("-rf", "rf"), (".hidden", "hidden"), ("a\u{1B}[31mb", "a-31mb"), ("前门", ""),
            ("Küche (1)", "K-che-1"), ("a.b_c-d", "a.b_c-d"), ("", ""),
        ])
    func reduces(text: String, name: String) {
        #expect(SafeFileName.reduce(text) == name)
    }

    @Test("a long name is cut")
    func cuts() {
        #expect(SafeFileName.reduce(String(repeating: "x", count: 1000)).utf8.count == 100)
    }

    @Test("empty and colliding names get characters of the id, whatever the order")
    func namesDiffer() {
        let items = [
            ("Door", "11111111-aaaa"), ("door", "22222222-bbbb"), ("Yard", "33333333-cccc"),
            ("前门", "44444444-dddd"), ("", "//"), ("门", "44444444-eeee"),
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
