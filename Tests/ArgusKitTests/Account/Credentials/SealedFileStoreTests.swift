import ArgusTestSupport
import FoundationEssentials
import Glibc
import Synchronization
import Testing

@testable import ArgusAccount
@testable import ArgusCore

@Suite("SealedFileStore")
struct SealedFileStoreTests {
    private let server = ServerID.random()
    private let other = ServerID.random()

    private func change(_ path: String, _ change: (inout Data) -> Void) throws {
        var data = try Data(contentsOf: URL(filePath: path))
        change(&data)
        try data.write(to: URL(filePath: path))
        try #require(chmod(path, 0o600) == 0)
    }

    private let session = SealedFiles.session

    @Test("what was kept is read back, until it is erased", arguments: [nil, "correct horse"])
    func roundTrip(passphrase: String?) async throws {
        let folder = try TemporaryFolder()
        let store = SealedFiles.store(folder, passphrase: passphrase)
        #expect(try await store.credential(of: server) == nil)
        #expect(try folder.names() == [])
        try await store.keep(session, of: server)
        try await store.keep(.apiKey(Redacted("key")), of: other)
        try await store.write(Redacted([1, 2]), for: CredentialKey(server, .password))
        let again = SealedFiles.store(folder, passphrase: passphrase)
        #expect(try await again.credential(of: server) == session)
        #expect(try await again.credential(of: other) == .apiKey(Redacted("key")))
        #expect(try await again.read(CredentialKey(server, .password)) == Redacted([1, 2]))
        try await again.eraseAll(of: server)
        try await again.eraseAll(of: server)
        #expect(try await store.credential(of: server) == nil)
        #expect(try await store.read(CredentialKey(server, .password)) == nil)
        #expect(try await store.credential(of: other) == .apiKey(Redacted("key")))
    }

