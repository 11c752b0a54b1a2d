import ArgusCore
import ArgusTestSupport
import ArgusTransport
import Testing

@testable import argus

@Suite("screens of lists")
struct ListScreenTests {
    @Test("events list", arguments: Screen.widths)
    func events(width: Int) async throws {
        let test = try TestSystem.onScreen(width: width)
        try await test.know()
        test.fake.stub(.get, "/api/v1/events?limit=20&per_page=20", body: Self.events)
        #expect(await test.run("events", "list") == .done)
        try test.expectScreen("events-list")
    }

    private static let events = """
        {"events":[
        {"id":"8f85eda1-0b4e-4f0c-9a57-6f1c0f6a0001","camera_id":"c1","camera_name":"Front Door",
         "timestamp":"2026-11-21T10:07:41Z","smart_detection_type":"person","confidence":91,
         "description":"A person in a dark jacket looks towards the camera and leaves a letter.",
         "alert_triggered":true},
        {"id":"a03b12c4-0b4e-4f0c-9a57-6f1c0f6a0002","camera_id":"c1","camera_name":"Front Door",
         "timestamp":"2026-11-21T10:07:05Z","smart_detection_type":"ring","confidence":100,
         "description":"A visitor rang the doorbell.","is_doorbell_ring":true},
        {"id":"1c0f6a77-0b4e-4f0c-9a57-6f1c0f6a0003","camera_id":"c2","camera_name":"前庭",
         "timestamp":"2026-11-20T21:30:00Z","smart_detection_type":"animal","confidence":64,
         "description":"A cat crosses the lawn."},
        {"id":"2d0f6a77-0b4e-4f0c-9a57-6f1c0f6a0004","camera_id":"c3",
         "camera_name":"Driveway, north side","timestamp":"2026-11-18T17:30:12Z",
         "smart_detection_type":"vehicle","confidence":88,"alert_triggered":false,
         "description":"A white van stops; two people unload boxes and carry them to the garage."},
        {"id":"3e0f6a77-0b4e-4f0c-9a57-6f1c0f6a0005","camera_id":"c1","camera_name":"Front Door",
         "timestamp":"2026-11-12T07:15:00Z","smart_detection_type":"package","confidence":79,
         "description":"Two stacked boxes lie at the door."},
        {"id":"4f0f6a77-0b4e-4f0c-9a57-6f1c0f6a0006","camera_id":"c2",
         "timestamp":"2025-12-24T18:00:00Z"}],"total_count":238,"has_more":false}
        """
}
