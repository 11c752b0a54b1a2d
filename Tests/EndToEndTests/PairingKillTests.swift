import Testing

@testable import argus_demo

/// A pairing that is killed at each of its steps, one after the other, and then gone on with.
@Suite("pairings that are killed", .waitsForPrograms)
struct PairingKillTests {
    private let device: TemporaryHome
    private let owner: TemporaryHome
    private let server: DemoServer

    init() throws {
        (device, owner) = (try TemporaryHome(), try TemporaryHome())
        server = try DemoServer("--events", "5")
        try owner.signIn(to: server)
        try ToyHelper.install(ToyHelper.deadly, in: device.path)
    }

    private func run(_ words: String..., killed: (at: Int, when: String)? = nil) throws
        -> ProgramResult
    {
        var variables = [
            "PATH": "\(TemporaryHome.binaries):\(device.file("bin")):/usr/bin:/bin",
            "ARGUS_CREDENTIAL_STORE": "helper:toy",
        ]
        if let killed {
            variables.merge(ToyHelper.killing(at: killed.at, killed.when)) { $1 }
        }
        return try device.argus(words, variables: variables)
    }

    private var exchanges: Int { server.count("/api/v1/mobile/auth/exchange") }

    /// How a pairing ended that was killed.
    private enum End: Equatable { case untouched, paired, lost }

    /// Has a confirmed pairing killed at a call of its store, and goes on with it.
    private func kill(at call: Int, _ when: String) throws -> End {
        let code = try #require(try run("pair", server.url, "--no-wait").lines.first)
        #expect(try owner.argus("pair", "confirm", code, "-y").status == 0)
        _ = try device.bash("rm -f count")
        let before = exchanges
        let killed = try run("pair", "resume", killed: (call, when))
        if killed.status == 0 {
            #expect(try run("logout").status == 0)
            return .untouched
        }
        #expect(killed.ending == .signal(9), "\(killed.complaint)")
        let resumed = try run("pair", "resume")
        #expect(exchanges == before + 1)
        guard resumed.status == 0 || resumed.status == 3 else {
            // The code was given for tokens that nobody has; that is told as what it looks like.
            #expect(resumed.status == 10, "\(resumed.complaint)")
            return .lost
        }
        let whoami = try run("whoami", "--json")
        #expect(whoami.json["sign_in"] == "pairing", "\(resumed.complaint) \(whoami.complaint)")
        #expect(try run("logout").status == 0)
        return .paired
    }

    @Test("only a process killed between the server's answer and the first write loses the tokens")
    func everyStep() throws {
        var ends: [String] = []
        var call = 1
        while call < 40 {
            let pair = try (kill(at: call, "before"), kill(at: call, "after"))
            if pair == (.untouched, .untouched) { break }
            if pair.0 == .lost { ends.append("before \(call)") }
            if pair.1 == .lost { ends.append("after \(call)") }
            call += 1
        }
        // Every step was killed at, and the pairing has more than a few of them.
        #expect(5..<40 ~= call, "\(call)")
        // One point of all: the write that comes straight after the answer, before it is done.
        #expect(ends.count == 1 && ends.first?.hasPrefix("before") == true, "\(ends)")
    }

    @Test("a code of the dashboard is put aside too, and a pairing killed then is gone on with")
    func dashboardCode() throws {
        var lost: [Int] = []
        for call in 1..<40 {
            let server = try DemoServer("--events", "5", api: "documented")
            _ = try device.bash("rm -rf count .local")
            let killed = try run(
                "pair", server.url, "--code=\(server.pairingCode)", killed: (call, "before"))
            if killed.status == 0 { break }
            #expect(killed.ending == .signal(9), "\(killed.complaint)")
            let isExchanged = server.count("/api/v1/devices/pair") > 0
            let resumed = try run("pair", "resume")
            if resumed.status == 0 {
                #expect(try run("whoami").status == 0)
            } else {
                #expect(resumed.status == 3, "\(resumed.complaint)")
                if isExchanged, try run("whoami").status != 0 { lost.append(call) }
            }
        }
        #expect(lost.count == 1, "\(lost)")
    }
}
