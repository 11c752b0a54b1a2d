import Testing

@testable import ArgusEvents

@Suite("messages of a stream")
struct FeedSignalTests {
    @Test(
        "announcements name their event, and all else is passed over",
        arguments: [
            (
                #"{"type":"NEW_EVENT","data":{"event_id":"e1","camera_id":"c"}}"#,
                ServiceSignal?.some(.announced("e1"))
            ),
            (#"{"type":"EVENT_CREATED","data":{"id":"e2","camera_id":"c"}}"#, .announced("e2")),
            // The alert came after the event's announcement.
            (#"{"type":"notification","data":{"id":"n1","event_id":"e3"}}"#, .announced("e3")),
            (#"{"type":"notification","data":{"id":"n1"}}"#, nil),
            (#"{"type":"DOORBELL_RING","data":{"camera_id":"c"}}"#, .ring),
            (#"{"type":"CAMERA_STATUS_CHANGED","data":{"camera_id":"c"}}"#, nil),
            (#"{"type":"NEW_EVENT","data":{"event_id":7}}"#, nil),
            (#"{"type":"NEW_EVENT","data":{"event_id":""}}"#, nil),
            (#"{"type":"NEW_EVENT"}"#, nil), (#"["NEW_EVENT"]"#, nil), ("pong", nil),
            ("", nil), ("{", nil),
        ])
    func messages(text: String, message: ServiceSignal?) {
        #expect(ServiceSignal(streamText: Array(text.utf8)) == message)
    }

    @Test("an id without end is none")
    func longID() {
        let id = String(repeating: "e", count: 257)
        let text = #"{"type":"EVENT_CREATED","data":{"id":"\#(id)"}}"#
        #expect(ServiceSignal(streamText: Array(text.utf8)) == nil)
    }
}
