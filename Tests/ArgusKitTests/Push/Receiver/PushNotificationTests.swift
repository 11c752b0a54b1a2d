import ArgusCore
import Testing

@testable import ArgusPush

@Suite("PushNotification")
struct PushNotificationTests {
    private func read(_ text: String) throws -> PushNotification {
        try #require(PushNotification(Array(text.utf8), receivedAt: SentPush.now))
    }

    @Test("nested and flat payloads are the same notification")
    func forms() throws {
        let nested = try read(
            """
            {"title":"T","body":"B","silent":false,"tag":"c1","image":"/api/v1/thumbnails/a.jpg",
             "data":{"event_id":"e1","camera_id":"c1","camera_name":"Porch","url":"/events",
              "smart_detection_type":"person","timestamp":"2026-11-20T23:32:00Z"},
             "actions":[{"action":"view","title":"View","icon":"/i.svg"}]}
            """)
        var flat = try read(
            """
            {"title":"T","body":"B","silent":false,"tag":"c1","event_id":"e1","camera_id":"c1",
             "camera_name":"Porch","url":"/events","smart_detection_type":"person",
             "thumbnail_url":"/api/v1/thumbnails/a.jpg","timestamp":"2026-11-20T23:32:00Z",
             "actions":[{"id":"view","title":"View"}],"category":"SECURITY_ALERT",
             "sound":"default","priority":"high"}
            """)
        #expect(flat.category == "SECURITY_ALERT" && flat.sound == "default")
        #expect(flat.priority == "high")
        (flat.category, flat.sound, flat.priority) = (nil, nil, nil)
        #expect(nested == flat)
        #expect(nested.timestamp?.utcText == "2026-11-20T23:32:00.000000Z")
    }

    @Test("a test of the server is recognised, by its type or its tag")
    func tests() throws {
        #expect(try read(#"{"title":"T","data":{"type":"test"}}"#).isTest)
        #expect(try read(#"{"title":"T","tag":"test-notification"}"#).isTest)
        #expect(try !read(#"{"title":"T","tag":"c1","data":{"event_id":"e"}}"#).isTest)
    }

    @Test("members of a wrong type are none, and a text that is no object is the body")
    func oddities() throws {
        let odd = try read(
            #"{"title":5,"body":["x"],"data":"text","actions":{"a":1},"silent":"yes","url":null}"#)
        #expect(odd.title == nil && odd.body == nil && odd.url == nil)
        #expect(odd.actions == nil && odd.isSilent == nil && odd.eventID == nil)
        #expect(try read("plain text").body == "plain text")
        #expect(try read("[1,2]").body == "[1,2]")
        #expect(try read("{\"title\":").body == "{\"title\":")
        #expect(PushNotification([], receivedAt: SentPush.now) == nil)
        #expect(PushNotification([0xC3, 0x28], receivedAt: SentPush.now) == nil)
    }
}
