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
/// A loaded machine starts about ten processes a second.
private let patience = 5 + (rounds * processes + killRounds * (killProcesses + 1)) / 600

/// Many processes and one sign-in whose token has just ended, with the built `argus`.
///
/// `make soak` makes the rounds more and larger, and has them tell what happened.
@Suite("Renewal by many processes", .serialized)
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
        .timeLimit(.minutes(patience)), arguments: Rule.allCases)
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
        .timeLimit(.minutes(patience)), arguments: Rule.allCases)
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

    /// Some part of the time that all need, short ones as likely as long ones: the renewal comes
    /// early, and is short.
    private func span(of whole: Int) -> Int {
        Int(exp(Double.random(in: log(8)...log(Double(max(whole, 9))))))
    }

    /// Tells what happened, where somebody asked for many rounds.
    private func tell(_ sentence: String) {
        if getenv("ARGUS_KILL_ROUNDS") != nil { print("soak: " + sentence) }
    }
}
