import ArgusTestSupport
import Glibc
import Testing

@testable import ArgusAccount
@testable import ArgusCore

/// What a sign-in leaves, wherever it fails.
@Suite("SignInTransaction")
struct SignInTransactionTests {
    private let known: KnownServers
    private var keyring: ScriptedKeyring { known.keyring }

    init() throws {
        known = try KnownServers()
    }

    private func keep(
        _ username: String = "ann", password: String? = nil, at record: ServerRecord? = nil,
        in chosen: CredentialStoreKind? = .secretService, of known: KnownServers? = nil
    ) async throws(AccountError) -> ServerRecord {
        let known = known ?? self.known
        let transaction = SignInTransaction(
            known.secrets, chosenStore: chosen, replacesEndpoint: { _ in false })
        let account = VerifiedAccount(
            kind: .password, user: User(id: nil, username: username),
            credential: KnownServers.new, password: password.map(Redacted.init))
        return try await transaction.keep(account, at: known.server(record))
    }

    private func error(
        _ work: () async throws(AccountError) -> ServerRecord
    ) async -> AccountError? {
        await failure(work)
    }

    @Test("a first sign-in is stored, and its record names the account and the store")
    func first() async throws {
        let record = try await keep(password: "correct horse")
        #expect(try known.list().servers == [record])
        #expect(record.account?.username == "ann")
        #expect(record.credentialStore == .secretService)
        #expect(try await keyring.credential(of: record.id) == KnownServers.new)
        let password = try await keyring.read(CredentialKey(record.id, .password))
        #expect(password == Redacted(Array("correct horse".utf8)))
        #expect(known.reported.all.isEmpty)
    }

