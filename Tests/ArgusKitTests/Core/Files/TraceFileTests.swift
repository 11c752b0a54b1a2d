import ArgusCore
import ArgusTestSupport
import Glibc
import Testing

@Suite("TraceFile")
struct TraceFileTests {
    private func write(_ text: String, to path: String) throws {
        let descriptor = try TraceFile.open(path)
        defer { close(descriptor) }
        try #require(Glibc.write(descriptor, text, text.utf8.count) == text.utf8.count)
    }

    @Test("a trace is readable by its owner only, from the moment it is made")
    func isPrivate() throws {
        let folder = try TemporaryFolder()
        try write("one\n", to: folder.file("trace"))
        #expect(try permissions(folder.file("trace")) == 0o600)
    }

    @Test("another trace is added to the first, whose permissions are closed")
    func appends() throws {
        let folder = try TemporaryFolder()
        let path = try folder.plant("one\n", "trace", mode: 0o644)
        try write("two\n", to: path)
        #expect(try folder.text("trace") == "one\ntwo\n")
        #expect(try permissions(path) == 0o600)
    }

    @Test("a pipe is refused at once, with or without a reader")
    func pipe() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("pipe")
        try #require(mkfifo(path, 0o600) == 0)
        let refusal = FileSystemError(.open, path, .notRegularFile)
        #expect(throws: refusal) { try TraceFile.open(path) }
        let reader = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        defer { close(reader) }
        #expect(throws: refusal) { try TraceFile.open(path) }
    }

    @Test("a link, a folder and a device are refused, and nothing behind them is touched")
    func refused() throws {
        let folder = try TemporaryFolder()
        let target = try folder.plant("mine", "target", mode: 0o644)
        try #require(symlink(target, folder.file("link")) == 0)
        for path in [folder.file("link"), folder.path, "/dev/null", folder.file("no/such")] {
            #expect(throws: FileSystemError.self, "\(path)") { try TraceFile.open(path) }
        }
        #expect(try folder.text("target") == "mine")
        #expect(try permissions(target) == 0o644)
    }
}
