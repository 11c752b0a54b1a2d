import ArgusCore
import ArgusTestSupport
import Glibc
import Testing

@Suite("Files that argus trusts")
struct FileTrustTests {
    private func reason(_ path: String, _ trust: FileContents.Trust) -> FileSystemError.Reason? {
        do throws(FileSystemError) {
            _ = try FileContents(path, trust: trust, limit: 1000)
            return nil
        } catch { return error.reason }
    }

    @Test("a link, a folder and a pipe in the place of state are refused at once")
    func refusesWhatIsNoFile() throws {
        let folder = try TemporaryFolder()
        try folder.plant("x", "real")
        try #require(symlink(folder.file("real"), folder.file("link")) == 0)
        try #require(mkfifo(folder.file("pipe"), 0o600) == 0)
        #expect(reason(folder.file("real"), .secretState) == nil)
        #expect(reason(folder.file("link"), .state) == .symbolicLink)
        #expect(reason(folder.file("pipe"), .state) == .notRegularFile)
        try #require(mkdir(folder.file("folder"), 0o700) == 0)
        #expect(reason(folder.file("folder"), .state) == .notRegularFile)
        #expect(reason(folder.file("link"), .named) == nil)
        // The person's own settings may be a link, but nobody waits for a pipe.
        #expect(reason(folder.file("link"), .settings) == nil)
        #expect(reason(folder.file("pipe"), .settings) == .notRegularFile)
    }

    @Test("secret state that others may read is refused, a named secret warns")
    func refusesWidePermissions() throws {
        let folder = try TemporaryFolder()
        let path = try folder.plant("x", "wide", mode: 0o644)
        #expect(reason(path, .secretState) == .openToOthers(0o644))
        #expect(reason(path, .state) == nil)
        let named = try FileContents(path, trust: .named, limit: 10)
        #expect(named.modeOpenToOthers == 0o644)
        let writable = try folder.plant("x", "writable", mode: 0o662)
        #expect(reason(writable, .state) == .openToOthers(0o662))
    }

    @Test("one byte more than the limit is refused, exactly the limit is read")
    func boundsReading() throws {
        let folder = try TemporaryFolder()
        let fits = try folder.plant(String(repeating: "x", count: 1000), "fits")
        let long = try folder.plant(String(repeating: "x", count: 1001), "long")
        #expect(reason(fits, .state) == nil)
        #expect(reason(long, .state) == .tooLarge(limit: 1000))
        #expect(reason("/dev/zero", .named) == .tooLarge(limit: 1000))
    }

    @Test("an absent file says so, and so does a missing folder above it")
    func tellsAbsence() throws {
        let folder = try TemporaryFolder()
        for path in [folder.file("none"), folder.file("none/none")] {
            let error = #expect(throws: FileSystemError.self) {
                try FileContents(path, trust: .state, limit: 10)
            }
            #expect(error?.isAbsent == true)
        }
    }

    @Test("a folder or file of another user is refused")
    func refusesForeignOwner() throws {
        guard geteuid() == 0 else {
            // Without root nothing can be given away; a folder of root is trusted like our own.
            try PrivateFolder.prepare("/usr")
            return
        }
        let folder = try TemporaryFolder()
        let path = try folder.plant("x", "theirs")
        try #require(chown(path, 12345, 12345) == 0)
        #expect(reason(path, .state) == .foreignOwner(12345))
        let inner = folder.file("inner")
        try #require(mkdir(inner, 0o700) == 0 && chown(inner, 12345, 12345) == 0)
        #expect(throws: FileSystemError(.open, inner, .foreignOwner(12345))) {
            try PrivateFolder.prepare(inner)
        }
        let planted = try folder.plant("x", "inner/file")
        #expect(reason(planted, .state) == .foreignOwner(12345))
        #expect(reason(planted, .named) == nil)
    }

    @Test(
        "nothing is read from a folder that others may write, nor written there",
        arguments: [
            0o777, 0o770, 0o702, 0o1777,
        ] as [mode_t])
    func refusesOpenFolder(mode: mode_t) throws {
        let folder = try TemporaryFolder()
        let path = try folder.plant("x", "file")
        try #require(chmod(folder.path, mode) == 0)
        #expect(reason(path, .state) == .openToOthers(mode))
        #expect(reason(folder.file("none"), .secretState) == .openToOthers(mode))
        #expect(reason(path, .named) == nil)
        let error = #expect(throws: FileSystemError(.open, folder.path, .openToOthers(mode))) {
            try PrivateFolder.prepare(folder.path)
        }
        #expect(error?.remedy?.hasSuffix("chmod 700 '\(folder.path)'") == true)
        try #require(chmod(folder.path, 0o755) == 0)
        #expect(reason(path, .state) == nil)
    }

    @Test("checking that a folder is writable leaves nothing there")
    func triesWriting() throws {
        let folder = try TemporaryFolder()
        try PrivateFolder.expectWritable(folder.file("made"))
        #expect(try folder.names() == ["made"])
        #expect(throws: FileSystemError.self) { try PrivateFolder.expectWritable("/sys/argus") }
    }

    @Test("a linked state folder is refused, an open one of ours is closed")
    func preparesFolder() throws {
        let folder = try TemporaryFolder()
        let inner = folder.file("inner")
        try #require(mkdir(inner, 0o755) == 0 && chmod(inner, 0o755) == 0)
        try #require(symlink(inner, folder.file("link")) == 0)
        #expect(throws: FileSystemError(.open, folder.file("link"), .symbolicLink)) {
            try PrivateFolder.prepare(folder.file("link"))
        }
        #expect(try permissions(inner) == 0o755)
        try PrivateFolder.prepare(inner)
        #expect(try permissions(inner) == 0o700)
        let file = try folder.plant("x", "file")
        #expect(throws: FileSystemError(.open, file, .notFolder)) {
            try PrivateFolder.prepare(file)
        }
    }
}
