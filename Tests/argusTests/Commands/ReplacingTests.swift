import ArgusTestSupport
import ArgusTransport
import Testing

@testable import argus
@testable import ArgusAccount
@testable import ArgusCore

@Suite("a sign-in that takes the place of another account's")
struct ReplacingTests {
    private let test: TestSystem
    private let keyring = ScriptedKeyring()
    private let passwordFile: String
    private let full = AccountError.storeFailed(store: "toy", reason: "it is full")

    init() throws {
        test = try TestSystem()
        test.keyring = keyring
        passwordFile = try test.folder.plant("correct horse\n", "password")
    }

    /// A server where ann is signed in, with her password remembered.
    private func know() async throws -> ServerRecord {
        let record = try await test.know("home") { $0.credentialStore = .secretService }
        try await keyring.keep(TestSystem.session, of: record.id)
        try await keyring.write(Redacted(Array("hers".utf8)), for: password(of: record))
        return record
    }

    private func password(of record: ServerRecord) -> CredentialKey {
        CredentialKey(record.id, .password)
    }

    private func login() async throws -> ExitKind {
        test.fake.stub(.get, "/api/v1/auth/setup-status", body: try Samples.text("setup-status"))
        test.fake.stub(.post, "/api/v1/auth/login", body: try Samples.text("login-response"))
        return await test.run("login", "home", "-u", "admin", "--password-file", passwordFile)
    }

    @Test("a store without space for it keeps the earlier sign-in, and its password")
    func noRoom() async throws {
        let record = try await know()
        keyring.refuse(.write(.signIn), by: full)
        #expect(try await login() == .failed)
        #expect(try test.known()[record.id] == record)
        #expect(try await keyring.credential(of: record.id) == TestSystem.session)
        #expect(
            try await keyring.read(password(of: record)) == Redacted(Array("hers".utf8)))
    }

    @Test("a store that does not let go of the earlier password gets the earlier sign-in back")
    func noErasing() async throws {
        let record = try await know()
        keyring.refuse(.erase(.password), by: full)
        #expect(try await login() == .failed)
        #expect(try test.known()[record.id] == record)
        #expect(try await keyring.credential(of: record.id) == TestSystem.session)
    }

    @Test("a store that returns another value is an error before 'signed in' is printed")
    func lost() async throws {
        let record = try await know()
        keyring.lose(.signIn)
        #expect(try await login() == .failed)
        #expect(test.stderr.contains("returned another value than it was given"), "\(test.stderr)")
        #expect(!test.stderr.contains("signed in to"))
        // What it had is gone too, and no record says otherwise.
        #expect(test.stderr.contains("'home' is signed out now"), "\(test.stderr)")
        #expect(try test.known()[record.id]?.account == nil)
    }

    @Test("nor does a record name an account whose new tokens such a store did not keep")
    func lostOfSame() async throws {
        let record = try await test.know("home") {
            $0.account = ServerAccount(kind: .password, username: "admin")
            $0.credentialStore = .secretService
        }
        try await keyring.keep(TestSystem.session, of: record.id)
        keyring.lose(.signIn)
        #expect(try await login() == .failed)
        #expect(try test.known()[record.id]?.account == nil)
        #expect(try await keyring.credential(of: record.id) == nil)
    }

    @Test("a server that was not known stays so where the store did not keep its first sign-in")
    func lostFirst() async throws {
        keyring.lose(.signIn)
        test.environment["ARGUS_CREDENTIAL_STORE"] = "secret-service"
        test.fake.stub(.get, "/api/v1/auth/setup-status", body: try Samples.text("setup-status"))
        test.fake.stub(.post, "/api/v1/auth/login", body: try Samples.text("login-response"))
        let ending = await test.run(
            "login", "https://home.example", "-u", "admin", "--password-file", passwordFile)
        #expect(ending == .failed)
        #expect(!test.stderr.contains("signed out"), "\(test.stderr)")
        #expect(try test.known().servers.isEmpty)
    }

    @Test("the earlier password goes with the earlier sign-in")
    func replaces() async throws {
        let record = try await know()
        #expect(try await login() == .done)
        #expect(try test.known()[record.id]?.account?.username == "admin")
        #expect(try await keyring.credential(of: record.id) != TestSystem.session)
        #expect(try await keyring.read(password(of: record)) == nil)
    }

    @Test("tokens that a hanging keyring did not put aside are offered to it once more")
    func secondChance() async throws {
        let record = try await know()
        keyring.refuse(
            .write(.pairings), by: .storeSilent(store: keyring.name, reason: "no answer"))
        test.environment["ARGUS_CREDENTIAL_STORE"] = "secret-service"
        test.fake.stub(
            .post, "/api/v1/mobile/auth/exchange", body: try Samples.text("mobile-exchange"))
        test.fake.stub(.get, "/api/v1/auth/me", body: try Samples.text("auth-me"))
        let ending = await test.run(
            "pair", "https://home.example", "--code=376529", "--name", "home")
        #expect(ending == .done, "\(test.stderr)")
        #expect(try test.known()[record.id]?.account?.kind == .pairing)
        #expect(try await keyring.credential(of: record.id) != TestSystem.session)
        #expect(try await keyring.read(password(of: record)) == nil)
    }
}
