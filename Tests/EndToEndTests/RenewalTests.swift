import ArgusKit
import ArgusTestSupport
import Glibc
import Testing

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
        let house = try RenewalHouse(rule.settings)
        if rule == .grace { try await house.pairWithEndedToken() }
        var successes = 0
        for round in 1...rounds {
            try await house.endToken()
            let succeeded = try house.runAtOnce(processes)
            successes += succeeded
            #expect(succeeded == processes, "round \(round): \(house.output())")
            #expect(try house.renewals() == round)
        }
        tell(
            "\(rule): \(rounds) rounds of \(processes) processes, "
                + "\(try house.renewals()) renewals, \(successes) successes")
    }

    /// What became of the rounds.
    private struct Tally {
        var killed = 0
        var renewed = 0
        var undecided = 0
        var lost = 0
    }

    @Test(
        "whenever processes are killed the store is readable, and alive if the server left a way",
        arguments: Rule.allCases)
    func killed(rule: Rule) async throws {
        let house = try RenewalHouse(rule.settings)
        let whole = try house.milliseconds(ofRuns: killProcesses)
        var tally = Tally()
        for round in 1...killRoundsEach {
            if rule == .grace {
                try await house.pairWithEndedToken()
            } else {
                try await house.endToken()
            }
            let ended = try #require(try await house.kept())
            let before = try house.renewals()
            tally.killed += try house.killAtRandom(killProcesses, within: span(of: whole))
            // What cannot be read throws; none is kept where a process was told that it has ended.
            let kept = try await house.kept() ?? ended
            let isAsked = try house.renewals() > before
            if house.hasWayOn(kept) {
                tally.renewed += isAsked ? 1 : 0
                tally.undecided += isAsked ? 0 : 1
                #expect(try house.runAtOnce(1) == 1, "round \(round): \(house.output())")
            } else {
                // The server gave the new tokens to a process that was killed before it had them.
                tally.lost += 1
                #expect(isAsked)
                #expect(try house.start(["events", "list"]).wait() == 4)
                try house.signIn()
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
        let house = try RenewalHouse(rule.settings)
        try house.fail("route=*/refresh,delay=40ms")
        try await house.endToken()
        let whole = try house.milliseconds(ofRuns: signalProcesses)
        var (tally, inTime) = (Tally(), 0)
        for round in 1...signalRoundsEach {
            if rule == .grace {
                try await house.pairWithEndedToken()
            } else {
                try await house.endToken()
            }
            let ended = try #require(try await house.kept())
            let before = try house.renewals()
            let died = try house.killAtRandom(
                signalProcesses, within: whole, by: [SIGINT, SIGTERM, SIGHUP, SIGQUIT])
            tally.killed += died
            let isAsked = try house.renewals() > before
            tally.renewed += isAsked ? 1 : 0
            inTime += isAsked && died > 0 ? 1 : 0
            let kept = try #require(try await house.kept(), "round \(round): \(house.output())")
            // Where a server gives some grace, the old token alone would show no loss yet.
            let isKept =
                house.hasWayOn(kept) && (!isAsked || kept.accessToken != ended.accessToken)
            if !isKept { tally.lost += 1 }
            #expect(isKept, "round \(round): \(house.output())")
            #expect(try house.runAtOnce(1) == 1, "round \(round): \(house.output())")
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
        let house = try RenewalHouse([])
        var statuses: [Int32: Int] = [:]
        for round in 0..<strangerRounds {
            let words = Self.strangers[round % Self.strangers.count]
            let place = ["/api/v1", "/api/v1/events", "*/refresh"].randomElement() ?? "*"
            if Bool.random() { try await house.endToken() }
            try house.fail("route=\(place),status=401,\(words)")
            let status = try house.start(["events", "list", "-n", "1"]).wait()
            statuses[status, default: 0] += 1
            #expect([0, 4, 7].contains(status), "\(place) \(words): \(house.output())")
            try house.fail()
            let kept = try #require(try await house.kept(), "\(place) \(words)")
            #expect(house.hasWayOn(kept), "\(place) \(words)")
            #expect(try house.runAtOnce(1) == 1, "\(place) \(words): \(house.output())")
        }
        let told = statuses.sorted { $0.key < $1.key }.map { "\($0.value) of status \($0.key)" }
        tell(
            "\(strangerRounds) rounds of strangers that answer 401: "
                + "\(told.joined(separator: ", ")); 0 sign-ins lost")
    }

    @Test("a process that is stopped while it renews holds nobody up whose token still lives")
    func stopped() async throws {
        let house = try RenewalHouse([])
        try house.fail("route=*/refresh,delay=1s")
        try await house.endToken(in: 30)
        let child = try house.start(["token"], isHeld: true)
        kill(child.id, SIGCONT)
        while try house.renewals() == 0 { poll(nil, 0, 5) }
        kill(child.id, SIGSTOP)
        #expect(try house.runAtOnce(1) == 1, "\(house.output())")
        kill(child.id, SIGCONT)
        #expect(child.wait() == 0, "\(house.output())")
        #expect(try house.renewals() == 1)
        #expect(house.hasWayOn(try #require(try await house.kept())))
    }

    @Test("a sign-out that meets a renewal ends the session that the renewal leaves")
    func signedOut() async throws {
        let house = try RenewalHouse([])
        try house.fail("route=*/refresh,delay=1s")
        try await house.endToken()
        let child = try house.start(["token"])
        while try house.renewals() == 0 { poll(nil, 0, 5) }
        #expect(try house.start(["logout"]).wait() == 0, "\(house.output())")
        #expect(child.wait() == 0, "\(house.output())")
        #expect(house.sessions == 0)
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
