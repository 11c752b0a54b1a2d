import ArgusAccount
import ArgusCore
import ArgusTestSupport
import ArgusTransport
import Synchronization
import Testing

@testable import argus

/// A keyring that gives no answer, and counts how often it was asked.
private final class SilentKeyring: CredentialStore {
    let name = CredentialStoreKind.secretService.name
    private let count = Mutex(0)

    /// How often it was asked since the last time that this was read.
    func asks() -> Int {
        count.withLock { count in
            defer { count = 0 }
            return count
        }
    }

    func read(_ key: CredentialKey) async throws(AccountError) -> Redacted<[UInt8]>? {
        throw silence()
    }

    func write(
        _ value: Redacted<[UInt8]>, for key: CredentialKey
    ) async throws(AccountError) {
        throw silence()
    }

    func erase(_ key: CredentialKey) async throws(AccountError) { throw silence() }

    private func silence() -> AccountError {
        count.withLock { $0 += 1 }
        return .storeSilent(store: name, reason: "it gave no answer within a second")
    }
}

/// Each ask of a keyring that hangs takes almost a second, so that each command may make one.
@Suite("a keyring that gives no answer is asked once by a command")
struct SilentKeyringTests {
    private let test: TestSystem
    private let keyring = SilentKeyring()

    init() throws {
        test = try TestSystem()
        test.keyring = keyring
    }

    private func know() async throws {
        for record in try test.known().servers {
            _ = await test.run("server", "remove", record.id.text)
        }
        _ = keyring.asks()
        try await test.know("home") { $0.credentialStore = .secretService }
    }

    @Test(
        "whatever the command",
        arguments: [
            "whoami", "token", "events list", "logout", "logout --all", "logout --keep-push",
            "server remove home", "server set home --store file", "pair pending", "keys list",
            "devices list", "cameras snapshot --all", "doctor --server home",
        ])
    func once(line: String) async throws {
        try await know()
        let words = line.split(separator: " ").map(String.init)
        if line.hasPrefix("doctor") {
            test.fake.stub(.get, "/health", body: "{}")
            test.fake.stub(.get, "/openapi.json", status: 404)
        }
        _ = await test.run(words)
        #expect(keyring.asks() == 1, "\(test.stderr)")
    }

    @Test("a sign-in that is to be kept elsewhere, or there, asks once too")
    func login() async throws {
        let key = try test.folder.plant("key-1\n", "key")
        for store in ["file", "secret-service"] {
            try await know()
            test.environment["ARGUS_CREDENTIAL_STORE"] = store
            if store == "file" {
                test.fake.stub(
                    .get, "/api/v1/auth/setup-status", body: try Samples.text("setup-status"))
                test.fake.stub(.get, "/api/v1/events?limit=1", body: "[]")
            }
            let ending = await test.run("login", "home", "--api-key-file", key)
            #expect(ending == (store == "file" ? .done : .failed), "\(test.stderr)")
            #expect(keyring.asks() == 1, "\(test.stderr)")
        }
    }

    @Test("a sign-in in files that is to be moved there asks once, and stays")
    func move() async throws {
        let record = try await test.know("home")
        #expect(await test.run("server", "set", "home", "--store", "secret-service") == .failed)
        #expect(keyring.asks() == 1)
        #expect(try await test.credential(of: record) == TestSystem.session)
    }
}