    @Test("a place takes a value of any length, and one that is not used leaves nothing")
    func places() async throws {
        let folder = try TemporaryFolder()
        let store = SealedFiles.store(folder)
        let key = CredentialKey(server)
        for count in [1, 20_000, 3] {
            let value = Redacted([UInt8](repeating: 7, count: count))
            try await store.place(for: key).keep(value) { _ in Issue.record("it failed") }
            #expect(try await store.read(key) == value)
        }
        let unused = try await store.place(for: key)
        let names = FolderNames.all(in: folder.file("argus/credentials"))
        #expect(names.filter(AtomicFile.isTemporary).count == 1)
        let temporary = try #require(names.first(where: AtomicFile.isTemporary))
        var status = stat()
        #expect(stat(folder.file("argus/credentials/" + temporary), &status) == 0)
        // Its space is taken, in blocks of 512 bytes.
        #expect(status.st_blocks * 512 >= 16 << 10)
        _ = consume unused
        #expect(
            !FolderNames.all(in: folder.file("argus/credentials"))
                .contains(where: AtomicFile.isTemporary))
        #expect(try await store.read(key) == Redacted([7, 7, 7]))
    }

    @Test("files are private and hold no secret in the clear")
    func filesAreSealed() async throws {
        let folder = try TemporaryFolder()
        try await SealedFiles.store(folder).keep(session, of: server)
        let credentials = folder.file("argus/credentials")
        #expect(try permissions(credentials) == 0o700)
        for name in try FileManager.default.contentsOfDirectory(atPath: credentials) {
            #expect(try permissions(credentials + "/" + name) == 0o600)
        }
        let bytes = Array(try Data(contentsOf: URL(filePath: SealedFiles.path(folder, server))))
        for word in ["planted", "admin", "row-1"] { #expect(!bytes.contains(Array(word.utf8))) }
    }

    @Test(
        "what killed processes left is removed at once, what others are writing is not",
        arguments: [true, false])
    func sweeps(writes: Bool) async throws {
        let folder = try TemporaryFolder()
        let store = SealedFiles.store(folder)
        try await store.keep(session, of: server)
        let place = SealedFiles.path(folder, server).split(separator: "/").dropLast().map {
            "/" + $0
        }.joined()
        // An empty one may have been made this moment, by a process that has not locked it yet.
        for (name, text, age) in [
            (".argus-killed.tmp", "sealed", 0), (".argus-old.tmp", "", 100),
            (".argus-new.tmp", "", 0), (".argus-old.other", "sealed", 100),
        ] {
            try folder.plant(text, "argus/credentials/\(name)")
            var times = [timeval(), timeval()]
            gettimeofday(&times[0], nil)
            times[0].tv_sec -= age
            times[1] = times[0]
            #expect(utimes(place + "/" + name, &times) == 0)
        }
        let living = try AtomicFile(place + "/living", for: .state)
        try living.write(Array("sealed".utf8))
        if writes {
            try await store.keep(session, of: server)
        } else {
            try await store.eraseAll(of: server)
        }
        try living.commit(replacing: false)
        let left = try folder.names(in: "argus/credentials").filter {
            !$0.hasPrefix(server.text)
        }
        #expect(left == [".argus-new.tmp", ".argus-old.other", "key", "key.lock", "living"])
    }

    @Test("two seals of one secret share no byte of salt or text")
    func sealsAreFresh() async throws {
        let folder = try TemporaryFolder()
        try await SealedFiles.store(folder).keep(session, of: server)
        let first = try Data(contentsOf: URL(filePath: SealedFiles.path(folder, server)))
        try await SealedFiles.store(folder).keep(session, of: server)
        let second = try Data(contentsOf: URL(filePath: SealedFiles.path(folder, server)))
        #expect(first[13..<29] != second[13..<29])
        #expect(first[49...] != second[49...])
    }

    @Test("another passphrase, none, and a missing key are different errors")
    func tellsWrongSecrets() async throws {
        let folder = try TemporaryFolder()
        let sealed = SealedFiles.path(folder, server)
        try await SealedFiles.store(folder, passphrase: "right").keep(session, of: server)
        await #expect(throws: AccountError.wrongPassphrase(path: sealed)) {
            try await SealedFiles.store(folder, passphrase: "wrong").credential(of: server)
        }
        await #expect(throws: AccountError.passphraseNeeded(path: sealed)) {
            try await SealedFiles.store(folder).credential(of: server)
        }
        await #expect(throws: AccountError.passphraseNeeded(path: sealed)) {
            try await SealedFiles.store(folder).keep(session, of: server)
        }
        #expect(
            try await SealedFiles.store(folder, passphrase: "right").credential(of: server)
                == session)

        let plain = SealedFiles.path(folder, other)
        try await SealedFiles.store(folder).keep(session, of: other)
        #expect(
            try await SealedFiles.store(folder, passphrase: "right").credential(of: other)
                == session)
        try change(folder.file("argus/credentials/key")) { $0[0] ^= 1 }
        await #expect(throws: AccountError.otherMachine(path: plain)) {
            try await SealedFiles.store(folder).credential(of: other)
        }
        try #require(unlink(folder.file("argus/credentials/key")) == 0)
        await #expect(throws: AccountError.wrongKey(path: plain)) {
            try await SealedFiles.store(folder).credential(of: other)
        }
    }

    @Test("every changed, cut or foreign file is refused, none crashes")
    func refusesDamage() async throws {
        let folder = try TemporaryFolder()
        let store = SealedFiles.store(folder)
        let sealed = SealedFiles.path(folder, server)
        try await store.keep(session, of: server)
        let whole = try Data(contentsOf: URL(filePath: sealed))
        for position in whole.indices {
            try change(sealed) {
                $0 = whole; $0[position] ^= 0x10
            }
            await #expect(throws: AccountError.self) {
                try await store.credential(of: server)
            }
        }
        for count in stride(from: 0, to: whole.count, by: 7) {
            try change(sealed) { $0 = whole.prefix(count) }
            await #expect(throws: AccountError.damaged(path: sealed)) {
                try await store.credential(of: server)
            }
        }
        try await store.keep(session, of: server)
        #expect(try await store.credential(of: server) == session)
    }

    @Test("a file put in the place of another server's or item's does not open")
    func refusesSwap() async throws {
        let folder = try TemporaryFolder()
        let store = SealedFiles.store(folder)
        try await store.keep(session, of: server)
        let whole = try Data(contentsOf: URL(filePath: SealedFiles.path(folder, server)))
        try await store.keep(.apiKey(Redacted("k")), of: other)
        try change(SealedFiles.path(folder, other)) { $0 = whole }
        await #expect(throws: AccountError.damaged(path: SealedFiles.path(folder, other))) {
            try await store.credential(of: other)
        }
    }

    @Test("a planted file cannot ask for all memory")
    func boundsCost() async throws {
        let folder = try TemporaryFolder()
        let store = SealedFiles.store(folder, passphrase: "p")
        let sealed = SealedFiles.path(folder, server)
        try await store.keep(session, of: server)
        let whole = try Data(contentsOf: URL(filePath: sealed))
        for cost: [UInt8] in [[63, 8, 1], [20, 32, 1], [255, 255, 255], [0, 0, 0], [15, 8, 0]] {
            try change(sealed) {
                $0 = whole; $0.replaceSubrange(10..<13, with: cost)
            }
            await #expect(throws: AccountError.damaged(path: sealed)) {
                try await store.credential(of: server)
            }
        }
        try change(sealed) {
            $0 = whole; $0[8] = 2
        }
        await #expect(throws: AccountError.newerVersion(path: sealed)) {
            try await store.credential(of: server)
        }
    }

    @Test("a damaged key is set aside by the next sign-in, with a warning")
    func setsDamagedKeyAside() async throws {
        let folder = try TemporaryFolder()
        let reported = Mutex<[SealedFileStore.Notice]>([])
        try await SealedFiles.store(folder).keep(session, of: server)
        let key = folder.file("argus/credentials/key")
        try change(key) { $0 = $0.prefix(31) }
        await #expect(throws: AccountError.damaged(path: key)) {
            try await SealedFiles.store(folder).credential(of: server)
        }
        let next = SealedFiles.store(folder) { notice in reported.withLock { $0.append(notice) } }
        try await next.keep(session, of: server)
        #expect(try await next.credential(of: server) == session)
        #expect(reported.withLock { $0 } == [.keySetAside(path: key + ".damaged-1")])
    }

    @Test("first writers at once agree on one key")
    func agreesOnKey() async throws {
        let folder = try TemporaryFolder()
        let ids = (0..<16).map { _ in ServerID.random() }
        let failures = await withTaskGroup(of: Bool.self, returning: Int.self) { group in
            for id in ids {
                let store = SealedFiles.store(folder)
                let session = session
                group.addTask { (try? await store.keep(session, of: id)) == nil }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(failures == 0)
        for id in ids { #expect(try await SealedFiles.store(folder).credential(of: id) == session) }
    }

    @Test("a key file that others may read is refused, and so is a link")
    func refusesOpenKey() async throws {
        let folder = try TemporaryFolder()
        try await SealedFiles.store(folder).keep(session, of: server)
        let key = folder.file("argus/credentials/key")
        try #require(chmod(key, 0o644) == 0)
        let open = FileSystemError(.read, key, .openToOthers(0o644))
        await #expect(throws: AccountError.storeFile(open)) {
            try await SealedFiles.store(folder).credential(of: server)
        }
        try #require(chmod(key, 0o600) == 0 && rename(key, folder.file("real")) == 0)
        try #require(symlink(folder.file("real"), key) == 0)
        await #expect(
            throws: AccountError.storeFile(
                FileSystemError(.read, key, .symbolicLink))
        ) {
            try await SealedFiles.store(folder).credential(of: server)
        }
    }

    @Test("without a state folder nothing is found and nothing can be stored")
    func withoutFolder() async throws {
        let store = SealedFileStore(.none(reason: "no home"), machine: nil) { _ in }
        #expect(try await store.credential(of: server) == nil)
        try await store.eraseAll(of: server)
        await #expect(throws: AccountError.storeUnavailable(reason: "no home")) {
            try await store.keep(session, of: server)
        }
    }

    @Test("a credential says nothing of itself when printed")
    func printsNothing() {
        var dumped = ""
        dump(session, to: &dumped)
        #expect(!"\(session) \(dumped)".contains("planted"))
    }
}
