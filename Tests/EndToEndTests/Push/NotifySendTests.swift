import ArgusTestSupport
import Testing

@testable import argus_demo

/// `argus notify send` against push services that are as strict as the real ones.
@Suite("notify send", .waitsForPrograms)
struct NotifySendTests {
    @Test(
        "a notification reaches each service in its own form",
        arguments: ["apns", "fcm", "webpush", "https"])
    func delivers(service: String) throws {
        let fixture = try NotifySendFixture()
        let ran = try fixture.send(
            service, "--title", "Door", "--body", "Ann ist da ☂", "--data", "event_id=e1", "--data",
            "camera_id=c1")
        #expect(ran.status == 0, "\(ran.complaint)")
        let sent = try #require(fixture.services.received.last)
        #expect(sent["status"]?.int == (service == "apns" || service == "fcm" ? 200 : 201))
        #expect(sent["complaint"] == .null)
        #expect(sent["event_id"] == "e1")
        #expect(sent["collapse_id"]?.string?.isEmpty == false)
        let payload = try #require(sent["payload"])
        let text = [
            payload["aps"]?["alert"]?["body"], payload["message"]?["data"]?["body"],
            payload["body"],
        ]
        #expect(text.compactMap { $0?.string } == ["Ann ist da ☂"])
    }

    @Test("the header fields are those that Apple and RFC 8030 ask for")
    func headers() throws {
        let fixture = try NotifySendFixture()
        for service in ["apns", "webpush"] {
            #expect(try fixture.send(service, "--data", "event_id=e1").status == 0)
        }
        let apple = try #require(fixture.received("apns").first?["headers"])
        #expect(apple["apns-topic"]?.string == fixture.services.environment["APNS_BUNDLE_ID"])
        #expect(apple["apns-push-type"] == "alert" && apple["apns-priority"] == "10")
        #expect(apple["apns-collapse-id"] == "e1" && apple["apns-expiration"]?.string != nil)
        let web = try #require(fixture.received("webpush").first?["headers"])
        #expect(web["ttl"] == "86400" && web["content-encoding"] == "aes128gcm")
        #expect(web["topic"]?.string?.utf8.count == 32 && web["urgency"]?.string != nil)
    }

    @Test("runs share the token of the key, and the access token of Google")
    func tokens() throws {
        let fixture = try NotifySendFixture()
        for service in ["apns", "fcm", "apns", "fcm", "apns", "fcm"] {
            #expect(try fixture.send(service).status == 0)
        }
        let ids = fixture.received("apns").map { $0["jwt"]?["id"]?.string }
        #expect(ids.count == 3 && Set(ids).count == 1)
        #expect(fixture.received("oauth").count == 1 && fixture.received("fcm").count == 3)
    }

    /// An answer of a service, and what argus makes of it.
    struct Case: CustomTestStringConvertible {
        var fault: String
        var status: Int32
        /// The requests that reach the service.
        var requests = 1
        /// A word that the error contains.
        var word = ""

        var service: String { String(fault.dropFirst("provider=".count).prefix { $0 != "," }) }
        var testDescription: String { fault }
    }

    static let cases = [
        Case(fault: "provider=apns,reason=Unregistered", status: 3),
        Case(fault: "provider=apns,reason=ExpiredToken", status: 3),
        Case(fault: "provider=apns,reason=BadDeviceToken", status: 10, word: "production"),
        Case(fault: "provider=apns,reason=DeviceTokenNotForTopic", status: 7, word: "bundle id"),
        Case(fault: "provider=apns,reason=InvalidProviderToken", status: 4, word: "apns_key_id"),
        Case(
            fault: "provider=apns,reason=ExpiredProviderToken", status: 4, requests: 2,
            word: "clock"),
        Case(fault: "provider=apns,reason=ExpiredProviderToken,times=1", status: 0, requests: 2),
        Case(fault: "provider=apns,reason=TooManyProviderTokenUpdates", status: 8),
        Case(fault: "provider=apns,reason=BadCollapseId", status: 7, word: "BadCollapseId"),
        Case(fault: "provider=apns,reason=InternalServerError,times=1", status: 0, requests: 2),
        Case(fault: "provider=apns,reason=Shutdown,times=1", status: 0, requests: 2),
        Case(fault: "provider=fcm,reason=UNREGISTERED", status: 3),
        Case(fault: "provider=fcm,reason=INVALID_ARGUMENT", status: 10),
        Case(fault: "provider=fcm,reason=BAD_REQUEST", status: 7),
        Case(fault: "provider=fcm,reason=SENDER_ID_MISMATCH", status: 4, word: "another Firebase"),
        Case(fault: "provider=fcm,reason=THIRD_PARTY_AUTH_ERROR", status: 4),
        Case(fault: "provider=fcm,reason=PERMISSION_DENIED", status: 4),
        Case(fault: "provider=fcm,reason=UNAUTHENTICATED,times=1", status: 0, requests: 2),
        Case(fault: "provider=fcm,reason=QUOTA_EXCEEDED,times=1", status: 0, requests: 2),
        Case(fault: "provider=webpush,status=404", status: 3),
        Case(fault: "provider=webpush,status=410", status: 3),
        Case(fault: "provider=webpush,status=401", status: 4),
        Case(fault: "provider=webpush,status=403", status: 4, word: "key show"),
        Case(fault: "provider=webpush,status=413", status: 10),
        Case(
            fault: "provider=webpush,status=429,header=Retry-After:1,times=1", status: 0,
            requests: 2),
        Case(fault: "provider=webpush,status=429,header=Retry-After:86400", status: 8),
        Case(fault: "provider=webpush,status=503,times=1", status: 0, requests: 2),
        Case(
            fault: "provider=webpush,status=307,header=Location:http://127.0.0.1:1/", status: 10,
            word: "redirect"),
    ]

    @Test("each answer has its status, and one clear sentence", arguments: cases)
    func answers(of example: Case) throws {
        let fixture = try NotifySendFixture(faults: [example.fault])
        let ran = try fixture.send(example.service)
        #expect(ran.status == example.status, "\(ran.complaint)")
        #expect(fixture.received(example.service).count == example.requests)
        #expect(ran.complaint.contains(example.word))
        let message = ran.error?["message"]?.string
        #expect((message == nil) == (example.status == 0))
        #expect(message?.contains("\n") != true)
    }

    @Test("a clock that is 70 minutes wrong is named", arguments: ["4200", "-4200"])
    func clock(offset: String) throws {
        let fixture = try NotifySendFixture(["--clock", offset])
        let ran = try fixture.send("apns")
        #expect(ran.status == 4)
        #expect(ran.complaint.contains("clock"))
        #expect(fixture.received("apns").count <= 2)
        let google = try fixture.send("fcm")
        #expect(google.status == 4, "\(google.complaint)")
        #expect(fixture.received("fcm").isEmpty)
    }
}
