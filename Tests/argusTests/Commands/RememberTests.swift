import ArgusCore
import ArgusTestSupport
import ArgusTransport
import Testing

@testable import argus
@testable import ArgusAccount

@Suite("what a sign-in leaves where its secrets cannot be kept")
struct RememberTests {
    private let test: TestSystem
    private let passwordFile: String

    init() throws {
        test = try TestSystem()
        passwordFile = try test.folder.plant("correct horse\n", "password")
        test.environment["PATH"] = "\(test.folder.path):/usr/bin:/bin"
    }

    private func login(_ words: String...) async throws -> ExitKind {
        test.fake.stub(.get, "/api/v1/auth/setup-status", body: try Samples.text("setup-status"))
        test.fake.stub(.post, "/api/v1/auth/login", body: try Samples.text("login-response"))
        return await test.run(
            ["login"] + words + ["-u", "admin", "--password-file", passwordFile])
    }

    /// Makes a script a credential helper; another program writes it, since what this process has
    /// open for writing cannot be run.
    private func install(_ script: String, as name: String) throws {
        let write = "printf '#!/bin/sh\\n%s\\n' \"$2\" >\"$1\"; chmod 700 \"$1\""
        let path = test.folder.file("argus-credential-\(name)")
        try #require(try ChildProcess(["sh", "-ec", write, "sh", path, script]).wait() == 0)
    }

    @Test(
        "a store that refuses leaves the record of a known server as it was",
        arguments: [true, false])
    func known(isSameAccount: Bool) async throws {
        try install("cat >/dev/null; [ $1 = store ] || exit 1; echo full >&2; exit 2", as: "full")
        let record = try await test.know("cottage", signedInWith: nil) {
            $0.account = ServerAccount(
                kind: .password, username: isSameAccount ? "admin" : "ann")
            $0.credentialStore = .helper("full")
        }
        #expect(try await login("cottage", "--name", "house", "--json") == .failed)
        #expect(try test.errorObject()["reason"]?.string == "credential_store_failed")
        #expect(try test.known()[record.id] == record)
    }

    @Test("a store that refuses leaves no record of a server that was not known")
    func unknown() async throws {
        try install("cat >/dev/null; [ $1 = store ] || exit 1; echo full >&2; exit 2", as: "full")
        test.environment["ARGUS_CREDENTIAL_STORE"] = "helper:full"
        #expect(try await login("https://home.example") == .failed)
        #expect(try test.known().servers.isEmpty)
    }

    @Test("a password that is not stored is reported, and the sign-in stands")
    func password() async throws {
        let kept = test.folder.file("kept")
        try install(
            """
            IFS= read -r line
            case $1,$line in
            store,*'"item":"password"'*) echo no room >&2; exit 2 ;;
            store,*'"item":"sign-in"'*) printf '%s\\n' "$line" >'\(kept)' ;;
            get,*'"item":"sign-in"'*) [ -e '\(kept)' ] || exit 1; cat '\(kept)' ;;
            get,*) exit 1 ;;
            esac
            """, as: "picky")
        test.environment["ARGUS_CREDENTIAL_STORE"] = "helper:picky"
        #expect(try await login("https://home.example", "--remember", "--json") == .failed)
        let message = try test.errorObject()["message"]?.string ?? ""
        #expect(
            message.hasPrefix("signed in to 'home.example', but the password was not stored: "),
            "\(message)")
        #expect(try test.known().defaultServer?.account?.username == "admin")
    }
}
