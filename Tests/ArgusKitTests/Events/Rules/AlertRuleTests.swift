import ArgusAccount
import ArgusCore
import ArgusEvents
import ArgusTestSupport
import ArgusTransport
import Testing

@Suite("AlertRule")
struct AlertRuleTests {
    private func rule(_ members: String) throws -> AlertRule {
        let text = #"{"id":"r1","name":"night",\#(members)}"#
        return try #require(AlertRule(try JSONView.parse(Array(text.utf8))))
    }

    private func conditions(_ members: String) throws -> RuleConditions {
        try rule(#""conditions":{\#(members)}"#).conditions
    }

    @Test("the rules of a real server")
    func samples() throws {
        let list = try #require(try Samples.json("alert-rules-list-webhook")["data"])
        let rules = list.elements.compactMap(AlertRule.init)
        #expect(rules.map(\.name) == ["fact check", "any people", "night people"])
        #expect(rules.map(\.conditions.unsupported) == [[], [], []])
        let first = rules[0]
        #expect(first.conditions.objectTypes == ["animal"])
        #expect(first.conditions.minConfidence == 97)
        #expect(first.triggerCount == 1)
        #expect(first.actions.webhook?.url == "http://192.168.1.20:8765/x")
        #expect(first.actions.webhook?.headers.map(\.name) == ["Authorization"])
        #expect(!"\(first)".contains("hook-secret"))
        #expect(rules[2].conditions.hours?.text == "22:00-06:00")
        #expect(rules[2].cooldown == .seconds(300))
        #expect(rules[1].actions.notifiesDashboard)
    }

    @Test(
        "an empty condition is none",
        arguments: [
            #""object_types":null,"cameras":null,"days_of_week":null,"min_confidence":null"#,
            #""object_types":[],"cameras":[],"days_of_week":[],"carriers":[],"time_of_day":{}"#,
            #""rule_type":"any","anomaly_threshold":null,"audio_event_types":[],"weather":"""#,
            "",
        ])
    func empty(members: String) throws {
        #expect(try conditions(members) == RuleConditions())
    }

    @Test(
        "a condition that is unknown or malformed has its name",
        arguments: [
            (#""anomaly_threshold":0.5"#, ["anomaly_threshold"]),
            (#""weather":{"rain":true},"at_home":false"#, ["at_home", "weather"]),
            (#""rule_type":"glass_break""#, ["rule_type 'glass_break'"]),
            (#""rule_type":7"#, ["rule_type"]),
            (#""time_of_day":{"start":"25:00","end":"06:00"}"#, ["time_of_day"]),
            (#""time_of_day":{"start":"22:00"}"#, ["time_of_day"]),
            (#""time_of_day":"night""#, ["time_of_day"]),
            (#""time_of_day":{"sunset":true}"#, ["time_of_day.sunset"]),
            (#""days_of_week":[1,8]"#, ["days_of_week"]),
            (#""days_of_week":["mon"]"#, ["days_of_week"]),
            (#""object_types":"person""#, ["object_types"]),
            (#""object_types":[1]"#, ["object_types"]),
            (#""min_confidence":"high""#, ["min_confidence"]),
            (#""entity_match_mode":"any""#, ["entity_match_mode"]),
        ])
    func unsupported(members: String, names: [String]) throws {
        #expect(try conditions(members).unsupported == names)
    }

    @Test("conditions beside the others are read or named too")
    func membersOfTheRule() throws {
        #expect(
            try rule(#""entity_names":["J*"],"entity_ids":[]"#).conditions.unsupported
                == ["entity_names"])
        #expect(try rule(#""entity_match_mode":"unknown""#).conditions.entity == .unknown)
        #expect(
            try rule(#""entity_match_mode":"specific","entity_id":"e1","entity_name":"Ann""#)
                .conditions.entity == .specific(id: "e1", name: "Ann"))
        #expect(
            try rule(#""entity_match_mode":"specific","entity_id":null"#).conditions.unsupported
                == ["entity_match_mode 'specific' without an entity"])
        #expect(
            try rule(#""entity_match_mode":"family""#).conditions.unsupported
                == ["entity_match_mode 'family'"])
        #expect(try rule(#""conditions":"{}""#).conditions.unsupported == ["conditions"])
    }

    @Test(
        "what argus does not know of a rule, or cannot read, is a problem of it, and never guessed")
    func problems() throws {
        #expect(
            try rule(#""entity_match_mode":null,"entity_id":"e1""#).conditions.unsupported
                == ["entity_match_mode"])
        #expect(
            try rule(#""priority":0,"entity_name":"","tags":[]"#).problems
                == ["argus does not know priority: it may match too much"])
        let odd = try rule(#""is_enabled":"yes","cooldown_minutes":"soon""#)
        #expect(!odd.isEnabled && odd.cooldownMinutes == 5)
        #expect(
            odd.problems == [
                "argus cannot read is_enabled, and leaves the rule out",
                "argus cannot read cooldown_minutes, and takes 5 minutes",
            ])
    }

    @Test(
        "header fields of an odd form are no secret less, and are not sent",
        arguments: [
            #"{"url":"http://h/","headers":"X-Token: secret"}"#,
            #"{"url":"http://h/","headers":[{"X-Token":"secret"}]}"#,
            #"{"url":"http://h/","headers":{"X-Token":["secret"]}}"#,
        ])
    func oddHeaders(webhook: String) throws {
        let rule = try rule(#""actions":{"webhook":\#(webhook)}"#)
        #expect(rule.actions.mayHoldSecrets)
        #expect(RuleWebhook.fault(of: rule) == .unreadableHeaders)
    }

    @Test(
        "whatever a webhook holds beside its address may be secret",
        arguments: [
            (#"{"url":"http://h/"}"#, false), (#"{"url":"http://h/","headers":{}}"#, false),
            ("null", false), (#"{"url":"http://h/","token":"x"}"#, true), (#""http://h/""#, true),
            (#"{"headers":{"A":"b"}}"#, true),
        ])
    func secrets(webhook: String, isSecret: Bool) throws {
        #expect(
            try rule(#""actions":{"webhook":\#(webhook)}"#).actions.mayHoldSecrets == isSecret)
    }

    @Test("a value without an id is no rule, and one with nothing else is")
    func sparse() throws {
        for text in ["{}", "7", "[]", #"{"id":""}"#, #"{"name":"x"}"#] {
            #expect(AlertRule(try JSONView.parse(Array(text.utf8))) == nil, "\(text)")
        }
        let bare = try #require(AlertRule(try JSONView.parse(Array(#"{"id":"r"}"#.utf8))))
        #expect(bare.name == "r")
        #expect(bare.conditions == RuleConditions())
        #expect(bare.actions == RuleActions())
    }

    @Test("a header that only the server can read is recognised")
    func encryptedHeader() throws {
        let hook = try rule(
            #""actions":{"webhook":{"url":"http://h/","headers":{"A":"encrypted:gAAA","B":7}}}"#
        ).actions.webhook
        #expect(hook?.headers.map(\.name) == ["A"])
        #expect(hook?.hasEncryptedHeader == true)
    }
}

@Suite("RuleService")
struct RuleServiceTests {
    private let fake = FakeTransport()
    private static let rules = "/api/v1/alert-rules"
    private static let id = "f0d86edd-2ee6-4eb9-bc40-b54b7ac43032"

    private var service: RuleService { RuleService(session: .test(fake)) }

    private func lastBody() -> String {
        fake.requests.last?.body.map { String(decoding: $0.bytes, as: UTF8.self) } ?? ""
    }

    @Test("the list of a real server, and one that is none")
    func list() async throws {
        fake.stub(.get, Self.rules, body: try Samples.text("alert-rules"))
        #expect(try await service.list().map(\.value.name) == ["Person anywhere"])
        fake.stub(.get, Self.rules, body: #"{"data":{}}"#)
        let error = await failure { () async throws(APIError) in try await service.list() }
        #expect(error?.kind == .malformedAnswer)
        fake.verify()
    }

    @Test("a change sends its part, and the rest of the conditions and actions as they were")
    func update() async throws {
        let view = try Samples.json("alert-rule-created")
        let rule = try #require(AlertRule(view))
        for _ in 0..<4 {
            fake.stub(
                .put, "\(Self.rules)/\(Self.id)", body: try Samples.text("alert-rule-updated"))
        }
        var change = RuleChange()
        change.isEnabled = false
        #expect(try await !service.update(rule, view, change).rule.isEnabled)
        #expect(lastBody() == #"{"is_enabled":false}"# + "\n")
        change = RuleChange()
        change.minConfidence = 80
        change.hours = QuietHours("22:00-06:00")
        _ = try await service.update(rule, view, change)
        #expect(
            lastBody() == #"{"conditions":{"cameras":null,"carriers":null,"days_of_week":null,"#
                + #""min_confidence":80,"object_types":["animal"],"rule_type":"any","#
                + #""time_of_day":{"end":"06:00","start":"22:00"}}}"# + "\n")
        change = RuleChange()
        change.webhookURL = "http://192.168.1.21/y"
        _ = try await service.update(rule, view, change)
        // Another host gets no secrets of the one before.
        #expect(
            lastBody() == #"{"actions":{"dashboard_notification":false,"webhook":{"headers":null,"#
                + #""url":"http://192.168.1.21/y"}}}"# + "\n")
        change = RuleChange()
        change.webhookURL = .some(nil)
        change.entity = .unknown
        _ = try await service.update(rule, view, change)
        #expect(
            lastBody() == #"{"actions":{"dashboard_notification":false,"webhook":null},"#
                + #""entity_match_mode":"unknown"}"# + "\n")
        fake.verify()
    }

    @Test("a part keeps the conditions that argus does not know")
    func unknownConditions() async throws {
        let text = #"{"id":"r","conditions":{"weather":{"rain":[1.5,true]},"cameras":[]}}"#
        let view = try JSONView.parse(Array(text.utf8))
        let rule = try #require(AlertRule(view))
        fake.stub(.put, "\(Self.rules)/r", body: text)
        var change = RuleChange()
        change.days = [6, 7]
        _ = try await service.update(rule, view, change)
        #expect(
            lastBody() == #"{"conditions":{"cameras":[],"days_of_week":[6,7],"#
                + #""weather":{"rain":[1.5,true]}}}"# + "\n")
        fake.verify()
    }

    @Test("a new rule, the server's test of it, its end, and its end once more")
    func createTestDelete() async throws {
        fake.stub(.post, Self.rules, status: 201, body: try Samples.text("alert-rule-created"))
        var parts = RuleChange()
        (parts.name, parts.objectTypes, parts.cooldownMinutes) = ("fact check", ["animal"], 0)
        parts.entity = .specific(id: "e1", name: nil)
        #expect(try await service.create(parts).rule.id == Self.id)
        #expect(
            lastBody() == #"{"conditions":{"object_types":["animal"]},"cooldown_minutes":0,"#
                + #""entity_id":"e1","entity_match_mode":"specific","name":"fact check"}"# + "\n")
        fake.stub(
            .post, "\(Self.rules)/\(Self.id)/test", body: try Samples.text("alert-rule-test"))
        let test = try await service.test(Self.id)
        #expect(test.tested == 50)
        #expect(test.matches.count == 2)
        fake.stub(.delete, "\(Self.rules)/\(Self.id)", status: 204)
        fake.stub(
            .delete, "\(Self.rules)/\(Self.id)", status: 404,
            body: try Samples.text("error-404-alert-rule"))
        #expect(try await service.delete(Self.id))
        #expect(try await !service.delete(Self.id))
        fake.verify()
    }
}
