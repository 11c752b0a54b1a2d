import ArgusTestSupport
import Testing

@testable import ArgusCore
@testable import ArgusEvents
@testable import ArgusPush

@Suite("PayloadForm")
struct PayloadFormTests {
    private func view(_ bytes: [UInt8]) throws -> JSONView { try JSONView.parse(bytes) }

    @Test("the form of Web Push is that of servers, which service workers read")
    func webPush() throws {
        let form = PayloadForm.webPush(isSilent: false)
        let document = try view(form.fitting(PushSamples.event()).document)
        let sample = try #require(try Samples.json("push-payloads")["event-person"])
        var names: [String] = []
        sample.forEachMember { name, _ in names.append(name.text) }
        for name in names { #expect(document[name] != nil, "\(name)") }
        #expect(document["title"]?.string == sample["title"]?.string)
        #expect(document["tag"]?.string == sample["tag"]?.string)
        #expect(document["silent"]?.bool == false)
        #expect(document["data"]?["camera_name"]?.string == "Porch")
        #expect(document["data"]?["smart_detection_type"]?.string == "person")
        #expect(
            document["image"]?.string
                == "https://argus.example/api/v1/events/8f85eda1-6326-4ccd-9cc8-c28eabd66677/thumbnail"
        )
        #expect(document["actions"]?.elements.map { $0["action"]?.string } == ["view", "dismiss"])
        let silent = PayloadForm.webPush(isSilent: true).document(PushSamples.event())
        #expect(try view(silent)["silent"]?.bool == true)
    }

    @Test("the form of APNs has the keys of the design documents; a silent one is passive")
    func apns() throws {
        let document = try view(PayloadForm.apns(isSilent: false).document(PushSamples.event()))
        let aps = try #require(document["aps"])
        #expect(aps["alert"]?["title"]?.string == "Porch: Person Detected")
        #expect(aps["alert"]?["subtitle"]?.string == "Porch")
        #expect(aps["badge"]?.int == 1 && aps["mutable-content"]?.int == 1)
        #expect(aps["sound"]?.string == "default" && aps["interruption-level"] == nil)
        #expect(aps["category"]?.string == "SECURITY_ALERT")
        #expect(aps["thread-id"]?.string == PushSamples.event().cameraID)
        #expect(document["event_id"]?.string == PushSamples.event().eventID)
        #expect(document["url"]?.string?.hasPrefix("/events?highlight=8f85eda1") == true)
        let silent = try view(PayloadForm.apns(isSilent: true).document(PushSamples.event()))
        #expect(silent["aps"]?["sound"] == nil)
        #expect(silent["aps"]?["interruption-level"]?.string == "passive")
    }

    @Test("the form of FCM has data only, all of it text, unless a notification is asked for")
    func fcm() throws {
        let token = try PushToken(PushSamples.fcmText, for: .fcm)
        func message(
            _ platform: PushPlatform?, isSilent: Bool = false, withNotification: Bool = false
        ) throws -> JSONView {
            let form = PayloadForm.fcm(
                token, platform: platform, isSilent: isSilent, withNotification: withNotification)
            return try #require(try view(form.document(PushSamples.event()))["message"])
        }
        let plain = try message(.android)
        #expect(plain["token"]?.string == PushSamples.fcmText)
        #expect(plain["notification"] == nil && plain["apns"] == nil)
        #expect(plain["data"]?["click_action"]?.string == "OPEN_EVENT")
        #expect(plain["data"]?["silent"] == nil)
        plain["data"]?.forEachMember { name, value in
            #expect(value.kind == .string, "\(name.text)")
        }
        #expect(plain["android"]?["priority"]?.string == "high")
        #expect(plain["android"]?["ttl"]?.string == "86400s")
        #expect(plain["android"]?["collapse_key"]?.string == PushSamples.event().eventID)
        #expect(plain["android"]?["notification"] == nil)
        #expect(try message(.android, isSilent: true)["data"]?["silent"]?.string == "true")
        let shown = try message(.android, withNotification: true)
        #expect(shown["notification"]?["title"]?.string == "Porch: Person Detected")
        let android = shown["android"]?["notification"]
        #expect(android?["channel_id"]?.string == "security_alerts")
        #expect(android?["icon"]?.string == "ic_notification")
        #expect(android?["color"]?.string == "#FF5722")
        #expect(android?["tag"]?.string == PushSamples.event().cameraID)
        let apple = try message(.ios)
        #expect(apple["apns"]?["payload"]?["aps"]?["alert"]?["title"]?.string != nil)
        #expect(apple["apns"]?["headers"]?["apns-priority"]?.string == "10")
    }

    @Test(
        "the body is cut at a character, then the subtitle and the picture go",
        arguments: ["👨‍👩‍👧‍👦", "e\u{301}", "\"", "\n", "ж", "a"])
    func shortening(unit: String) throws {
        var payload = PushSamples.event()
        payload.body = String(repeating: unit, count: 6000)
        let forms: [PayloadForm] = [
            .webPush(isSilent: false), .apns(isSilent: false),
            .fcm(nil, platform: .ios, isSilent: true, withNotification: true),
        ]
        for form in forms {
            let fitted = try form.fitting(payload)
            #expect(fitted.size <= form.limit)
            #expect(fitted.size > form.limit - 80, "more of the body would have fitted")
            #expect(fitted.payload.body.hasSuffix("…"))
            #expect(fitted.payload.body.dropLast().allSatisfy { String($0) == unit })
            #expect(fitted.payload.subtitle != nil && fitted.payload.thumbnailURL != nil)
        }
    }

