import ArgusTestSupport
import Glibc
import Testing

@testable import argus_demo

/// Long lists that are read while events are made and taken away in their middle.
///
/// `ARGUS_CHURN_EVENTS` says how many events there are; 20,000 take some twenty seconds.
@Suite(.waitsForPrograms)
struct EventChurnTests {
    private static let count =
        getenv("ARGUS_CHURN_EVENTS").flatMap { Int(String(cString: $0)) } ?? 3000

    /// The ids of the events that exist from the beginning to the end: those of a house with the
    /// same seed in which nothing changes.
    private func steadyIDs() throws -> Set<String> {
        let home = try TemporaryHome()
        try home.signIn(to: try DemoServer("--events", "\(Self.count)"))
        let ran = try home.argus(
            "events", "list", "--all", "--format", "csv", "--fields", "id", "--no-header")
        #expect(ran.lines.count == Self.count)
        return Set(ran.lines)
    }

    @Test("no event comes twice and none is missing while 50 a second come and go")
    func churn() throws {
        let steady = try steadyIDs()
        let home = try TemporaryHome()
        try home.signIn(
            to: try DemoServer(
                "--events", "\(Self.count)", "--rate", "600", "--churn", "50",
                // On a loopback too little would happen between two pages.
                faults: ["route=/api/v1/events,method=GET,delay=100ms"]))
        let part = ["--format", "csv", "--fields", "id,timestamp", "--no-header"]
        for words in [
            ["list", "--all"], ["list", "--all", "--reverse"], ["export"],
            ["export", "-o", "all.csv"],
        ] {
            let ran = try home.argus(["events"] + words + part)
            #expect(ran.status == 0, "\(words): \(ran.complaint)")
            let lines =
                words.count == 3 && words[1] == "-o"
                ? (home.text(of: "all.csv") ?? "").split(separator: "\n").map(String.init)
                : ran.lines
            let ids = lines.map { String($0.prefix { $0 != "," }) }
            #expect(Set(ids).count == ids.count, "\(words): an id came twice")
            #expect(steady.subtracting(ids).isEmpty, "\(words): an event is missing")
            // To the millisecond: pages overlap by a microsecond, and a row that arrives within it
            // comes after the row that it would have preceded.
            let times = lines.map { String($0.drop { $0 != "," }.dropLast(4)) }
            let isDescending = words == ["list", "--all"]
            #expect(times == (isDescending ? times.sorted(by: >) : times.sorted()), "\(words)")
        }
    }

    @Test(
        "the other generations repeat and lose nothing either", arguments: ["mobile", "documented"])
    func otherGenerations(api: String) throws {
        let home = try TemporaryHome()
        try home.signIn(
            to: try DemoServer("--events", "800", "--rate", "600", "--churn", "20", api: api))
        let before = try home.argus("events", "list", "--all", "--format", "csv", "--fields", "id")
        let after = try home.argus("events", "export", "--fields", "id")
        for ran in [before, after] {
            #expect(ran.status == 0, "\(ran.complaint)")
            #expect(Set(ran.lines).count == ran.lines.count)
            #expect(ran.lines.count > 800)
        }
    }
}
