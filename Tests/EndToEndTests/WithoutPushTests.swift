import Testing

@testable import argus_demo

/// argus finds events by asking: servers push hardly any, and their WebSocket loses some.
@Suite(.waitsForPrograms)
struct WithoutPushTests {
    @Test("a new event is listed at once, without any push or WebSocket")
    func found() throws {
        let server = try DemoServer("--events", "3")
        let home = try TemporaryHome()
        try home.signIn(to: server)
        try home.argus(["push", "subscribe"] + OwnerScriptTests.receiver)
        let camera = try home.argus("cameras", "list", "--json").json.list.first?["id"]?.string
        let made = try home.argus(
            "api", "events", "-f", "camera_id=\(camera ?? "")", "-f",
            "timestamp=2030-01-01T00:00:00Z", "-f", "description=A parcel", "-F", "confidence=90",
            "-f", "objects_detected[]=package")
        #expect(made.status == 0, "\(made.complaint)")
        let listed = try home.argus("events", "list", "-n", "1", "--json").json.list
        #expect(listed.first?["description"] == "A parcel")
        #expect(listed.first?["type"] == "package")
        // What the answer to a created event lacks, the list has.
        #expect(made.json["camera_name"] == .null)
        #expect(listed.first?["camera_name"]?.string?.isEmpty == false)
        // The subscription was never used, and nothing but ordinary requests came.
        let row = try home.argus("push", "subscriptions", "--json").json.list.first
        #expect(row?["last_used_at"] == .null)
        #expect(!server.requests.isEmpty)
        #expect(server.count("/ws") == 0)
    }
}
