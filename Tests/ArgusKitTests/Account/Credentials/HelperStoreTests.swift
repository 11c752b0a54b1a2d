import ArgusTestSupport
import FoundationEssentials
import Glibc
import Testing

@testable import ArgusAccount
@testable import ArgusCore

@Suite("HelperStore")
struct HelperStoreTests {
    private let folder: TemporaryFolder
    private let server = ServerID.random()
    private var key: CredentialKey { CredentialKey(server) }

    init() throws {
        folder = try TemporaryFolder()
        // A helper may leave its input unread.
        signal(SIGPIPE, SIG_IGN)
    }

    /// The store of a helper that is this shell script.
    ///
    /// Another program writes the script: a file that any child of ours has open for writing, as
    /// one started by another test at this moment has, cannot be run.
    private func store(
        _ script: String, timeout: Duration = .seconds(20)
    ) async throws -> HelperStore {
        let environment = Environment([
            "PATH": "\(folder.path):/usr/bin:/bin", "HOME": folder.path,
            "ARGUS_TOKEN": "planted", "ARGUS_API_KEY": "planted",
        ])
        let file = folder.file("argus-credential-toy")
        let ending = try await Subprocess.run(
            "/bin/sh",
            ["-ec", "cat > \"$0.new\"; chmod 700 \"$0.new\"; mv \"$0.new\" \"$0\"", file],
            environment: environment, timeout: .seconds(20), outputLimit: 0,
            input: Redacted(Array("#!/bin/sh\n\(script)\n".utf8)))
        try #require(ending.status == 0)
        return HelperStore("toy", environment: environment, timeout: timeout)
    }

    /// A helper that keeps each request in a file and notes how it was called.
    private var keeper: String {
        """
        cd "$HOME"; IFS= read -r request; printf '%s\\n' "$* $request" >> calls; env >> variables
        name() { printf '%s\\n' "$request" | sed 's/.*"server":"\\([^"]*\\)","item":"\\([^"]*\\)".*/\\1.\\2/'; }
        file=$(name)
        case $1 in
        get) [ -e "$file" ] || exit 1; cat "$file" ;;
        store) printf '%s\\n' "$request" > "$file" ;;
        erase) [ -e "$file" ] || exit 1; rm "$file" ;;
        esac
        """
    }

