import Testing

@testable import ArgusKit

@Suite("messages of a stream")
struct StreamMessageTests {
    @Test(
        "announcements name their event, and all else is passed over",
        arguments: [
            (
                #"{"type":"NEW_EVENT","data":{"event_id":"e1","camera_id":"c"}}"#,
                StreamMessage.event("e1")
            ),
            (#"{"type":"EVENT_CREATED","data":{"id":"e2","camera_id":"c"}}"#, .event("e2")),
            // The alert came after the event's announcement.
            (#"{"type":"notification","data":{"id":"n1","event_id":"e3"}}"#, .event("e3")),
            (#"{"type":"notification","data":{"id":"n1"}}"#, .other),
            (#"{"type":"DOORBELL_RING","data":{"camera_id":"c"}}"#, .ring),
            (#"{"type":"CAMERA_STATUS_CHANGED","data":{"camera_id":"c"}}"#, .other),
            (#"{"type":"NEW_EVENT","data":{"event_id":7}}"#, .other),
            (#"{"type":"NEW_EVENT","data":{"event_id":""}}"#, .other),
            (#"{"type":"NEW_EVENT"}"#, .other), (#"["NEW_EVENT"]"#, .other), ("pong", .other),
            ("", .other), ("{", .other),
        ])
    func messages(text: String, message: StreamMessage) {
        #expect(StreamMessage(Array(text.utf8)) == message)
    }

    @Test("an id without end is none")
    func longID() {
        let id = String(repeating: "e", count: 257)
        let text = #"{"type":"EVENT_CREATED","data":{"id":"\#(id)"}}"#
        #expect(StreamMessage(Array(text.utf8)) == .other)
    }
}
