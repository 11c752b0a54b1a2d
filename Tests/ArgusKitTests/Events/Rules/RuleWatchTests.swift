import ArgusTestSupport
import Synchronization
import Testing

@testable import ArgusAccount
@testable import ArgusCore
@testable import ArgusEvents
@testable import ArgusTransport

@Suite("RuleWatch")
struct RuleWatchTests {
    private let fake = FakeTransport()
    private let clock = ManualClock()
    private let changes = MessageLog()

    private func stubRules(_ rules: String...) {
        fake.stub(.get, "/api/v1/alert-rules", body: "{\"data\":[\(rules.joined(separator: ","))]}")
    }

    private func rule(_ id: String, _ name: String, _ members: String = "") -> String {
        #"{"id":"\#(id)","name":"\#(name)"\#(members)}"#
    }

    private func watch(_ names: String...) -> (RuleWatch, SessionFeedServer) {
        let watch = RuleWatch(of: "s", in: .folder("/nonexistent")) { [changes] change in
            switch change {
            case .left(let rule): changes.add("left \(rule.name)")
            case .applied(let rule): changes.add("applied \(rule.name) \(rule.problems.count)")
            }
        }
        var filter = UnresolvedFilter(EventFilter())
        filter.rules = RuleChoice(names, in: .utc)
        return (
            watch,
            SessionFeedServer(.test(fake), filter, in: ServiceRun(clock.clock), rules: watch)
        )
    }

    /// Looks for an event, which reads the rules again once a minute is over.
    private func look(_ server: SessionFeedServer, after minutes: Int64) async throws {
        clock.advance(to: .seconds(60 * minutes))
        fake.stub(.get, "/api/v1/events/e", body: #"{"id":"e","timestamp":"2026-11-21T12:00:00Z"}"#)
        _ = try await server.event("e", isSettled: false)
    }

    @Test("rules that come, go or turn bad while a watch goes on are named, each once")
    func all() async throws {
        let (watch, server) = watch("all")
        stubRules(rule("r1", "day"), rule("r2", "night"))
        _ = try await server.prepare()
        #expect(changes.all.isEmpty)
        stubRules(
            rule("r1", "day", #","trigger_count":7,"conditions":{"weather":"rain"}"#),
            rule("r2", "night", #","trigger_count":8"#), rule("r3", "new"))
        try await look(server, after: 1)
        stubRules(
            rule("r1", "day", #","conditions":{"weather":"rain"}"#),
            rule("r2", "night", #","is_enabled":false"#), rule("r3", "new"))
        try await look(server, after: 2)
        #expect(changes.all == ["applied day 1", "applied new 0", "left night"])
        #expect(watch.rules?.rules.map(\.id) == ["r1", "r3"])
        fake.verify()
    }

    @Test("a chosen rule is followed under a new name, and is over once it is deleted")
    func chosen() async throws {
        let (watch, server) = watch("day", "night")
        stubRules(rule("r1", "day"), rule("r2", "night"), rule("r3", "other"))
        _ = try await server.prepare()
        stubRules(rule("r1", "daytime"), rule("r3", "day"))
        try await look(server, after: 1)
        #expect(watch.rules?.rules.map(\.name) == ["daytime"])
        #expect(changes.all == ["left night"])
        fake.verify()
    }
}
