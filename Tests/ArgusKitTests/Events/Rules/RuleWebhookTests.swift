import ArgusTestSupport
import Testing

@testable import ArgusCore
@testable import ArgusEvents
@testable import ArgusTransport

@Suite("RuleWebhook")
struct RuleWebhookTests {
    private let fake = FakeTransport()
    private let waits = MessageLog()

    private var webhook: RuleWebhook {
        RuleWebhook(
            fake, userAgent: "argus/test", caFile: nil,
            RunClock(
                now: { Timestamp(seconds: 0) }, monotonic: { .seconds(7) },
                sleep: { [waits] in waits.add("\($0)") }))
    }

    private func rule(_ members: String) throws -> AlertRule {
        let text = #"{"id":"r1","name":"night",\#(members)}"#
        return try #require(AlertRule(try JSONView.parse(Array(text.utf8))))
    }

    private func hooked(_ url: String = "http://192.168.1.20:8765/x?y=1") throws -> AlertRule {
        try rule(
            #""actions":{"webhook":{"url":"\#(url)","headers":{"Authorization":"Bearer s"}}}"#)
    }

    @Test("the body is that of the server")
    func body() throws {
        let sample = try Samples.json("alert-rule-webhook-payload")
        let rule = try #require(
            AlertRule(try JSONView.parse(try Samples.bytes("alert-rule-created.json"))))
        var event = Event(id: try #require(sample["event_id"]?.string))
        event.cameraID = sample["camera"]?["id"]?.string
        event.timestamp = Timestamp(serverText: "2026-11-26T12:23:42Z")
        event.description = "fact check: a fox by API"
        (event.confidence, event.objects) = (98, ["animal"])
        #expect(
            RuleWebhook.body(event, of: rule, entityType: nil)
                == JSONWriter.object { writer in
                    sample.forEachMember { key, value in
                        writer.key(key.text)
                        writer.value(value)
                    }
                })
    }

    @Test("an entity, a carrier, and a part of a second are members as the server writes them")
    func rareMembers() throws {
        var event = Event(id: "e")
        event.timestamp = Timestamp(serverText: "2026-11-26T12:23:42.5Z")
        event.carrier = "ups"
        func text(_ members: String, type: String?) throws -> String {
            String(
                decoding: RuleWebhook.body(event, of: try rule(members), entityType: type),
                as: UTF8.self)
        }
        let strangers = try text(#""entity_match_mode":"unknown""#, type: nil)
        #expect(strangers.contains(#""timestamp":"2026-11-26T12:23:42.500000""#))
        #expect(
            strangers.hasSuffix(
                #""entity":{"id":null,"name":"Unknown","type":"unknown","match_mode":"unknown"},"#
                    + #""delivery_carrier":"ups","delivery_carrier_display":"UPS"}"#))
        let ann = try text(
            #""entity_match_mode":"specific","entity_id":"e1","entity_name":"Ann""#, type: "person")
        #expect(
            ann.contains(
                #""entity":{"id":"e1","name":"Ann","type":"person","match_mode":"specific"}"#))
    }

    @Test("a webhook gets the header fields of the rule, once if it answers well")
    func posts() async throws {
        fake.stub(.post, "/x?y=1")
        #expect(await webhook.post(Event(id: "e"), of: try hooked(), entityType: nil) == nil)
        let request = try #require(fake.requests.first)
        #expect(request.origin.description == "http://192.168.1.20:8765")
        #expect(request.headers.map(\.name) == ["User-Agent", "Authorization"])
        #expect(request.headers.last?.shown == SecretMask.replacement)
        #expect(request.body?.contentType == "application/json")
        fake.verify()
    }

    @Test("one that fails is tried again after 1, 2 and 4 seconds")
    func tries() async throws {
        for _ in 0..<4 { fake.stub(.post, "/x?y=1", status: 500) }
        let reason = await webhook.post(Event(id: "e"), of: try hooked(), entityType: nil)
        #expect(reason?.contains("status 500") == true)
        #expect(waits.all == ["1.0 seconds", "2.0 seconds", "4.0 seconds"])
        fake.verify()
    }

    @Test("a rule is posted at most 100 times a minute")
    func limit() async throws {
        let webhook = webhook
        for _ in 0..<100 {
            fake.stub(.post, "/x?y=1")
            #expect(await webhook.post(Event(id: "e"), of: try hooked(), entityType: nil) == nil)
        }
        let reason = await webhook.post(Event(id: "e"), of: try hooked(), entityType: nil)
        #expect(reason?.contains("100") == true)
        fake.verify()
    }

    @Test("what cannot be posted from here is known before")
    func faults() throws {
        #expect(RuleWebhook.fault(of: try rule(#""actions":{}"#)) == nil)
        #expect(RuleWebhook.fault(of: try hooked()) == nil)
        #expect(RuleWebhook.fault(of: try hooked("http://LocalHost:1/")) == .localhost)
        #expect(RuleWebhook.fault(of: try hooked("http://[::1]/")) == .localhost)
        #expect(RuleWebhook.fault(of: try hooked("http://")) == .malformed)
        let encrypted = try rule(
            #""actions":{"webhook":{"url":"http://h/","headers":{"A":"encrypted:x"}}}"#)
        #expect(RuleWebhook.fault(of: encrypted) == .encrypted)
    }
}
