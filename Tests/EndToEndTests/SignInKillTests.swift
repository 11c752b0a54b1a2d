import Testing

@testable import argus_demo

/// A sign-in that is killed at each step of keeping it, one after the other.
@Suite("sign-ins that are killed", .waitsForPrograms)
struct SignInKillTests {
    private let home: TemporaryHome
    private let server: DemoServer
    private let key: String

    init() throws {
        (home, server) = (try TemporaryHome(), try DemoServer("--events", "5"))
        let owner = try TemporaryHome()
        try owner.signIn(to: server)
        key = try owner.argus("keys", "create", "tests").text
        try home.write(DemoServer.password, to: "password")
        try home.write(key, to: "key")
        try ToyHelper.install(ToyHelper.deadly, in: home.path)
    }

    private func run(_ words: [String], killed: (at: Int, when: String)? = nil) throws
        -> ProgramResult
    {
        var variables = [
            "PATH": "\(TemporaryHome.binaries):\(home.file("bin")):/usr/bin:/bin",
            "ARGUS_CREDENTIAL_STORE": "helper:toy",
        ]
        if let killed { variables.merge(ToyHelper.killing(at: killed.at, killed.when)) { $1 } }
        return try home.argus(words, variables: variables)
    }

    private var passwordLogin: [String] {
        ["login", server.url, "--name", "home", "-u", "demo", "--password-file", "password"]
    }

    /// What the vault holds of the server, in the words of `server list`; nil when nothing.
    private func kept() throws -> String? {
        guard let file = try home.files(in: "vault").first(where: { $0.hasSuffix(".sign-in") })
        else { return nil }
        return home.text(of: "vault/\(file)")?.contains("api_key") == true ? "api_key" : "password"
    }

    /// Kills the sign-in at each call of the store; the number of calls, checked by `check`.
    private func killEverywhere(
        _ words: [String], after prepare: () throws -> Void, _ check: (String) throws -> Void
    ) throws -> Int {
        for call in 1..<40 {
            var isOver = true
            for when in ["before", "after"] {
                _ = try home.bash("rm -rf .local vault count")
                try prepare()
                let ran = try run(words, killed: (call, when))
                if ran.status == 0 { continue }
                #expect(ran.ending == .signal(9), "\(ran.complaint)")
                isOver = false
                try check("\(when) call \(call)")
            }
            if isOver { return call - 1 }
        }
        return 40
    }

    @Test("the record of a sign-in that replaces another names the stored one, or none")
    func replaced() throws {
        let first = ["login", server.url, "--name", "home", "--api-key-file", "key"]
        var ends: Set<String> = []
        func prepare() throws { #expect(try run(first).status == 0) }
        func check(_ point: String) throws {
            let reported = try run(["server", "list", "--json"]).json.list.first?["sign_in"]?.string
            let kept = try kept()
            #expect(
                reported == nil || reported == kept,
                "\(point): \(reported ?? "") \(kept ?? "nothing")")
            let whoami = try run(["whoami", "--json"])
            #expect(whoami.status == (reported == nil ? 4 : 0), "\(point): \(whoami.complaint)")
            ends.insert(reported ?? "none")
            // Whatever was left, signing in again mends it.
            #expect(try run(passwordLogin).status == 0)
            #expect(try run(["whoami", "--json"]).json["sign_in"] == "password")
        }
        let calls = try killEverywhere(passwordLogin, after: prepare, check)
        #expect(3..<40 ~= calls, "\(calls)")
        // A kill after the last write leaves the whole sign-in.
        #expect(ends == ["api_key", "none", "password"])
    }

    @Test("a first sign-in leaves no account without secrets, and no secrets without a server")
    func first() throws {
        func check(_ point: String) throws {
            let known = try run(["server", "list", "--json"]).json.list
            let isSignedIn = known.first.map { $0["sign_in"]?.string != nil } ?? false
            let whoami = try run(["whoami"])
            #expect(whoami.status == (isSignedIn ? 0 : 4), "\(point): \(whoami.complaint)")
            #expect(try run(passwordLogin).status == 0)
            #expect(try run(["server", "list", "--json"]).json.list.count == 1, "\(point)")
            let vault = try home.files(in: "vault")
            #expect(vault.count { $0.hasSuffix(".sign-in") } == 1, "\(point): \(vault)")
        }
        let calls = try killEverywhere(passwordLogin, after: {}, check)
        #expect(2..<40 ~= calls, "\(calls)")
    }
}
