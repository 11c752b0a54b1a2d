import ArgusCore
import ArgusEvents
import Testing

@testable import ArgusPush

@Suite("DeliveryImport")
struct DeliveryImportTests {
    private static let key = "BA\(String(repeating: "A", count: 85))"
    private static let keys = #""p256dh":"\#(Deliveries.p256dh)","auth":"AAAAAAAAAAAAAAAAAAAAAA""#

    private func read(_ text: String, key: String? = key) -> [DeliveryImport.Entry] {
        DeliveryImport.read(Array(text.utf8), publicKey: key, at: Deliveries.now)
    }

    @Test(
        "subscriptions of browsers and UnifiedPush apps",
        arguments: [
            #"{"endpoint":"https://push.example/x","expirationTime":null,"keys":{\#(keys)}}"#,
            #"{"endpoint":"https://push.example/x",\#(keys)}"#,
            """
            {"url":"https://push.example/x","pubKeySet":{"pubKey":"\(Deliveries.p256dh)",
             "auth":"AAAAAAAAAAAAAAAAAAAAAA"}}
            """,
        ])
    func subscription(text: String) throws {
        let token = try #require(read(text).first).get().token
        #expect(token.service == .webPush && token.isActive && token.id.isUUID)
        guard case .webPush(let endpoint, let keys) = token.address else {
            Issue.record("it is no subscription")
            return
        }
        #expect(endpoint.text.reveal() == "https://push.example/x")
        #expect(keys.p256dh == Deliveries.p256dh)
    }

    @Test("records of the registry and of the design documents, with their preferences")
    func records() throws {
        let apns = String(repeating: "ab", count: 32)
        let text = """
            {"service":"apns","token":"\(apns)","token_type":"sandbox","bundle_id":"a.b",\
            "device_id":"550E8400-e29b-41d4-a716-446655440000","device_name":"Ann","cameras":["c1"],\
            "types":["person"],"quiet_hours_start":"22:00","quiet_hours_end":"07:00",\
            "timezone":"Europe/Paris","sound":false}

            {"push_service":"fcm","device_token":"\(String(repeating: "f", count: 64))","platform":"android"}
            """
        let receivers = try read(text).map { try $0.get() }
        let tokens = receivers.map(\.token)
        #expect(tokens.map(\.service) == [.apns, .fcm])
        let first = tokens[0]
        #expect(first.device.id == "550e8400-e29b-41d4-a716-446655440000")
        #expect(first.device.platform == .ios && tokens[1].device.platform == .android)
        let preferences = receivers[0].preferences.applied(to: PushPreferences())
        #expect(preferences.cameras == ["c1"] && preferences.objects == ["person"])
        #expect(preferences.isQuietEnabled && !preferences.hasSound)
        #expect(preferences.quietSpan?.start.minuteText == "22:00")
        #expect(preferences.timezone == "Europe/Paris")
        // A list is as good as lines.
        #expect(read("[\(text.split(separator: "\n").joined(separator: ","))]").count == 2)
    }

    @Test(
        "what is unusable is named, and no secret is shown",
        arguments: [
            ("nonsense", "the record is not JSON"),
            ("[1]", "the record is not an object"),
            ("{}", "the service is none of apns, fcm and webpush"),
            (#"{"service":"sms"}"#, "the service is none of apns, fcm and webpush"),
            (
                #"{"service":"apns"}"#,
                "the push token does not have the 64 to 200 hex digits of APNs"
            ),
            (
                #"{"service":"fcm","token":"f"}"#,
                "the push token does not have the 32 to 4096 characters of FCM"
            ),
            (#"{"endpoint":"ftp://x/planted",\#(keys)}"#, "the endpoint "),
            (
                #"{"endpoint":"http://93.184.216.34/planted",\#(keys)}"#,
                "the endpoint is plain http"
            ),
            (#"{"endpoint":"https://push.example/x","keys":{}}"#, "the p256dh key "),
            (
                #"{"endpoint":"https://push.example/x",\#(keys),"applicationServerKey":"BAAB"}"#,
                "the subscription was made with another key"
            ),
            (
                #"{"endpoint":"https://push.example/x",\#(keys),"types":["wolf"]}"#,
                "the type 'wolf' is not"
            ),
            (
                #"{"endpoint":"https://push.example/x",\#(keys),"quiet_hours_enabled":true}"#,
                "the quiet hours are not two times"
            ),
            (#"{"endpoint":"https://push.example/x",\#(keys),"timezone":"../x"}"#, "the timezone "),
        ])
    func unusable(text: String, message: String) throws {
        let entries = read(text)
        guard case .failure(let error) = try #require(entries.first) else {
            Issue.record("\(text) was accepted")
            return
        }
        #expect("\(error)".hasPrefix(message), "\(error)")
        #expect(!"\(error)".contains("planted"))
    }

    @Test("before there is a key no subscription can be bound to it")
    func withoutKey() throws {
        let text = #"{"endpoint":"https://push.example/x",\#(Self.keys)}"#
        guard case .failure(let error) = try #require(read(text, key: nil).first) else {
            Issue.record("it was accepted")
            return
        }
        #expect(error.field == "subscription")
        let own =
            #"{"endpoint":"https://push.example/x",\#(Self.keys),"applicationServerKey":"\#(Self.key)"}"#
        #expect(throws: Never.self) { try read(own)[0].get() }
    }
}
