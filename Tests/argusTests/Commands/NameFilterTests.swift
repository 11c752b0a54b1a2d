import ArgusTestSupport
import ArgusTransport
import Testing

@testable import argus
@testable import ArgusCore

@Suite("events of people, vehicles and rules that are named")
struct NameFilterTests {
    private let test: TestSystem
    private static let entities = """
        {"entities":[{"id":"aaaa1111","name":"Ann","is_vip":true},{"id":"bbbb2222"},
        {"id":"cccc3333","name":"Bo","is_blocked":true}],"total":3}
        """
    private static let rows = """
        {"id":"e1","objects_detected":["person"],"confidence":90,"entity_id":"aaaa1111",
        "entity_name":"Ann"},
        {"id":"e2","objects_detected":["person"],"confidence":80,"entity_id":"bbbb2222",
        "entity_name":"Person entity"},
        {"id":"e3","objects_detected":["person"],"confidence":70,"entity_id":null},
        {"id":"e4","objects_detected":["animal"],"confidence":60,"entity_id":null}
        """
    private static let rules = """
        {"data":[{"id":"rule1","name":"people","conditions":{"object_types":["person"]}},
        {"id":"rule2","name":"sure, people","conditions":{"min_confidence":90}},
        {"id":"rule3","name":"off","is_enabled":false},
        {"id":"rule4","name":"odd","conditions":{"weather":"rain"}}]}
        """

    init() async throws {
        test = try TestSystem()
        try await test.know()
    }

    private func list(_ options: String..., rows: String = rows) async -> ExitKind {
        test.fake.stub(
            .get, "/api/v1/events?limit=500&per_page=100",
            body: #"{"events":[\#(rows)],"has_more":false}"#)
        return await test.run(
            ["events", "--format", "csv", "--no-header", "--fields", "id"] + options)
    }

    private func stubEntities() {
        test.fake.stub(.get, "/api/v1/context/entities?limit=100", body: Self.entities)
    }

    private func stubRules() {
        test.fake.stub(.get, "/api/v1/alert-rules", body: Self.rules)
    }

    @Test(
        "entities are chosen by name, id or word",
        arguments: [
            ("Ann", "e1\n"), ("ann,bbbb2222", "e1\ne2\n"), ("named", "e1\n"), ("vip", "e1\n"),
            ("blocked", ""), ("none,ann", "e1\ne3\ne4\n"),
        ])
    func entities(word: String, ids: String) async {
        stubEntities()
        #expect(await list("--entity", word) == .done)
        #expect(test.stdout == ids)
    }

    @Test("strangers need no list of entities, and a list that has them")
    func strangers() async {
        #expect(await list("--type", "person", "--entity", "none") == .done)
        #expect(test.stdout == "e3\n")
        #expect(
            await list("--entity", "none", rows: #"{"id":"e","objects_detected":["person"]}"#)
                == .unsupported)
    }

    @Test(
        "rules are chosen by name or all; those that are disabled match nothing",
        arguments: [
            ("all", "e1\ne2\ne3\n"), ("rule2", "e1\n"), ("sure, people", "e1\n"), ("off", ""),
            ("off,PEOPLE", "e1\ne2\ne3\n"),
        ])
    func rules(word: String, ids: String) async {
        stubRules()
        #expect(await list("--rule", word) == .done)
        #expect(test.stdout == ids)
        #expect(
            test.stderr.contains("the rule 'odd': it matches nothing: argus cannot apply weather")
                == (word == "all"))
    }

    @Test("names that nothing has are not found")
    func unknown() async {
        stubEntities()
        #expect(
            await test.run("events", "--entity", "Anne") == .notFound)
        stubRules()
        #expect(await test.run("events", "--rule", "persons") == .notFound)
    }
}
