import ArgusTestSupport
import Testing

@testable import argus_demo

/// Alert rules of today's server, and when they apply.
@Suite(.waitsForPrograms)
struct DemoRuleTests {
    private let fixture: DemoFixture
    private let token: String

    init() throws {
        fixture = try DemoFixture()
        token = fixture.token()
    }

    private func create(_ rule: JSON) -> DemoFixture.Reply {
        fixture.ask(.POST, "/api/v1/alert-rules", rule, token: token)
    }

    /// Makes a rule with conditions, and returns its path.
    private func rule(_ conditions: JSON, _ others: JSON = [:]) throws -> String {
        let name = others["name"] ?? "rule"
        let made = create(others.setting("name", name).setting("conditions", conditions))
        #expect(made.status == 201)
        return "/api/v1/alert-rules/\(try #require(made.json["id"]?.string))"
    }

    private func post(_ objects: [String], at time: String = "2026-11-20T10:00:00Z")
        -> DemoFixture.Reply
    {
        fixture.ask(
            .POST, "/api/v1/events",
            [
                "camera_id": "cam-1", "timestamp": .text(time), "confidence": 90,
                "description": "posted", "objects_detected": JSON(objects),
            ], token: token)
    }

    private func get(_ path: String) -> JSON { fixture.ask(.GET, path, token: token).json }

    @Test("an event by POST alarms seconds later, an event of a camera never")
    func alarmsForPostsOnly() throws {
        let path = try rule([:])
        for _ in 0..<20 { fixture.service.recordEvent(now: fixture.now) }
        #expect(get(path)["trigger_count"] == 0)
        let made = post(["person"])
        #expect(made.json["alert_triggered"] == false)
        let event = "/api/v1/events/\(try #require(made.json["id"]?.string))"
        #expect(get(event)["alert_triggered"] == false)
        #expect(get(event)["alert_triggered"] == true)
        #expect(get(path)["trigger_count"] == 1)
    }

    @Test("without alerts of its own, the server has only those of rules")
    func alertsByRulesOnly() throws {
        let options = try Options(["--no-alerts"])
        let fixture = try DemoFixture { $0.alertsByRulesOnly = options.settings.alertsByRulesOnly }
        for _ in 0..<20 { fixture.service.recordEvent(now: fixture.now) }
        #expect(fixture.event { $0.marks.contains(.alert) } == nil)
    }

    @Test("a rule that is off or cools down does not alarm")
    func staysQuiet() throws {
        let off = try rule([:], ["is_enabled": false])
        let slow = try rule([:], ["cooldown_minutes": 10])
        for _ in 0..<3 { _ = post(["person"]) }
        #expect(get(off)["trigger_count"] == 0)
        #expect(get(slow)["trigger_count"] == 1)
        fixture.now = fixture.now + 600
        _ = post(["person"])
        #expect(get(slow)["trigger_count"] == 2)
    }

