import Glibc
import Testing

@testable import argus_demo

/// Where sign-ins are kept, chosen, moved and lost.
@Suite("places of secrets", .waitsForPrograms)
struct StoreTests {
    private let home: TemporaryHome
    private let server: DemoServer

    init() throws {
        (home, server) = (try TemporaryHome(), try DemoServer())
        try home.write(DemoServer.password, to: "password")
        try ToyHelper.install(in: home.path)
    }

    private func install(_ helper: String, _ script: String) throws {
        try ToyHelper.install(script, as: helper, in: home.path)
    }

    private var path: [String: String] {
        ["PATH": "\(TemporaryHome.binaries):\(home.file("bin")):/usr/bin:/bin"]
    }

    private func argus(_ words: String..., store: String = "") throws -> ProgramResult {
        try home.argus(
            words, variables: path.merging(["ARGUS_CREDENTIAL_STORE": store]) { $1 })
    }

    @discardableResult
    private func login(store: String, _ more: String...) throws -> ProgramResult {
        let words = ["login", server.url, "-u", "demo", "--password-file", "password"] + more
        return try home.argus(
            words, variables: path.merging(["ARGUS_CREDENTIAL_STORE": store]) { $1 })
    }

    private func place() throws -> String? {
        try argus("whoami", "--json").json["credentials"]?.string
    }

    @Test("the place of a sign-in is chosen once and remembered, whatever is chosen later")
    func remembered() throws {
        #expect(try login(store: "helper:toy").status == 0)
        #expect(try place() == "credential helper 'toy'")
        #expect(try argus("whoami", store: "file").status == 0)
        #expect(try home.files(in: "vault").count == 1)
        #expect(try !home.files().contains { $0.hasSuffix(".sealed") })
        // No choice leaves it where it is, another choice moves it.
        #expect(try login(store: "").status == 0)
        #expect(try place() == "credential helper 'toy'")
        try home.write("credential_store = \"file\"\n", to: ".config/argus/config.toml")
        #expect(try login(store: "").status == 0)
        #expect(try place() == "sealed file")
        #expect(try home.files(in: "vault") == [])
    }

    @Test("a move takes all secrets along, and leaves none behind")
    func move() throws {
        try login(store: "", "--remember")
        let token = try argus("token").text
        for (store, count) in [("helper:toy", 2), ("helper:toy", 2), ("file", 0)] {
            let ran = try argus("server", "set", "127.0.0.1", "--store", store, "--json")
            #expect(ran.status == 0, "\(ran.complaint)")
            #expect(try argus("token").text == token)
            #expect(try home.files(in: "vault").count == count)
            #expect(try home.files().count { $0.hasSuffix(".sealed") } == 2 - count)
        }
        #expect(try argus("server", "set", "127.0.0.1", "--store", "keyring").status == 2)
        #expect(try argus("whoami", store: "nowhere").status == 0)
        #expect(try login(store: "nowhere").status == 2)
    }

    @Test("a move to a place that fails, lies or forgets leaves everything where it was")
    func failedMove() throws {
        try login(store: "")
        let before = try home.files(in: ".local/state/argus/credentials")
        try install("broken", "cat >/dev/null; echo 'vault is \u{1B}[31msealed' >&2; exit 2")
        try install("liar", "cat >/dev/null; [ $1 != get ] || echo '{\"secret\":\"other\"}'")
        try install("sieve", "cat >/dev/null; [ $1 != get ] || exit 1")
        for (helper, words) in [
            ("broken", "status 2: vault is \\x1b[31msealed"),
            ("liar", "it returned another value than it was given"),
            ("sieve", "it returned another value than it was given"),
            ("none", "there is no program"),
        ] {
            let ran = try argus("server", "set", "127.0.0.1", "--store", "helper:\(helper)")
            #expect(ran.status == 1)
            #expect(ran.complaint.contains(words), "\(ran.complaint)")
            #expect(try place() == "sealed file")
        }
        #expect(try home.files(in: ".local/state/argus/credentials") == before)
    }

    @Test("where the chosen place fails or is none, no sign-in is begun")
    func unusableChoice() throws {
        for (store, status) in [("nowhere", 2), ("helper:none", 1), ("secret-service", 1)] {
            let ran = try login(store: store)
            #expect(ran.status == Int32(status), "\(ran.complaint)")
        }
        #expect(server.requests.isEmpty)
        #expect(try argus("server", "list", "--json").text == "[]\n")
    }

