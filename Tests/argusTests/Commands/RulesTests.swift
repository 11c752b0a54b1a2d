import ArgusCore
import ArgusTestSupport
import ArgusTransport
import Testing

@testable import argus

@Suite("argus rules")
struct RulesTests {
    private let test: TestSystem
    private static let list = "/api/v1/alert-rules"
    private static let first = "f0d86edd-2ee6-4eb9-bc40-b54b7ac43032"
    private static let camera = "7323d311-eb43-4837-9f08-07f69d4ce47d"

    init() async throws {
        test = try TestSystem()
        try await test.know()
    }

    private func stubList() throws {
        test.fake.stub(.get, Self.list, body: try Samples.text("alert-rules-list-webhook"))
    }

    private func stubCameras() throws {
        test.fake.stub(.get, "/api/v1/cameras", body: try Samples.text("cameras-list"))
    }

    private func sent() -> String? {
        test.fake.requests.last { $0.method == .post || $0.method == .put }?.body.map {
            String(decoding: $0.bytes, as: UTF8.self)
        }
    }

    @Test("the list of a real server, without the values of header fields")
    func list() async throws {
        try stubList()
        #expect(
            await test.run(
                "rules", "--format", "ndjson", "--fields", "name,matches,webhook_headers,problems")
                == .done)
        #expect(
            test.stdout == """
                {"name":"fact check","matches":"animal, 97 %","webhook_headers":["Authorization"],\
                "problems":[]}
                {"name":"any people","matches":"person","webhook_headers":null,"problems":[]}
                {"name":"night people","matches":"person, 22:00-06:00","webhook_headers":null,\
                "problems":[]}

                """)
    }

    @Test("every output redacts the header fields, but --raw with --yes")
    func secrets() async throws {
        for words in [["list"], ["list", "--json"], ["show", "fact check"]] {
            try stubList()
            #expect(await test.run(["rules"] + words) == .done)
            #expect(!test.stdout.contains("hook-secret"), "\(words)")
        }
        try stubList()
        #expect(await test.run("rules", "show", "fact check", "--json", "--raw") == .usage)
        #expect(!test.stdout.contains("hook-secret") && !test.stderr.contains("hook-secret"))
        try stubList()
        #expect(await test.run("rules", "show", "fact check", "--json", "--raw", "--yes") == .done)
        #expect(test.stdout.contains("Bearer hook-secret"))
        // A rule without header fields has nothing to hide.
        try stubList()
        #expect(await test.run("rules", "show", "any people", "--json", "--raw") == .done)
    }

    @Test("what argus cannot do with a rule is a problem of it")
    func problems() async throws {
        test.fake.stub(
            .get, Self.list,
            body: """
                {"data":[{"id":"r1","name":"odd","conditions":{"weather":"rain",
                "cameras":["\(Self.camera)","gone"],"time_of_day":{"start":"9","end":"10"}},
                "actions":{"webhook":{"url":"http://h/","headers":{"A":"encrypted:x"}}},
                "entity_match_mode":"specific","entity_id":"e1","entity_name":null}]}
                """)
        try stubCameras()
        test.fake.stub(.get, "/api/v1/context/entities/e1", status: 404)
        #expect(await test.run("rules", "--json", "--fields", "cameras,problems") == .done)
        let rule = try #require(try test.printed().elements.first { _ in true })
        #expect(rule["cameras"]?.strings == ["Front Door", "gone"])
        #expect(
            rule["problems"]?.strings == [
                "it matches nothing: argus cannot apply time_of_day",
                "it matches nothing: argus cannot apply weather",
                "the camera gone is gone", "the entity e1 is gone",
                "only the server can read a header field of its webhook",
            ])
    }

    @Test("a new rule is made of the words of filters")
    func create() async throws {
        try stubCameras()
        test.fake.stub(.post, Self.list, status: 201, body: try Samples.text("alert-rule-created"))
        #expect(
            await test.run(
                "rules", "create", "Night", "--camera", "front door", "--type", "person,animal",
                "--between", "22:00-06:00", "--days", "fri-mon,wed", "--min-confidence", "70",
                "--entity", "none", "--cooldown", "10m", "--webhook", "http://h/x",
                "--dashboard", "off") == .done)
        #expect(
            sent()
                == #"{"actions":{"dashboard_notification":false,"webhook":{"url":"http://h/x"}},"#
                + #""conditions":{"cameras":["\#(Self.camera)"],"days_of_week":[1,3,5,6,7],"#
                + #""min_confidence":70,"object_types":["person","animal"],"#
                + #""time_of_day":{"end":"06:00","start":"22:00"}},"cooldown_minutes":10,"#
                + #""entity_match_mode":"unknown","is_enabled":true,"name":"Night"}"# + "\n")
    }

    @Test("an edit sends what was named, over what there was")
    func edit() async throws {
        try stubList()
        test.fake.stub(
            .put, "\(Self.list)/\(Self.first)", body: try Samples.text("alert-rule-updated"))
        #expect(await test.run("rules", "edit", "fact check", "--cooldown", "1h") == .done)
        #expect(sent() == #"{"cooldown_minutes":60}"# + "\n")
        try stubList()
        #expect(await test.run("rules", "edit", "fact", "--carrier", "all") == .notFound)
        try stubList()
        test.fake.stub(
            .put, "\(Self.list)/\(Self.first)", body: try Samples.text("alert-rule-updated"))
        #expect(await test.run("rules", "edit", "f0d8", "--carrier", "ups") == .done)
        #expect(sent()?.contains(#""carriers":["ups"]"#) == true)
        #expect(sent()?.contains(#""rule_type":"package_delivery""#) == true)
        #expect(sent()?.contains(#""object_types":["animal"]"#) == true)
    }

    @Test("values that no rule can have are usage errors")
    func mistakes() async throws {
        for words in [
            ["edit", "x"], ["create", "x", "--between", "25:00-06:00"],
            ["create", "x", "--days", "monn"], ["create", "x", "--days", "mon-"],
            ["create", "x", "--cooldown", "25h"], ["create", "x", "--cooldown", "90s"],
            ["create", "x", "--min-confidence", "101"], ["create", "x", "--webhook", "ftp://h"],
            ["create", "x", "--type", "none"], ["test", "x", "--server-side", "--since", "1d"],
            ["test", "x", "--limit", "5"],
        ] {
            #expect(await test.run(["rules"] + words) == .usage, "\(words)")
        }
        #expect(test.fake.requests.isEmpty)
    }

    @Test("rules are enabled, disabled and deleted by name")
    func switches() async throws {
        for (verb, body) in [
            ("disable", #"{"is_enabled":false}"#), ("enable", #"{"is_enabled":true}"#),
        ] {
            try stubList()
            test.fake.stub(
                .put, "\(Self.list)/\(Self.first)", body: try Samples.text("alert-rule-updated"))
            #expect(await test.run("rules", verb, "Fact Check") == .done)
            #expect(sent() == body + "\n")
        }
        try stubList()
        #expect(await test.run("rules", "delete", "fact check", "--dry-run") == .done)
        try stubList()
        test.fake.stub(.delete, "\(Self.list)/\(Self.first)", status: 204)
        #expect(await test.run("rules", "delete", "fact check", "nobody", "--yes") == .partial)
    }

    @Test(
        "a test lists the events that match, and warns of conditions that argus cannot apply",
        arguments: [
            (#""object_types":["person"]"#, true), (#""object_types":["animal"]"#, false),
            (#""weather":"rain""#, false),
        ])
    func test(conditions: String, isMatch: Bool) async throws {
        let event =
            #"{"id":"eeeeeeee","timestamp":"2026-11-20T23:30:00Z","#
            + #""objects_detected":["person"],"confidence":80}"#
        test.fake.stub(
            .get, Self.list,
            body: #"{"data":[{"id":"r1","name":"odd","conditions":{\#(conditions)}}]}"#)
        test.fake.stub(
            .get,
            "/api/v1/events?start_time=2026-11-20T00%3A00%3A00.000000Z&limit=500&per_page=100",
            body: #"{"events":[\#(event)],"has_more":false}"#)
        #expect(
            await test.run(
                "rules", "test", "odd", "--since", "2026-11-20T00:00:00Z", "--format", "ndjson",
                "--fields", "id") == .done)
        #expect(test.stdout == (isMatch ? "{\"id\":\"eeeeeeee\"}\n" : ""))
        #expect(
            test.stderr.contains("argus cannot apply weather") == conditions.contains("weather"))
    }

    @Test("days are spans, also over the week's end")
    func days() throws {
        for (text, days) in [
            ("mon-fri", [1, 2, 3, 4, 5]), ("sat,sun", [6, 7]), ("fri-mon", [1, 5, 6, 7]),
            ("Wednesday", [3]), ("all", []), ("sun-sun", [7]),
        ] {
            #expect(try DayList(argument: text).days == days, "\(text)")
        }
        #expect(DayList.text(of: [1, 2, 3, 5]) == "mon-wed,fri")
        #expect(DayList.text(of: [6, 7]) == "sat,sun")
    }
}
