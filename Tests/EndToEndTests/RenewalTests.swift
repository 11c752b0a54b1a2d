import ArgusTestSupport
import Glibc
import Testing

@testable import ArgusAccount
@testable import ArgusCore

private func number(_ name: String, _ ordinary: Int) -> Int {
    getenv(name).flatMap { Int(String(cString: $0)) } ?? ordinary
}

private let rounds = number("ARGUS_RENEWAL_ROUNDS", 2)
private let processes = number("ARGUS_RENEWAL_PROCESSES", 24)
/// For the three rules of servers together.
private let killRounds = number("ARGUS_KILL_ROUNDS", 6)
private let killRoundsEach = (killRounds + 2) / 3
private let killProcesses = number("ARGUS_KILL_PROCESSES", 8)
/// For the three rules of servers together.
private let signalRounds = number("ARGUS_SIGNAL_ROUNDS", 9)
private let signalRoundsEach = (signalRounds + 2) / 3
private let signalProcesses = number("ARGUS_SIGNAL_PROCESSES", 2)
private let strangerRounds = number("ARGUS_STRANGER_ROUNDS", 12)

/// Many processes and one sign-in whose token has just ended, with the built `argus`.
///
/// `make soak` makes the rounds more and larger, and has them tell what happened.
@Suite("Renewal by many processes", .serialized, .waitsForPrograms)
struct RenewalTests {
    /// How a server treats the refresh token that was used.
    enum Rule: CaseIterable {
        case rotation, reuseDetection, grace

        var settings: [String] {
            switch self {
            case .rotation: []
            case .reuseDetection: ["--reuse-detection", "on"]
            case .grace: ["--database", "postgres"]
            }
        }
    }

    @Test(
        "a token that has just ended is renewed once, and every process succeeds",
        arguments: Rule.allCases)
    func once(rule: Rule) async throws {
        let fixture = try RenewalFixture(rule.settings)
        if rule == .grace { try await fixture.pairWithEndedToken() }
        var successes = 0
        for round in 1...rounds {
            try await fixture.endToken()
            let succeeded = try fixture.runAtOnce(processes)
            successes += succeeded
            #expect(succeeded == processes, "round \(round): \(fixture.output())")
            #expect(try fixture.renewals() == round)
        }
        tell(
            "\(rule): \(rounds) rounds of \(processes) processes, "
                + "\(try fixture.renewals()) renewals, \(successes) successes")
    }

    /// What became of the rounds.
    private struct Tally {
        var killed = 0
        var renewed = 0
        var undecided = 0
        var lost = 0
    }

    @Test(
        "whenever processes are killed the store is readable, and alive if the server permits it",
        arguments: Rule.allCases)
    func killed(rule: Rule) async throws {
        let fixture = try RenewalFixture(rule.settings)
        let whole = try fixture.milliseconds(ofRuns: killProcesses)
        var tally = Tally()
        for round in 1...killRoundsEach {
            if rule == .grace {
                try await fixture.pairWithEndedToken()
            } else {
                try await fixture.endToken()
            }
            let ended = try #require(try await fixture.kept())
            let before = try fixture.renewals()
            tally.killed += try fixture.killAtRandom(killProcesses, within: span(of: whole))
            // What cannot be read throws; none is kept where a process was told that it has ended.
            let kept = try await fixture.kept() ?? ended
            let isAsked = try fixture.renewals() > before
            if fixture.canContinue(kept) {
                tally.renewed += isAsked ? 1 : 0
                tally.undecided += isAsked ? 0 : 1
                #expect(try fixture.runAtOnce(1) == 1, "round \(round): \(fixture.output())")
            } else {
                // The server gave the new tokens to a process that was killed before it had them.
                tally.lost += 1
                #expect(try fixture.start(["events", "list"]).wait() == 4)
                // The server notes a renewal when it is answered; that of this run is the last.
                #expect(try fixture.renewals() > before + 1)
                try fixture.signIn()
            }
        }
        tell(
            "\(rule): \(killProcesses) processes killed within up to \(whole) ms in each of "
                + "\(killRoundsEach) rounds, \(tally.killed) of them in time; "
                + "\(tally.undecided) rounds before a renewal, \(tally.renewed) after it, "
                + "\(tally.lost) in which the tokens were lost on the way"
        )
    }

    @Test(
        "no signal costs a sign-in, whenever it comes",
        arguments: Rule.allCases)
    func signalled(rule: Rule) async throws {
        let fixture = try RenewalFixture(rule.settings)
        try fixture.fail("route=*/refresh,delay=40ms")
        try await fixture.endToken()
        let whole = try fixture.milliseconds(ofRuns: signalProcesses)
        var (tally, inTime) = (Tally(), 0)
        for round in 1...signalRoundsEach {
            if rule == .grace {
                try await fixture.pairWithEndedToken()
            } else {
                try await fixture.endToken()
            }
            let ended = try #require(try await fixture.kept())
            let before = try fixture.renewals()
            let died = try fixture.killAtRandom(
                signalProcesses, within: whole, by: [SIGINT, SIGTERM, SIGHUP, SIGQUIT])
            tally.killed += died
            let isAsked = try fixture.renewals() > before
            tally.renewed += isAsked ? 1 : 0
            inTime += isAsked && died > 0 ? 1 : 0
            let kept = try #require(try await fixture.kept(), "round \(round): \(fixture.output())")
            // Where a server gives some grace, the old token alone would show no loss yet.
            let isKept =
                fixture.canContinue(kept) && (!isAsked || kept.accessToken != ended.accessToken)
            if !isKept { tally.lost += 1 }
            #expect(isKept, "round \(round): \(fixture.output())")
            #expect(try fixture.runAtOnce(1) == 1, "round \(round): \(fixture.output())")
        }
        tell(
            "\(rule): \(signalRoundsEach) rounds of signals at \(signalProcesses) processes within "
                + "\(whole) ms, \(tally.killed) of them died of it; the server renewed in "
                + "\(tally.renewed) rounds, in \(inTime) of them for one that was signalled; "
                + "\(tally.lost) sign-ins lost")
    }