    @Test("a place that fails is named, and a new sign-in elsewhere gets out of it")
    func failing() throws {
        try login(store: "helper:toy")
        try install("toy", "echo out of order >&2; exit 2")
        for words in [["whoami"], ["events", "list"], ["token"]] {
            let ran = try home.argus(words + ["--json"], variables: path)
            #expect(ran.status == 1, "\(words)")
            #expect(ran.complaint.contains(#""reason":"credential_store_failed""#))
            #expect(ran.complaint.contains("'toy' failed: status 2: out of order"))
        }
        #expect(try home.argus("whoami").complaint.contains("there is no program"))
        #expect(try login(store: "").status == 1)
        let ran = try login(store: "file")
        #expect(ran.status == 0)
        #expect(ran.complaint.contains("the old store still has the"))
        #expect(try place() == "sealed file")
        #expect(try argus("server", "remove", "127.0.0.1").status == 0)
    }

    @Test(
        "a store that cannot keep renewed tokens is reported, and the old refresh token stays good")
    func cannotStore() throws {
        let server = try DemoServer(faults: ["route=/api/v1/events,status=401,times=2"])
        let words = ["login", server.url, "-u", "demo", "--password-file", "password"]
        let choice = ["ARGUS_CREDENTIAL_STORE": "helper:toy"]
        #expect(try home.argus(words, variables: path.merging(choice) { $1 }).status == 0)
        let broken = ToyHelper.script.replacing("store) ", with: "store) exit 4;; ignored) ")
        try install("toy", broken)
        let ran = try argus("events", "list", "--json")
        #expect(ran.status == 1)
        #expect(ran.error?["reason"] == "credential_store_failed")
        #expect(!ran.complaint.contains("sign in"), "\(ran.complaint)")
        let reported = "the credential helper 'toy' failed: status 4"
        #expect(ran.complaint.split(separator: reported).count == 2, "\(ran.complaint)")
        #expect(server.count("/api/v1/auth/refresh") == 0)
        try ToyHelper.install(in: home.path)
        // Today's server makes the same token twice in one second.
        _ = try home.bash("sleep 1.1")
        let later = try argus("events", "list")
        #expect(later.status == 0, "\(later.complaint)")
        #expect(server.count("/api/v1/auth/refresh") == 1)
    }

    @Test("a failing store does not prevent signing out, or removing a server")
    func signingOutOfFailing() throws {
        try login(store: "helper:toy")
        try install("toy", "echo out of order >&2; exit 2")
        let ran = try argus("logout", "--json")
        #expect(ran.status == 1)
        #expect(ran.error?["reason"] == "credential_store_failed")
        #expect(ran.complaint.contains("its secrets are still in the credential helper 'toy'"))
        #expect(ran.complaint.contains("status 2: out of order"))
        // What is still there is used no more, and goes when the place works again.
        try ToyHelper.install(in: home.path)
        #expect(try home.files(in: "vault").count == 1)
        #expect(try argus("whoami").status == 4)
        #expect(try argus("logout").status == 0)
        #expect(try home.files(in: "vault") == [])
        try login(store: "helper:toy")
        try install("toy", "echo out of order >&2; exit 2")
        #expect(try argus("server", "remove", "127.0.0.1").status == 1)
        #expect(try argus("server", "list", "--json").text == "[]\n")
    }

    @Test("a sign-in that moves takes the relay's header fields along")
    func relayHeaders() throws {
        try login(store: "", "--name", "home")
        let set = try home.argus(
            "server", "set", "home", "--relay", "https://relay.example", "--relay-header-stdin",
            "--no-check",
            variables: path, input: .text("CF-Access-Client-Id: planted\n"))
        #expect(set.status == 0, "\(set.complaint)")
        #expect(try login(store: "helper:toy", "--name", "home").status == 0)
        let vault = try home.files(in: "vault")
        #expect(vault.contains { $0.hasSuffix(".relay-headers") }, "\(vault)")
        #expect(try !home.files().contains { $0.hasSuffix(".sealed") })
        // Its relay is still sent them: without, that would be a failure of its own.
        let relay = try argus("events", "list", "--via", "relay", "--retries", "0")
        #expect(relay.status == 6, "\(relay.complaint)")
    }