    @Test(
        "all conditions must hold, with times in UTC",
        arguments: [
            (#"{}"#, true), (#"{"object_types":["animal","person"]}"#, true),
            (#"{"object_types":["animal"]}"#, false), (#"{"object_types":[]}"#, true),
            (#"{"cameras":["cam-1"]}"#, true), (#"{"cameras":["CAM-1"]}"#, false),
            (#"{"min_confidence":90}"#, true), (#"{"min_confidence":91}"#, false),
            // A Friday.
            (#"{"days_of_week":[5]}"#, true), (#"{"days_of_week":[4,6]}"#, false),
            (#"{"time_of_day":{"start":"22:00","end":"22:30"}}"#, true),
            (#"{"time_of_day":{"start":"22:30","end":"22:30"}}"#, true),
            (#"{"time_of_day":{"start":"22:31","end":"06:00"}}"#, false),
            (#"{"time_of_day":{"start":"21:00","end":"06:00"}}"#, true),
            (#"{"rule_type":"package_delivery"}"#, false), (#"{"carriers":["ups"]}"#, false),
        ])
    func conditions(_ text: String, _ isMatch: Bool) throws {
        _ = post(["person"], at: "2026-11-20T22:30:59Z")
        _ = try rule(try JSON.read(Array(text.utf8)), ["cooldown_minutes": 0])
        let before = fixture.service.withState { $0.rules[0] }
        let made = post(["person", "vehicle"], at: "2026-11-20T22:30:59Z")
        let id = try #require(made.json["id"]?.string)
        let count = fixture.service.withState { $0.rules[0].triggerCount }
        #expect((count > before.triggerCount) == isMatch)
        let path = "/api/v1/alert-rules/\(before.id.text)/test"
        // The newest events are later ones than the posted.
        fixture.service.withState { state in
            while state.events.rows.last?.id.text != id {
                state.events.remove(at: state.events.rows.count - 1)
            }
        }
        let tested = fixture.ask(.POST, path, ["limit": 1], token: token).json
        #expect(tested["events_matched"] == .integer(isMatch ? 1 : 0))
    }

    @Test("a delivery is a package with a carrier")
    func deliveries() throws {
        let path = try rule(["rule_type": "package_delivery"])
        let tested = fixture.ask(.POST, "\(path)/test", ["limit": 100], token: token).json
        let ids = Set(tested["matching_event_ids"]?.elements?.compactMap(\.string) ?? [])
        let rows = get("/api/v1/events?limit=100")["events"]?.elements ?? []
        let deliveries = rows.filter {
            $0["smart_detection_type"] == "package" && $0["delivery_carrier"] != .null
        }
        #expect(!ids.isEmpty)
        #expect(ids == Set(deliveries.compactMap { $0["id"]?.string }))
    }

    @Test("rules know the entities that the server recognised, not those assigned by hand")
    func entities() throws {
        let unknown = try rule([:], ["entity_match_mode": "unknown"])
        func matches(_ path: String) -> Set<String> {
            let body = fixture.ask(.POST, "\(path)/test", ["limit": 100], token: token).json
            return Set(body["matching_event_ids"]?.elements?.compactMap(\.string) ?? [])
        }
        let strangers = matches(unknown)
        let rows = get("/api/v1/events?limit=100")["events"]?.elements ?? []
        let unlinked = rows.filter { $0["entity_id"] == .null }
        #expect(strangers == Set(unlinked.compactMap { $0["id"]?.string }))
        let anna = try #require(
            get("/api/v1/context/entities?search=anna")["entities"]?.elements?.first?["id"]?.string)
        let specific = try rule(
            [:], ["entity_match_mode": "specific", "entity_id": .text(anna)])
        let hers = matches(specific)
        #expect(!hers.isEmpty && hers.isDisjoint(with: strangers))
        let stranger = try #require(strangers.first)
        _ = fixture.ask(
            .POST, "/api/v1/context/events/\(stranger)/entity", ["entity_id": .text(anna)],
            token: token)
        #expect(matches(specific) == hers)
        #expect(get(specific)["entity_name"] == "Anna")
        let listed = get("/api/v1/context/entities/\(anna)/alert-rules")
        #expect(listed["total"] == 1)
        _ = fixture.ask(.DELETE, "/api/v1/context/entities/\(anna)", token: token)
        #expect(get(specific)["entity_id"] == .null)
    }

    @Test("an update changes what it names")
    func updates() throws {
        let path = try rule(["min_confidence": 5], ["cooldown_minutes": 7])
        let changed = fixture.ask(.PUT, path, ["name": "new", "conditions": nil], token: token)
        #expect(changed.json["name"] == "new")
        #expect(changed.json["conditions"]?["min_confidence"] == 5)
        #expect(changed.json["cooldown_minutes"] == 7)
        let replaced = fixture.ask(.PUT, path, ["conditions": [:]], token: token).json
        #expect(replaced["conditions"]?["min_confidence"] == .null)
        #expect(replaced["conditions"]?["rule_type"] == "any")
        #expect(get("/api/v1/alert-rules?is_enabled=false")["total_count"] == 0)
        #expect(fixture.ask(.DELETE, path, token: token).status == 204)
        #expect(fixture.ask(.DELETE, path, token: token).status == 404)
    }

    @Test(
        "what is no rule is refused, with its place",
        arguments: [
            (#"{}"#, "name"), (#"{"name":""}"#, "name"),
            (#"{"name":"x","conditions":null}"#, "conditions"),
            (#"{"name":"x","conditions":{"rule_type":"all"}}"#, "conditions.rule_type"),
            (#"{"name":"x","conditions":{"carriers":["post"]}}"#, "conditions.carriers"),
            (#"{"name":"x","conditions":{"days_of_week":[8]}}"#, "conditions.days_of_week"),
            (#"{"name":"x","conditions":{"days_of_week":["a"]}}"#, "conditions.days_of_week.0"),
            (#"{"name":"x","conditions":{"min_confidence":101}}"#, "conditions.min_confidence"),
            (
                #"{"name":"x","conditions":{"time_of_day":{"start":"9:00","end":"10:00"}}}"#,
                "conditions.time_of_day.start"
            ),
            (#"{"name":"x","conditions":{"time_of_day":{}}}"#, "conditions.time_of_day.start"),
            (#"{"name":"x","actions":{"webhook":{"url":"ftp://x"}}}"#, "actions.webhook.url"),
            (
                #"{"name":"x","actions":{"webhook":{"url":"http://x","headers":{"a":1}}}}"#,
                "actions.webhook.headers.a"
            ),
            (#"{"name":"x","cooldown_minutes":1441}"#, "cooldown_minutes"),
            (#"{"name":"x","entity_match_mode":"some"}"#, "entity_match_mode"),
            (#"{"name":"x","entity_match_mode":"specific"}"#, ""),
        ])
    func refuses(_ text: String, _ place: String) throws {
        let reply = create(try JSON.read(Array(text.utf8)))
        #expect(reply.status == 422)
        let location = reply.json["detail"]?.elements?.first?["loc"]?.elements?.dropFirst()
        let words = (location ?? []).map { $0.string ?? $0.int.map(String.init) ?? "" }
        #expect(words.joined(separator: ".") == place)
    }

    @Test("a rule sends one webhook, as the real server does, to this machine only")
    func webhook() async throws {
        let arrival = Signal()
        try await LoopbackServer.serving { _ in
            arrival.raise()
            return [.answer()]
        } _: { server in
            for host in ["127.0.0.1", "localhost", "192.0.2.1"] {
                let url = "http://\(host):\(server.port)/hook?x=1"
                let headers: JSON = ["Authorization": "Bearer hook-secret"]
                let webhook: JSON = ["url": .text(url), "headers": headers]
                _ = try rule(
                    ["object_types": ["animal"]],
                    ["name": .text(host), "actions": ["webhook": webhook]])
            }
            _ = post(["person"])
            let id = post(["animal"]).json["id"]
            fixture.service.catchUp(now: fixture.now + 10)
            fixture.service.catchUp(now: fixture.now + 20)
            await arrival.wait()
            let request = try #require(server.requests.first)
            #expect(server.requests.count == 1)
            #expect(request.line == "POST /hook?x=1 HTTP/1.1")
            #expect(request.header("authorization") == "Bearer hook-secret")
            #expect(request.header("content-type") == "application/json")
            let body = try JSON.read(request.body)
            #expect(body["event_id"] == id)
            let sample = DemoSamples.bytes(of: "alert-rule-webhook-payload.json")
            #expect(Shape.differences(try JSON.read(sample), body) == [])
        }
    }

    @Test("a rule with a notification announces it to WebSockets, after the event")
    func notification() throws {
        _ = try rule([:], ["name": "Any \u{1F98A}"])
        _ = try rule([:], ["actions": ["dashboard_notification": false]])
        let id = post(["animal"]).json["id"]
        let messages = fixture.service.withState { state in
            state.flip(until: fixture.now + 10)
            return state.outbox
        }
        #expect(messages.count == 1)
        let message = try JSON.read(Array(try #require(messages.first).utf8))
        #expect(message["type"] == "notification")
        #expect(message["data"]?["event_id"] == id)
        #expect(message["data"]?["rule_name"] == "Any \u{1F98A}")
    }

    @Test("the event log knows the alert of a rule beforehand")
    func eventLog() throws {
        _ = try rule([:])
        let now = fixture.now
        let line = fixture.service.withState { state -> JSON? in
            let event = History.event(at: now, state.cameras, &state.events, &state.chance)
            let time = state.applyRules(to: event, now: now)
            state.store(event, now: now, ruleTime: time)
            defer { state.journal = [] }
            return state.journal.last
        }
        #expect(line?["alert"] == true)
    }
}