    private func failure(
        _ script: String, timeout: Duration = .seconds(20)
    ) async throws -> String {
        let error = await #expect(throws: AccountError.self) {
            try await store(script, timeout: timeout).read(key)
        }
        return error.map { "\($0)" } ?? ""
    }

    @Test("what was kept is read back, until it is erased")
    func roundTrip() async throws {
        let store = try await store(keeper)
        let credential = Credential.session(
            StoredSession(kind: .web, accessToken: Redacted("a\"\\\u{1}é"), username: "ann"))
        #expect(try await store.credential(of: server) == nil)
        try await store.keep(credential, of: server)
        let password = Redacted(Array(" p:ä ss\\\" ".utf8))
        try await store.write(password, for: CredentialKey(server, .password))
        #expect(try await store.credential(of: server) == credential)
        #expect(try await store.read(CredentialKey(server, .password)) == password)
        try await store.eraseAll(of: server)
        try await store.eraseAll(of: server)
        #expect(try await store.credential(of: server) == nil)
    }

    @Test("a helper gets its request on stdin only, and inherits no secret")
    func calls() async throws {
        let store = try await store(keeper)
        try await store.write(Redacted(Array("kept-secret".utf8)), for: key)
        _ = try await store.read(key)
        let question = #"{"version":1,"server":"\#(server.text)","item":"sign-in""#
        #expect(
            try folder.text("calls")
                == "store \(question),\"secret\":\"kept-secret\"}\nget \(question)}\n")
        let variables = try folder.text("variables")
        #expect(variables.contains("HOME=") && !variables.contains("planted"))
    }

    @Test("status 1 is absent, every other one but 0 is a failure with the helper's words")
    func statuses() async throws {
        #expect(try await store("exit 1").read(key) == nil)
        try await store("exit 1").erase(key)
        for status in [2, 3, 127] {
            let words = try await failure("echo; echo vault sealed >&2; exit \(status)")
            #expect(
                words == "the credential helper 'toy' failed: status \(status): vault sealed")
        }
        #expect(try await failure("kill -9 $$").hasSuffix("ended by a signal"))
        await #expect(throws: AccountError.self) {
            try await store("exit 1").write(Redacted([0x61]), for: key)
        }
        await #expect(throws: AccountError.self) { try await store("exit 2").erase(key) }
    }

    @Test("a helper that a signal ends while it keeps a value is asked once more")
    func endedWhileKeeping() async throws {
        let mortal = "[ -e \"$HOME/once\" ] || { : >\"$HOME/once\"; kill -TERM $$; }\n"
        let store = try await store(mortal + keeper)
        try await store.write(Redacted(Array("t".utf8)), for: key)
        #expect(try await store.read(key) == Redacted(Array("t".utf8)))
        let ended = try await self.store("kill -TERM $$")
        await #expect(throws: AccountError.self) {
            try await ended.write(Redacted(Array("u".utf8)), for: key)
        }
    }

    @Test(
        "a helper runs once more only if its status reports Ctrl-C, kill or a hang-up",
        arguments: [(129, 2), (130, 2), (143, 2), (2, 1), (128, 1), (131, 1), (255, 1)])
    func refusesWithHighStatus(status: Int, calls: Int) async throws {
        let store = try await store("echo >> \"$HOME/calls\"; exit \(status)")
        await #expect(throws: AccountError.self) {
            try await store.write(Redacted(Array("t".utf8)), for: key)
        }
        #expect(try folder.text("calls") == String(repeating: "\n", count: calls))
    }

    @Test("an answer without a secret is a failure, never an absence")
    func nonsense() async throws {
        for answer in ["", "{}", "null", "[1]", #"{"secret":1}"#, #"{"secret":"a"#, "secret"] {
            let words = try await failure("printf '%s' '\(answer)'")
            #expect(words.hasSuffix("its answer is not a JSON object with a 'secret'"), "\(answer)")
        }
        let value = try await store(#"printf '{"more":[{}], "secret":"","x":1}'"#).read(key)
        #expect(value?.reveal() == [])
    }

    @Test("a helper that hangs, floods or is missing fails in time")
    func hangs() async throws {
        #expect(
            try await failure("sleep 60", timeout: .milliseconds(300))
                .hasSuffix("it did not answer within 300 ms"))
        #expect(try await failure("yes").hasSuffix("its answer is longer than a secret can be"))
        let missing = HelperStore("none", environment: Environment(["PATH": folder.path]))
        let error = await #expect(throws: AccountError.self) { try await missing.read(key) }
        #expect(
            error.map { "\($0)" }
                == "the credential helper 'none' failed: there is no program "
                + "'argus-credential-none' beside argus or in PATH")
    }

    @Test("long complaints are cut to the beginning of their first line")
    func longComplaints() async throws {
        let words = try await failure(
            "head -c 100000 /dev/zero | tr '\\0' x >&2; echo; echo more >&2; exit 2")
        #expect(words.utf8.count < 300)
    }

    @Test("only plain names name a helper")
    func names() {
        #expect(CredentialStoreKind("helper:pass") == .helper("pass"))
        for kind in [CredentialStoreKind.file, .secretService, .helper("a-1")] {
            #expect(CredentialStoreKind(kind.text) == kind)
        }
        for text in ["", "File", "keyring", "helper:", "helper:../x", "helper:-x", "helper:A", "x"]
        {
            #expect(CredentialStoreKind(text) == nil, "\(text)")
        }
    }

    @Test("the example for pass stores, replaces, reports absence and erases, with the real pass")
    func pass() async throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../../share").standardized.path()
        let environment = Environment([
            "PATH": "\(root):/usr/bin:/bin", "HOME": folder.path, "GNUPGHOME": folder.file("gpg"),
            "LC_ALL": "C.UTF-8",
        ])
        let ending = try await Subprocess.run(
            "/bin/sh",
            [
                "-ec",
                """
                mkdir -m 700 "$GNUPGHOME"
                gpg --batch --passphrase '' --quick-gen-key argus@test default default never
                pass init argus@test
                """,
            ], environment: environment, timeout: .seconds(60), outputLimit: 1 << 20)
        try #require(ending.status == 0, "\(String(decoding: ending.errors, as: UTF8.self))")

        let store = HelperStore("pass", environment: environment, timeout: .seconds(60))
        #expect(try await store.read(key) == nil)
        for secret in ["one", " two\\n\"ä: %s $HOME "] {
            try await store.write(Redacted(Array(secret.utf8)), for: key)
            #expect(try await store.read(key) == Redacted(Array(secret.utf8)))
        }
        #expect(try await store.read(CredentialKey(server, .password)) == nil)
        try await store.eraseAll(of: server)
        #expect(try await store.read(key) == nil)
        try await store.write(Redacted(Array("three".utf8)), for: key)
        func removeKey() async throws -> Int32? {
            try await Subprocess.run(
                "/bin/sh", ["-c", "gpgconf --kill all; rm -r \"$GNUPGHOME\""],
                environment: environment, timeout: .seconds(60), outputLimit: 1 << 20
            ).status
        }
        #expect(try await removeKey() == 0)
        await #expect(throws: AccountError.self) { try await store.read(key) }
        _ = try await removeKey()
    }
}
