import ArgusTestSupport
import Testing

@testable import ArgusAccount
@testable import ArgusCore
@testable import ArgusTransport

/// What a sign-out leaves, wherever it fails.
@Suite("SignOut")
struct SignOutTests {
    private let known: KnownServers
    private let notices = MessageLog()

    init() throws {
        known = try KnownServers()
    }

    private func signOut(of known: KnownServers? = nil) -> SignOut {
        let (known, notices) = (known ?? self.known, notices)
        return SignOut(known.secrets) { record, credential, _ throws(SignOut.Unreachable) in
            SignedInServer(
                record: record, name: record.name,
                session: Session(client: .test(known.fake), authorization: .none),
                credential: credential, credentialSource: record.credentialStore.name)
        } endPush: { _, _ in
            notices.add("pushes")
        } endKey: { _, _ in
            notices.add("key ended")
        } report: { notice in
            let word =
                switch notice {
                case .unreadable: "unreadable"
                case .notEnded: "not ended"
                case .keyStaysValid: "key"
                case .storedKeyStays: "kept key"
                case .pairingStays, .notReached, .acceptedUntil: "another"
                }
            notices.add(word)
        }
    }

    @Test("the server ends the session, and no secret stays")
    func signsOut() async throws {
        let record = try await known.know()
        known.fake.stub(.post, "/api/v1/auth/logout", body: "{}")
        let credential = try await signOut().end(record, keepsPush: false)
        #expect(credential == KnownServers.old)
        #expect(try known.list()[record.id]?.account == nil)
        #expect(try await known.keyring.credential(of: record.id) == nil)
        #expect(notices.all == ["pushes"])
        known.fake.verify()
    }

    @Test("a server that fails keeps nothing back")
    func serverFails() async throws {
        let record = try await known.know()
        known.fake.stub(.post, "/api/v1/auth/logout", status: 500, body: #"{"detail":"no"}"#)
        _ = try await signOut().end(record, keepsPush: true)
        #expect(try await known.keyring.credential(of: record.id) == nil)
        #expect(notices.all == ["not ended"])
        known.fake.verify()
    }

    @Test("secrets that a store does not let go of are reported, and the record has no account")
    func secretsLeft() async throws {
        let record = try await known.know()
        known.keyring.refuse(.erase(.signIn), by: known.full)
        known.fake.stub(.post, "/api/v1/auth/logout", body: "{}")
        let error = await failure { () async throws(AccountError) in
            try await signOut().end(record, keepsPush: true)
        }
        #expect(
            error == .secretsLeft(server: "home", store: known.keyring.name, known.full))
        #expect(try known.list()[record.id]?.account == nil)
        known.fake.verify()
    }

    @Test("a record that cannot be changed is reported with what the server did")
    func recordLeft() async throws {
        let record = try await known.know()
        let path = known.folder.file("servers.json")
        known.fake.stub(.post, "/api/v1/auth/logout") { _ in
            try? AtomicFile.write(
                Array(#"{"version": 99}"#.utf8), to: path, for: .state, replacing: true)
            return .success(HTTPResponse(status: 200, body: Array("{}".utf8)))
        }
        let error = await failure { () async throws(AccountError) in
            try await signOut().end(record, keepsPush: true)
        }
        #expect(
            error?.description.hasPrefix(
                "the server has ended the session, but the record of the sign-in to 'home' is "
                    + "still stored here: ") == true)
        known.fake.verify()
    }

    @Test("a credential that makes no sense is forgotten without the server")
    func senseless() async throws {
        let record = try await known.know()
        try await known.keyring.write(Redacted([1]), for: CredentialKey(record.id))
        #expect(try await signOut().end(record, keepsPush: false) == nil)
        #expect(try await known.keyring.read(CredentialKey(record.id)) == nil)
        #expect(notices.all == ["unreadable"])
    }

    @Test("there is nothing to end without a sign-in")
    func notSignedIn() async throws {
        let record = try await known.know(as: nil)
        try await known.keyring.erase(CredentialKey(record.id))
        let error = await failure { () async throws(AccountError) in
            try await signOut().end(record, keepsPush: false)
        }
        #expect(error == .notSignedIn(server: "home"))
    }

    @Test("a passphrase that cannot be read is ignored where secrets are forgotten")
    func passphrase() async throws {
        let known = try KnownServers(passphraseFile: "/nowhere/passphrase")
        #expect(known.secrets.stores.ignoredProblem != nil)
        let record = try await known.know(in: .file)
        known.fake.stub(.post, "/api/v1/auth/logout", body: "{}")
        _ = try await signOut(of: known).end(record, keepsPush: true)
        #expect(try await known.credential(record.id, in: .file) == nil)
        known.fake.verify()
    }
}