    @Test("what cannot be shortened enough is refused with its size")
    func tooLarge() throws {
        var payload = PushSamples.event()
        let form = PayloadForm.apns(isSilent: false)
        payload.subtitle = String(repeating: "s", count: 4000)
        #expect(try form.fitting(payload).payload.subtitle == nil)
        payload.thumbnailURL = "https://argus.example/" + String(repeating: "t", count: 4000)
        let fitted = try form.fitting(payload)
        #expect(fitted.payload.thumbnailURL == nil)
        payload.title = String(repeating: "t", count: 4000)
        let error = #expect(throws: DeliveryError.self) { try form.fitting(payload) }
        #expect(error?.kind == .rejected)
        #expect(error?.description.contains("APNs takes 4096") == true)
    }

    @Test("one character of many million marks is cut off like any other")
    func hostile() throws {
        var payload = PushSamples.event()
        payload.body = "a" + String(repeating: "\u{301}", count: 200_000)
        #expect(try PayloadForm.webPush(isSilent: false).fitting(payload).payload.body == "…")
    }

    @Test("members of the data that a service keeps for itself are refused")
    func reserved() throws {
        for (name, service) in [
            ("aps", DeliveryService.apns), ("from", .fcm), ("google.x", .fcm), ("gcm.y", .fcm),
            ("", .webPush),
        ] {
            var payload = PushSamples.event()
            payload.set(name, "x")
            #expect(throws: DeliveryError.self) { try payload.check(for: service) }
        }
        var payload = PushSamples.event()
        payload.set("custom", "1")
        payload.set("custom", "2")
        payload.set("camera_name", "Gate")
        for service in DeliveryService.allCases { try payload.check(for: service) }
        #expect(payload.data == [PushPayload.Member(name: "custom", value: "2")])
        #expect(payload.cameraName == "Gate")
    }

    @Test(
        "the titles are those of servers",
        arguments: [
            ("person", nil, "Porch: Person Detected"), ("ring", nil, "Porch: Doorbell Ring"),
            ("package", "ups", "Porch: Package delivered by UPS"),
            ("package", nil, "Porch: Package Detected"), (nil, nil, "Porch: Motion Detected"),
        ])
    func titles(type: String?, carrier: String?, title: String) {
        var event = Event(id: "e1")
        event.smartDetectionType = type
        event.carrier = carrier
        event.cameraName = "Porch"
        let payload = PushPayload(event: event, publicURL: nil)
        #expect(payload.title == title)
        #expect(payload.thumbnailURL == nil)
        #expect(payload.priority == (type == nil ? .normal : .high))
    }

    @Test(
        "an event without a smart type is named by the first object seen",
        arguments: [
            (["person", "vehicle"], "Porch: Person Detected"),
            (["unknown"], "Porch: Motion Detected"),
            ([], "Porch: Motion Detected"), (["package"], "Porch: Package delivered by UPS"),
        ])
    func titlesOfObjects(objects: [String], title: String) {
        var event = Event(id: "e1")
        (event.objects, event.cameraName, event.carrier) = (objects, "Porch", "ups")
        #expect(PushPayload(event: event, publicURL: nil).title == title)
    }

    @Test("a person, a package and a ring are urgent, however the server recognised them")
    func urgency() throws {
        for (object, priority) in [("person", "high"), ("package", "high"), ("animal", "normal")] {
            let event = try #require(
                Event(
                    try JSONView.parse(
                        Array(#"{"id":"e1","objects_detected":["\#(object)"]}"#.utf8))))
            #expect(PushPayload(event: event, publicURL: nil).priority.rawValue == priority)
        }
    }

    @Test("the picture is the stored one, which needs no sign-in; else the event's route")
    func picture() throws {
        func picture(_ more: String) throws -> String? {
            let text = #"{"id":"e1"\#(more)}"#
            let event = try #require(Event(try JSONView.parse(Array(text.utf8))))
            let url = try ServerAddress(parsing: "https://argus.example/base")
            return PushPayload(event: event, publicURL: url).thumbnailURL
        }
        let base = "https://argus.example/base/api/v1"
        #expect(
            try picture(#","thumbnail_path":"thumbnails/2026-11-20/event_e1.jpg""#)
                == base + "/thumbnails/2026-11-20/event_e1.jpg")
        #expect(try picture(#","has_thumbnail":true"#) == base + "/events/e1/thumbnail")
        #expect(try picture(#","has_thumbnail":false"#) == nil)
    }

    @Test("a member of the user's replaces the one that FCM's form adds")
    func ownMember() throws {
        var payload = PushSamples.event()
        payload.set("click_action", "MINE")
        let form = PayloadForm.fcm(
            nil, platform: nil, isSilent: false, withNotification: false)
        let data = try JSONView.parse(form.document(payload))["message"]?["data"]
        let text = String(decoding: form.document(payload), as: UTF8.self)
        #expect(data?["click_action"]?.string == "MINE")
        #expect(text.split(separator: "click_action").count == 2)
    }
}
