import ArgusTestSupport
import Glibc
import Testing

@testable import ArgusCore

@Suite("AtomicFile")
struct AtomicFileTests {
    @Test("a file appears under its name only when it is committed")
    func appearsAtCommit() throws {
        let folder = try TemporaryFolder()
        let file = try AtomicFile(folder.file("a"), for: .state)
        try file.write(Array("one ".utf8))
        try file.write(Array("two".utf8))
        #expect(try folder.names().count == 1)
        #expect(try !folder.names().contains("a"))
        try file.commit(replacing: false)
        #expect(try folder.names() == ["a"])
        #expect(try folder.text("a") == "one two")
        #expect(try permissions(folder.file("a")) == 0o600)
    }

    @Test("a discarded or forgotten file leaves nothing")
    func leavesNothing() throws {
        let folder = try TemporaryFolder()
        let file = try AtomicFile(folder.file("a"), for: .state)
        file.discard()
        file.discard()
        do { _ = try AtomicFile(folder.file("b"), for: .person) }
        #expect(try folder.names() == [])
    }

    @Test("a taken name is refused without replacing, and the old file stays whole")
    func refusesTakenName() throws {
        let folder = try TemporaryFolder()
        try folder.plant("old", "a")
        let file = try AtomicFile(folder.file("a"), for: .person)
        try file.write(Array("new".utf8))
        #expect(throws: FileSystemError(.create, folder.file("a"), .exists)) {
            try file.commit(replacing: false)
        }
        #expect(try folder.names() == ["a"])
        #expect(try folder.text("a") == "old")
    }

    @Test("a replaced file of a person keeps its permissions")
    func keepsPermissions() throws {
        let folder = try TemporaryFolder()
        try folder.plant("old", "a", mode: 0o640)
        try AtomicFile.write(
            Array("new".utf8), to: folder.file("a"), for: .person, replacing: true)
        #expect(try folder.text("a") == "new")
        #expect(try permissions(folder.file("a")) == 0o640)
    }

    @Test(
        "what root writes for a user stays that user's: a replaced file, and new settings",
        .enabled(if: geteuid() == 0))
    func keepsOwner() throws {
        let folder = try TemporaryFolder()
        func owner(_ name: String) -> [UInt32] {
            var status = stat()
            return lstat(folder.file(name), &status) == 0 ? [status.st_uid, status.st_gid] : []
        }
        for audience in [AtomicFile.Audience.person, .settings] {
            try folder.plant("old", "a", mode: 0o640)
            try #require(chown(folder.file("a"), 12345, 12346) == 0)
            try AtomicFile.write([65], to: folder.file("a"), for: audience, replacing: true)
            #expect(owner("a") == [12345, 12346])
            #expect(try permissions(folder.file("a")) == 0o640)
            unlink(folder.file("a"))
        }
        let home = folder.file("home")
        try #require(mkdir(home, 0o700) == 0 && chown(home, 12345, 12346) == 0)
        try makeFolder(home + "/.config/argus", isPrivate: true, inheriting: true)
        try AtomicFile.write(
            [65], to: home + "/.config/argus/c", for: .settings, replacing: true)
        for name in ["home/.config", "home/.config/argus", "home/.config/argus/c"] {
            #expect(owner(name) == [12345, 12346], "\(name)")
        }
    }

    @Test(
        "a plain user replaces no file of another user, whatever the folder allows",
        .enabled(if: geteuid() == 0))
    func refusesForeignFile() async throws {
        await #expect(processExitsWith: .success) {
            let folder = try TemporaryFolder()
            try #require(chmod(folder.path, 0o777) == 0)
            let path = try folder.plant("theirs", "a")
            try #require(chown(path, 12345, 12345) == 0 && seteuid(12346) == 0)
            let file = try AtomicFile(path, for: .person)
            try file.write([65])
            #expect(throws: FileSystemError(.replace, path, .foreignOwner(12345))) {
                try file.commit(replacing: true)
            }
            try #require(seteuid(0) == 0)
            #expect(try folder.names() == ["a"] && folder.text("a") == "theirs")
        }
    }

    @Test(
        "the next file removes what a killed process left beside it, and nothing that is being written"
    )
    func sweepsOnce() throws {
        let folder = try TemporaryFolder()
        try folder.plant("half", ".argus-killed.tmp")
        try folder.plant("other", ".argus-notes")
        let other = try AtomicFile(folder.file("b"), for: .person)
        try other.write([65])
        let file = try OutputFile(folder.file("a"), replacing: false)
        try file.commit()
        #expect(try !folder.names().contains(".argus-killed.tmp"))
        try other.commit(replacing: false)
        #expect(try folder.names() == [".argus-notes", "a", "b"])
    }

    @Test("replacing a link puts the file in its place and leaves its target alone")
    func replacesLinkItself() throws {
        let folder = try TemporaryFolder()
        try folder.plant("victim", "victim")
        try #require(symlink(folder.file("victim"), folder.file("a")) == 0)
        try AtomicFile.write(Array("new".utf8), to: folder.file("a"), for: .state, replacing: true)
        #expect(try folder.text("victim") == "victim")
        #expect(try folder.text("a") == "new")
    }

    @Test("a missing folder is reported by the requested name")
    func tellsMissingFolder() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("none/a")
        let error = #expect(throws: FileSystemError.self) { try AtomicFile(path, for: .state) }
        #expect(error?.description == "cannot create '\(path)': no such file or directory")
    }

    @Test("a full disk fails the write and the commit, and leaves the old file whole")
    func survivesFullDisk() async throws {
        // A bound on file sizes stands for the full disk; a child process takes it on itself.
        await #expect(processExitsWith: .success) {
            let folder = try TemporaryFolder()
            try folder.plant("old", "a")
            signal(SIGXFSZ, SIG_IGN)
            var limit = rlimit(rlim_cur: 1000, rlim_max: 1000)
            try #require(setrlimit(__rlimit_resource_t(1), &limit) == 0)
            let file = try AtomicFile(folder.file("a"), for: .state)
            let failure = FileSystemError(
                .write, folder.file("a"), .errno(Errno(rawValue: EFBIG)))
            #expect(throws: failure) { try file.write([UInt8](repeating: 65, count: 4000)) }
            #expect(throws: failure) { try file.commit(replacing: true) }
            file.discard()
            #expect(try folder.names() == ["a"])
            #expect(try folder.text("a") == "old")
        }
    }

    @Test("state is 0600 in 0700 folders whatever the umask; files for people obey it")
    func ignoresUmask() async throws {
        await #expect(processExitsWith: .success) {
            for mask: mode_t in [0, 0o022, 0o777] {
                let folder = try TemporaryFolder()
                umask(mask)
                let private_ = folder.file("one/two/three")
                try PrivateFolder.prepare(private_)
                for path in ["one", "one/two", "one/two/three"] {
                    #expect(try permissions(folder.file(path)) == 0o700)
                }
                try AtomicFile.write([65], to: private_ + "/s", for: .state, replacing: false)
                #expect(try permissions(private_ + "/s") == 0o600)
                try AtomicFile.write([65], to: private_ + "/p", for: .person, replacing: false)
                #expect(try permissions(private_ + "/p") == 0o666 & ~mask)
                umask(0o022)
            }
        }
    }

    @Test("two writers of one new name: one wins, the other fails, nothing is mixed")
    func oneWriterWins() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("a")
        let winners = await withTaskGroup(of: Int?.self, returning: [Int].self) { group in
            for number in 0..<8 {
                group.addTask {
                    let bytes = [UInt8](repeating: UInt8(number), count: 100_000)
                    let written: Void? = try? AtomicFile.write(
                        bytes, to: path, for: .state, replacing: false)
                    return written == nil ? nil : number
                }
            }
            return await group.reduce(into: []) { if let number = $1 { $0.append(number) } }
        }
        let winner = try #require(winners.first)
        #expect(winners.count == 1)
        let bytes = try FileContents(path, trust: .secretState, limit: 1 << 20).bytes
        #expect(bytes == [UInt8](repeating: UInt8(winner), count: 100_000))
        #expect(try folder.names() == ["a"])
    }

    @Test("the end of the process removes registered temporary files")
    func unlinksRegistered() async throws {
        await #expect(processExitsWith: .success) {
            let folder = try TemporaryFolder()
            let file = try AtomicFile(folder.file("a"), for: .state)
            try AtomicFile.write([65], to: folder.file("b"), for: .state, replacing: false)
            TemporaryFiles.endAll()
            #expect(try folder.names() == ["b"])
            file.discard()
        }
    }
}