    @Test("a store that refuses a first sign-in leaves no record")
    func firstRefused() async throws {
        keyring.refuse(.write(.signIn), by: known.full)
        #expect(
            await error { () async throws(AccountError) in try await keep() }
                == known.full)
        #expect(try known.list().servers.isEmpty)
    }

    @Test(
        "a store that refuses leaves the record and the secrets as they were",
        arguments: ["ann", "ben"])
    func refused(username: String) async throws {
        let record = try await known.know()
        keyring.refuse(.write(.signIn), by: known.full)
        #expect(
            await error { () async throws(AccountError) in try await keep(username) }
                == known.full)
        #expect(try known.list()[record.id] == record)
        #expect(try await keyring.credential(of: record.id) == KnownServers.old)
    }

    @Test("a moment's lack of descriptors costs no sign-in, whatever it keeps from being stored")
    func triedAgain() async throws {
        let lack = AccountError.storeFile(
            FileSystemError(.create, "file", .errno(Errno(rawValue: EMFILE))))
        for item in [CredentialKey.Item.signIn, .password] {
            keyring.refuse(.write(item), by: lack, times: 2)
        }
        let record = try await keep(password: "correct horse")
        #expect(try known.list().servers == [record])
        #expect(try await keyring.credential(of: record.id) == KnownServers.new)
        #expect(try await keyring.read(CredentialKey(record.id, .password)) != nil)
        #expect(known.reported.all.isEmpty)
        keyring.refuse(.write(.signIn), by: lack)
        #expect(
            await error { () async throws(AccountError) in try await keep("ben") }
                == lack)
        #expect(try known.list().servers == [record])
    }

    @Test("a store that loses what it took leaves a record without an account")
    func lost() async throws {
        let record = try await known.know()
        keyring.lose(.signIn)
        #expect(
            await error { () async throws(AccountError) in try await keep() }
                == .loses(store: keyring.name))
        #expect(try known.list()[record.id]?.account == nil)
        #expect(known.reported.all == ["'home' is signed out now"])
    }

    @Test("a password that is refused is reported, and the sign-in stands")
    func password() async throws {
        keyring.refuse(.write(.password), by: known.full)
        #expect(
            await error { () async throws(AccountError) in try await keep(password: "correct horse")
            }
                == .passwordNotStored(server: "home", known.full))
        let record = try #require(try known.list().servers.first)
        #expect(record.account?.username == "ann")
        #expect(try await keyring.credential(of: record.id) == KnownServers.new)
    }

    @Test("an earlier password that stays is reported, and the sign-in stands")
    func earlierPassword() async throws {
        let record = try await known.know()
        keyring.refuse(.erase(.password), by: known.full)
        #expect(
            await error { () async throws(AccountError) in try await keep() }
                == .passwordLeft(server: "home", known.full))
        #expect(try await keyring.credential(of: record.id) == KnownServers.new)
    }

    @Test("where no record can be written, the store is not touched")
    func noFolder() async throws {
        let known = try KnownServers(.none(reason: "no home folder"))
        known.keyring.refuse(.write(.signIn), by: .storeUnavailable(reason: "it was asked"))
        #expect(
            await error { () async throws(AccountError) in try await keep(of: known) }
                == .noStateFolder(reason: "no home folder"))
    }

    @Test("a sign-in in another store takes along what is no sign-in, and empties the old store")
    func moves() async throws {
        let record = try await known.know(in: .file)
        let push = Redacted(Array("what was registered".utf8))
        try await known.store(.file).write(push, for: CredentialKey(record.id, .push))
        let moved = try await keep(at: record)
        #expect(moved.id == record.id && moved.credentialStore == .secretService)
        #expect(try await keyring.credential(of: record.id) == KnownServers.new)
        #expect(try await keyring.read(CredentialKey(record.id, .push)) == push)
        #expect(try await known.credential(record.id, in: .file) == nil)
        #expect(try await known.store(.file).read(CredentialKey(record.id, .push)) == nil)
    }

    @Test("what the new store refuses to take along stays in the old one")
    func leavesExtras() async throws {
        let record = try await known.know(in: .file)
        let push = Redacted(Array("what was registered".utf8))
        try await known.store(.file).write(push, for: CredentialKey(record.id, .push))
        keyring.refuse(.write(.push), by: known.full)
        _ = try await keep(at: record)
        #expect(try await known.store(.file).read(CredentialKey(record.id, .push)) == push)
        #expect(try await known.credential(record.id, in: .file) == nil)
        #expect(known.reported.all.count == 1)
    }

    @Test("a record that cannot be written leads to the old store, and the new one is emptied")
    func recordOfMove() async throws {
        let record = try await known.know(in: .file)
        let path = known.folder.file("servers.json")
        let before = try #require(try? FileContents(path, trust: .state, limit: 1 << 20).bytes)
        keyring.onWrite { _ in
            try? AtomicFile.write(
                Array(#"{"version": 99}"#.utf8), to: path, for: .state, replacing: true)
        }
        #expect(
            await error { () async throws(AccountError) in try await keep(at: record) }
                == .newerServerList(path: path))
        try AtomicFile.write(before, to: path, for: .state, replacing: true)
        #expect(try known.list()[record.id] == record)
        #expect(try await known.credential(record.id, in: .file) == KnownServers.old)
        #expect(try await keyring.credential(of: record.id) == nil)
    }

    @Test("secrets that another process has moved are replaced where they are now")
    func movedMeanwhile() async throws {
        let record = try await known.know(in: .file)
        _ = try await known.secrets.move(record, to: .secretService)
        let kept = try await keep(at: record, in: nil)
        #expect(kept.credentialStore == .secretService)
        #expect(try await keyring.credential(of: record.id) == KnownServers.new)
        #expect(try await known.credential(record.id, in: .file) == nil)
    }

    @Test("a move that the new store refuses leaves everything in the old one")
    func refusedMove() async throws {
        let record = try await known.know(in: .file)
        keyring.refuse(.write(.signIn), by: known.full)
        let error = await failure { () async throws(AccountError) in
            try await known.secrets.move(record, to: .secretService)
        }
        #expect(error == known.full)
        #expect(try known.list()[record.id] == record)
        #expect(try await known.credential(record.id, in: .file) == KnownServers.old)
    }
}