    /// A 401 of something that stands in front of the server, or of one that lies.
    private static let strangers = [
        "content-type=text/html,body=<html><h1>401 Authorization Required</h1></html>", "body=",
        "content-type=text/plain,body=Unauthorized", #"body={"error":"login required"}"#,
        #"body={"message":"Token has expired"}"#, "body=[]", #"body={"detail":"Sign in first"}"#,
        #"body={"detail":"Invalid token"}"#, #"body={"detail":"Not authenticated"}"#,
        #"header=WWW-Authenticate: Basic realm=x,body={"detail":null}"#,
    ]

    @Test("no stranger's 401 costs a sign-in")
    func strangers() async throws {
        let fixture = try RenewalFixture([])
        var statuses: [Int32: Int] = [:]
        for round in 0..<strangerRounds {
            let words = Self.strangers[round % Self.strangers.count]
            let place = ["/api/v1", "/api/v1/events", "*/refresh"].randomElement() ?? "*"
            if Bool.random() { try await fixture.endToken() }
            try fixture.fail("route=\(place),status=401,\(words)")
            let status = try fixture.start(["events", "list", "-n", "1"]).wait()
            statuses[status, default: 0] += 1
            #expect([0, 4, 7].contains(status), "\(place) \(words): \(fixture.output())")
            try fixture.fail()
            let kept = try #require(try await fixture.kept(), "\(place) \(words)")
            #expect(fixture.canContinue(kept), "\(place) \(words)")
            #expect(try fixture.runAtOnce(1) == 1, "\(place) \(words): \(fixture.output())")
        }
        let reported = statuses.sorted { $0.key < $1.key }.map { "\($0.value) of status \($0.key)" }
        tell(
            "\(strangerRounds) rounds of strangers that answer 401: "
                + "\(reported.joined(separator: ", ")); 0 sign-ins lost")
    }

    @Test("a process that is stopped while it renews does not block others whose token still lives")
    func stopped() async throws {
        let fixture = try RenewalFixture([])
        try fixture.fail("route=*/refresh,delay=1s")
        try await fixture.endToken(in: 30)
        let child = try fixture.start(["token"], isHeld: true)
        kill(child.id, SIGCONT)
        while try fixture.renewals() == 0 { poll(nil, 0, 5) }
        kill(child.id, SIGSTOP)
        #expect(try fixture.runAtOnce(1) == 1, "\(fixture.output())")
        kill(child.id, SIGCONT)
        #expect(child.wait() == 0, "\(fixture.output())")
        #expect(try fixture.renewals() == 1)
        #expect(fixture.canContinue(try #require(try await fixture.kept())))
    }

    @Test(
        "renewed tokens are stored although no file can be opened any more",
        arguments: [StoredSession.Kind.web, .mobile])
    func withoutDescriptors(kind: StoredSession.Kind) async throws {
        let fixture = try RenewalFixture(Rule.grace.settings)
        try fixture.fail("route=*/refresh,delay=1s")
        if kind == .mobile {
            try await fixture.pairWithEndedToken()
        } else {
            try await fixture.endToken()
        }
        let ended = try #require(try await fixture.kept())
        let child = try fixture.start(["token"], isHeld: true)
        kill(child.id, SIGCONT)
        while try fixture.renewals() == 0 { poll(nil, 0, 5) }
        let open = Set(FolderNames.all(in: "/proc/\(child.id)/fd"))
        let free = try #require((0...open.count).first { !open.contains("\($0)") })
        let limiting = try ChildProcess(
            ["prlimit", "--pid", "\(child.id)", "--nofile=\(free)"], output: "/dev/null")
        #expect(limiting.wait() == 0)
        #expect(child.wait() == 0, "\(fixture.output())")
        #expect(try fixture.renewals() == 1)
        let kept = try #require(try await fixture.kept())
        #expect(kept.accessToken != ended.accessToken && kept.refreshToken != ended.refreshToken)
        #expect(!fixture.output().contains("warning"), "\(fixture.output())")
        #expect(try fixture.runAtOnce(1) == 1, "\(fixture.output())")
    }

    @Test("a sign-out that meets a renewal ends the session that the renewal leaves")
    func signedOut() async throws {
        let fixture = try RenewalFixture([])
        try fixture.fail("route=*/refresh,delay=1s")
        try await fixture.endToken()
        let child = try fixture.start(["token"])
        while try fixture.renewals() == 0 { poll(nil, 0, 5) }
        #expect(try fixture.start(["logout"]).wait() == 0, "\(fixture.output())")
        #expect(child.wait() == 0, "\(fixture.output())")
        #expect(fixture.sessions == 0)
    }

    /// Some part of the time that all need, short ones as likely as long ones: the renewal comes
    /// early, and is short.
    private func span(of whole: Int) -> Int {
        Int(exp(Double.random(in: log(8)...log(Double(max(whole, 9))))))
    }

    /// Tells what happened, where somebody asked for many rounds.
    private func tell(_ sentence: String) {
        let variables = ["ARGUS_KILL_ROUNDS", "ARGUS_SIGNAL_ROUNDS", "ARGUS_STRANGER_ROUNDS"]
        if variables.contains(where: { getenv($0) != nil }) { print("soak: " + sentence) }
    }
}
