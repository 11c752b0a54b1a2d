import ArgusTestSupport
import Glibc
import Testing

@testable import ArgusAccount
@testable import ArgusCore
@testable import ArgusTransport

@Suite("pairings that wait")
struct PendingPairingsTests {
    private let folder: TemporaryFolder
    private let pendings: PendingPairings
    private let store: SealedFileStore
    private static let now = Timestamp(seconds: 1_795_262_400)

    init() throws {
        folder = try TemporaryFolder()
        let state = Paths.Folder.folder(folder.file("state"))
        store = SealedFileStore(state, machine: Redacted("m1")) {
            Issue.record("the sealed files: \($0)")
        }
        pendings = PendingPairings(in: store, state)
    }

    private func pairing(
        _ code: String, at address: String = "https://home.example"
    ) throws -> PendingPairing {
        var server = ServerRecord(
            name: "home", endpoints: [Endpoint(.local, address, proof: .pin("abc"))],
            addedAt: Self.now)
        server.plainHTTPAllowances = [
            PlainHTTPAllowance(
                origin: Origin(scheme: .http, host: "192.168.1.5", port: 80), gatewayMAC: "02:00")
        ]
        return PendingPairing(
            code: try #require(PairingCode(typed: code)),
            device: PairingDevice(
                hardwareID: "hw", name: "attic", model: "Linux", platform: .android),
            startedAt: Self.now, expiresAt: Self.now + .seconds(299), server: server,
            isNameGiven: true)
    }

    @Test("a pairing is read as it was kept, and its code is sealed")
    func kept() async throws {
        #expect(try await pendings.load() == [])
        let pairing = try pairing("482913")
        try await pendings.add(pairing)
        #expect(try await pendings.load() == [pairing])
        let files = folder.file("state/credentials")
        #expect(try permissions(files) == 0o700)
        let name = "no0server0yet.pairings.sealed"
        #expect(try permissions("\(files)/\(name)") == 0o600)
        let bytes = try FileContents("\(files)/\(name)", trust: .secretState, limit: 1 << 20).bytes
        #expect(!String(decoding: bytes, as: UTF8.self).contains("482913"))
    }

    @Test("a newer pairing takes the place of an older one with that server only")
    func replaced() async throws {
        let (first, second) = (try pairing("111111"), try pairing("222222"))
        let other = try pairing("333333", at: "https://other.example")
        for pairing in [first, other, second] { try await pendings.add(pairing) }
        #expect(try await pendings.load() == [other, second])
        try await pendings.remove(first)
        #expect(try await pendings.load() == [other, second])
        try await pendings.remove(second)
        try await pendings.remove(other)
        #expect(try await pendings.load() == [])
        #expect(try await store.read(CredentialKey(.none, .pairings)) == nil)
    }

    @Test("tokens are set aside although nothing can be made once the code is exchanged")
    func nothingToBeMade() async throws {
        let (pairing, key) = (try pairing("111111"), folder.file("state/credentials/key"))
        try await pendings.add(pairing)
        let session = StoredSession(kind: .mobile, accessToken: Redacted("t"))
        let result = await pendings.puttingAside(
            pairing, notStored: { Issue.record("not stored: \($0)") },
            {
                // As a key file that others may read, it is refused.
                chmod(key, 0o644)
                return session
            })
        chmod(key, 0o600)
        #expect(try result.get() == session)
        #expect(try await pendings.load().map(\.session) == [session])
    }

    @Test("a code is not exchanged for tokens that could not be set aside")
    func withoutPlace() async throws {
        try await pendings.add(try pairing("111111"))
        let path = folder.file("state/credentials/key")
        // Without a list nothing is read; as a key file that others may read, it is refused.
        try await store.erase(CredentialKey(.none, .pairings))
        chmod(path, 0o644)
        let result = await pendings.puttingAside(
            try pairing("222222"), notStored: { _ in },
            {
                Issue.record("the code was exchanged")
                return StoredSession(kind: .mobile, accessToken: Redacted("t"))
            })
        #expect(throws: AccountError.self) { try result.get() }
    }

    @Test("an abandoned pairing is forgotten an hour after its end")
    func forgotten() async throws {
        try await pendings.add(try pairing("111111"))
        var later = try pairing("222222", at: "https://other.example")
        later.startedAt = Self.now + .seconds(299 + 3600)
        try await pendings.add(later)
        #expect(try await pendings.load().count == 2)
        later.startedAt = later.startedAt + .seconds(1)
        try await pendings.add(later)
        #expect(try await pendings.load() == [later])
    }

    @Test("many processes add at once, and none is lost")
    func concurrent() async throws {
        let all = try (0..<12).map { try pairing("48291\($0 % 10)", at: "https://h\($0).example") }
        await withTaskGroup(of: Void.self) { group in
            for pairing in all {
                group.addTask {
                    await #expect(throws: Never.self) { try await pendings.add(pairing) }
                }
            }
        }
        #expect(try await pendings.load().count == 12)
    }

    @Test("a list that makes no sense is an empty one, and is replaced")
    func damaged() async throws {
        try await store.write(Redacted(Array("{".utf8)), for: CredentialKey(.none, .pairings))
        #expect(try await pendings.load() == [])
        let pairing = try pairing("482913")
        try await pendings.add(pairing)
        #expect(try await pendings.load() == [pairing])
    }

    @Test("a list that no longer opens warns, counts as empty, and is replaced")
    func unopened() async throws {
        try await pendings.add(try pairing("111111"))
        let state = Paths.Folder.folder(folder.file("state"))
        let path = folder.file("state/credentials/no0server0yet.pairings.sealed")
        let notices = MessageLog()
        let elsewhere = PendingPairings(
            in: SealedFileStore(state, machine: Redacted("m2")) { _ in }, state,
            report: { notices.add("\($0)") })
        #expect(try await elsewhere.load() == [])
        #expect(notices.all == ["\(AccountError.otherMachine(path: path))"])
        try folder.plant("damaged", "state/credentials/no0server0yet.pairings.sealed")
        let pairing = try pairing("482913")
        try await elsewhere.add(pairing)
        #expect(notices.all.last == "\(AccountError.damaged(path: path))")
        #expect(try await elsewhere.load() == [pairing])
        #expect(notices.all.count == 2)
    }

    @Test("a list that a passphrase would open is no empty one")
    func passphrase() async throws {
        let state = Paths.Folder.folder(folder.file("state"))
        let sealed = SealedFileStore(
            state, passphrase: Redacted(Array("open".utf8)), machine: Redacted("m1")
        ) { _ in }
        try await PendingPairings(in: sealed, state).add(try pairing("482913"))
        let path = folder.file("state/credentials/no0server0yet.pairings.sealed")
        let error = await failure { () async throws(AccountError) in
            _ = try await pendings.load()
        }
        #expect(error == .passphraseNeeded(path: path))
    }

    @Test("a store that keeps nothing is an error")
    func nowhere() async throws {
        let state = Paths.Folder.none(reason: "no home")
        let store = SealedFileStore(state, machine: Redacted("m1")) { _ in }
        let pairing = try pairing("482913")
        let error = await failure { () async throws(AccountError) in
            try await PendingPairings(in: store, state).add(pairing)
        }
        #expect(error == .storeUnavailable(reason: "no home"))
    }
}
