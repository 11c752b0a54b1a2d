import ArgusTestSupport

@testable import ArgusAccount
@testable import ArgusCore

/// Servers that a user knows: a state folder, a keyring in memory, a clock that stands still.
struct KnownServers: Sendable {
    static let now = Timestamp(seconds: 1_795_262_400)
    static let old = Credential.session(
        StoredSession(kind: .web, accessToken: Redacted("token-1"), username: "ann"))
    static let new = Credential.session(
        StoredSession(kind: .web, accessToken: Redacted("token-2"), username: "ann"))

    let folder: TemporaryFolder
    let fake = FakeTransport()
    let keyring = ScriptedKeyring()
    let reported = MessageLog()
    let full = AccountError.storeFailed(store: "toy", reason: "it is full")
    /// The state folder.
    let state: Paths.Folder
    let secrets: ServerSecrets

    init(_ state: Paths.Folder? = nil, passphraseFile: String? = nil) throws {
        folder = try TemporaryFolder()
        let (keyring, reported) = (keyring, reported)
        self.state = state ?? .folder(folder.path)
        let passphrase = SealingPassphrase(
            of: CredentialOverrides(
                passphraseFile: passphraseFile, environment: Environment([:])))
        let stores = CredentialStores(
            self.state,
            passphrase: passphraseFile == nil ? passphrase : passphrase.ignoredIfUnreadable,
            environment: Environment([:]), machine: { nil }, keyring: { _ in keyring },
            timeouts: TimeoutSkippingStore.Memory(now: { Self.now })
        ) { _ in }
        secrets = ServerSecrets(
            in: stores, of: ServerDirectory(self.state) { _ in },
            StateEnvironment(
                self.state, now: { Self.now }, sleep: { _ in }, notify: reported.add))
    }

    /// The list of servers as it is stored.
    func list() throws -> ServerList { try secrets.directory.load() }

    /// Makes a server known where ann is signed in.
    func know(
        in kind: CredentialStoreKind = .secretService, as username: String? = "ann"
    ) async throws -> ServerRecord {
        var record = ServerRecord(
            name: "home",
            endpoints: [Endpoint(.local, "https://home.example", proof: .publicCertificate)],
            addedAt: Self.now)
        record.account = username.map { ServerAccount(kind: .password, username: $0) }
        record.credentialStore = kind
        let kept = record
        try await secrets.directory.update { list throws(AccountError) in try list.add(kept) }
        try await store(kind).keep(Self.old, of: record.id)
        return record
    }

    func store(_ kind: CredentialStoreKind) throws -> any CredentialStore {
        try secrets.stores.open(kind)
    }

    /// The sign-in that a store has of a server.
    func credential(_ id: ServerID, in kind: CredentialStoreKind) async throws -> Credential? {
        try await store(kind).credential(of: id)
    }

    /// The server as a sign-in finds it.
    func server(_ record: ServerRecord? = nil) -> UnverifiedServer {
        UnverifiedServer(
            name: "home", client: .test(fake), record: record, isKnown: record != nil,
            endpoint: Endpoint(.local, "https://home.example", proof: .publicCertificate))
    }
}
