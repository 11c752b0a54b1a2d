import ArgusKit
import ArgusTestSupport
import Glibc
import Testing

/// Many processes and one sign-in whose token has just ended, with the built `argus`.
///
/// `ARGUS_RENEWAL_ROUNDS` and `ARGUS_RENEWAL_PROCESSES` make the rounds more and larger.
@Suite("Renewal by many processes", .serialized)
struct RenewalTests {
    private static func number(_ name: String, _ ordinary: Int) -> Int {
        getenv(name).flatMap { Int(String(cString: $0)) } ?? ordinary
    }

    private let rounds = number("ARGUS_RENEWAL_ROUNDS", 2)
    private let processes = number("ARGUS_RENEWAL_PROCESSES", 24)

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
        .timeLimit(.minutes(5)), arguments: Rule.allCases)
    func once(rule: Rule) async throws {
        let house = try RenewalHouse(rule.settings)
        if rule == .grace { try await house.pairWithEndedToken() }
        for round in 1...rounds {
            try await house.endToken()
            let succeeded = try house.runAtOnce(processes)
            #expect(succeeded == processes, "\(house.output())")
            #expect(try house.renewals() == round)
        }
    }

    @Test(
        "whenever processes are killed, the store is readable and the sign-in alive",
        .timeLimit(.minutes(15)))
    func killed() async throws {
        let house = try RenewalHouse(Rule.grace.settings)
        for _ in 1...(rounds * 2) {
            try await house.pairWithEndedToken()
            let children = try (0..<6).map { _ in
                let milliseconds = 1000 + Int.random(in: 5...120)
                let limit = "0.\(String(milliseconds).dropFirst())"
                return try house.start(["events", "list", "-n", "1"], killedAfter: limit)
            }
            for child in children { child.wait() }
            #expect(try await house.kept() != nil)
            #expect(try house.runAtOnce(1) == 1, "\(house.output())")
        }
    }
}