    @Test("what a new place refuses stays in the old one, and the rest is taken along")
    func refusedItem() throws {
        try login(store: "", "--name", "home")
        try home.write("planted-push-" + String(repeating: "a1", count: 20), to: "push-token")
        let push = [
            "push", "register", "--push-token", "@push-token", "--platform", "android",
            "--device-id", "11111111-2222-4333-8444-555555555555", "--yes",
        ]
        let registered = try home.argus(push, variables: path)
        #expect(registered.status == 0, "\(registered.complaint)")
        let set = try home.argus(
            "server", "set", "home", "--relay", "https://relay.example", "--relay-header-stdin",
            "--no-check",
            variables: path, input: .text("CF-Access-Client-Id: planted\n"))
        #expect(set.status == 0, "\(set.complaint)")
        let refusal = "case $1,$file in store,*.relay-headers) echo no >&2; exit 2 ;; esac\n"
        try install(
            "picky", ToyHelper.script.replacing("case $1 in", with: refusal + "case $1 in"))
        let ran = try login(store: "helper:picky", "--name", "home")
        #expect(ran.status == 0)
        #expect(
            ran.complaint.contains(
                "any header fields for the relay of 'home' were not moved and stay in the "
                    + "sealed file: "), "\(ran.complaint)")
        #expect(!ran.complaint.contains("push registrations"))
        #expect(try home.files(in: "vault").contains { $0.hasSuffix(".push") })
        func sealed() throws -> [String] {
            try home.files(in: ".local/state/argus/credentials").filter {
                $0.hasSuffix(".sealed")
            }
        }
        #expect(try sealed().map { $0.hasSuffix(".relay-headers.sealed") } == [true])
        // Signing in there again finds them.
        #expect(try login(store: "file", "--name", "home").status == 0)
        #expect(try sealed().contains { $0.hasSuffix(".relay-headers.sealed") })
    }

    @Test("a helper hears a secret on its input only")
    func secrets() throws {
        try login(store: "helper:toy", "--remember")
        let token = String(try argus("token").text.dropLast())
        let planted = path.merging(["ARGUS_TOKEN": "planted", "ARGUS_API_KEY": "planted"]) { $1 }
        #expect(try home.argus("logout", variables: planted).status == 0)
        #expect(try home.files(in: "vault") == [])
        let words = Set((home.text(of: "words") ?? "").split(separator: "\n"))
        #expect(words == ["get", "store", "erase"])
        for secret in [token, DemoServer.password, "planted"] {
            #expect(home.text(of: "variables")?.contains(secret) == false)
        }
    }

    @Test("processes that keep their sign-in by a helper renew it once, and all succeed")
    func renewal() async throws {
        let fixture = try RenewalFixture([])
        try await fixture.endToken()
        try fixture.moveToHelper()
        #expect(try fixture.runAtOnce(8) == 8, "\(fixture.output())")
        #expect(try fixture.renewals() == 1)
        #expect(try await fixture.kept() == nil)
    }

    @Test("a copied home folder holds no sign-in; signing in there works")
    func copiedHome() throws {
        try login(store: "")
        try home.write("0123456789abcdef0123456789abcdef\n", to: "id", mode: 0o644)
        try home.write("uninitialized\n", to: "no-id", mode: 0o644)
        func elsewhere(_ id: String, _ command: String) throws -> ProgramResult {
            let root = geteuid() == 0 ? "" : "sudo "
            return try home.bash(
                "\(root)unshare -m bash -c 'mount --bind \(id) /etc/machine-id && \(command)'")
        }
        let copied = try elsewhere("id", "argus whoami --json")
        #expect(copied.status == 4, "\(copied.complaint)")
        #expect(copied.complaint.contains("was sealed on another machine"))
        #expect(try elsewhere("no-id", "argus whoami").status == 4)
        #expect(try argus("whoami").status == 0)
        let login = "argus login \(server.url) -u demo --password-file password -v"
        let there = try elsewhere("id", login + " && argus whoami")
        #expect(there.status == 0, "\(there.complaint)")
        #expect(!there.complaint.contains("/etc/machine-id"))
        #expect(try argus("whoami").status == 4)
        let unbound = try elsewhere("no-id", login)
        #expect(unbound.complaint.contains("no id in /etc/machine-id"), "\(unbound.complaint)")
        #expect(try argus("whoami").status == 0)
    }

    @Test("another machine is another device for the server")
    func otherDevice() throws {
        try home.write("0123456789abcdef0123456789abcdef\n", to: "id", mode: 0o644)
        let root = geteuid() == 0 ? "" : "sudo "
        let login = "argus login \(server.url) -u demo --password-file password --trace -"
        let here = try home.bash(login)
        let there = try home.bash(
            "\(root)unshare -m bash -c 'mount --bind id /etc/machine-id && \(login)'")
        let ids = [here, there].map { ran in
            Set(ran.complaint.matches(of: /x-device-id: ([0-9a-f-]{36})/.ignoresCase()).map(\.1))
        }
        #expect(ids.map(\.count) == [1, 1], "\(here.complaint)")
        #expect(ids[0] != ids[1])
    }
}
