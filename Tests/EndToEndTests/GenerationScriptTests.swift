import Testing

@testable import argus_demo

/// The same script against every generation of the API.
@Suite(.waitsForPrograms)
struct GenerationScriptTests {
    static let generations = ["documented", "mobile", "current"]

    static let account = [
        "id", "username", "role", "active", "created_at", "last_login", "must_change_password",
        "server", "url", "via", "sign_in", "credentials", "expires_at",
    ]
    private static let server = [
        "name", "url", "username", "sign_in", "default", "id", "added_at", "urls",
    ]
    private static let event = [
        "id", "camera_id", "camera_name", "timestamp", "type", "objects", "confidence",
        "description", "is_doorbell_ring", "alert_triggered", "carrier", "source", "has_thumbnail",
        "entity_id", "entity_name",
    ]
    private static let eventDetail =
        event + [
            "analysis_mode", "provider", "created_at", "correlated_event_ids", "feedback",
            "frame_count", "has_video",
        ]
    private static let camera = [
        "id", "name", "enabled", "online", "source", "is_doorbell", "last_event_at",
    ]
    private static let cameraDetail =
        camera + [
            "model", "capture_enabled", "created_at", "updated_at", "status", "last_frame_at",
            "error", "stream_available", "stream_qualities", "stream_clients",
        ]
    private static let picture = ["path", "bytes", "sha256", "captured_at"]

    @Test("every command prints the canonical fields in order", arguments: generations)
    func sameFields(api: String) throws {
        let server = try DemoServer("--events", "30", api: api)
        let home = try TemporaryHome()
        try home.signIn(to: server)
        func keys(_ words: String..., each: Bool = false) throws -> [[String]] {
            let ran = try home.argus(words + ["--json"])
            #expect(ran.status == 0, "\(words): \(ran.complaint)")
            // Web sign-ins of today's server end after a day, which whoami says.
            #expect(ran.complaint.isEmpty || words == ["whoami"])
            return each ? ran.json.list.map(\.names) : [ran.json.names]
        }
        #expect(try keys("whoami") == [Self.account])
        #expect(try keys("server", each: true) == [Self.server])
        #expect(
            try keys("server", "show") == [
                Self.server + [
                    "ways", "credential_store", "way", "way_proved_at", "way_steps",
                    "insecure_http", "reachable", "problem", "status", "version",
                    "setup_complete", "api", "dashboard_url",
                ]
            ])
        let events = try keys("events", "list", "-n", "30", each: true)
        #expect(events.count == 30)
        #expect(events.allSatisfy { $0 == Self.event })
        #expect(try keys("events", "show", "latest") == [Self.eventDetail])
        #expect(
            try keys("events", "thumbnail", "latest", "-o", "e.jpg")
                == [["event_id"] + Self.picture])
        let cameras = try keys("cameras", "list", each: true)
        #expect(cameras.count == 6)
        #expect(cameras.allSatisfy { $0 == Self.camera })
        #expect(try keys("cameras", "show", "Front Door") == [Self.cameraDetail])
        #expect(
            try keys("cameras", "snapshot", "Front Door", "-o", "c.jpg")
                == [["camera_id"] + Self.picture + ["age_seconds", "frozen"]])
        for file in ["e.jpg", "c.jpg"] {
            let bytes = try #require(home.bytes(of: file))
            #expect(bytes.starts(with: [0xFF, 0xD8]) && bytes.suffix(2) == [0xFF, 0xD9])
        }
        let shown = try home.argus("server", "show", "--json").json
        #expect(shown["reachable"] == true)
        #expect(shown["problem"] == .null)
        let token = try home.argus("token")
        #expect(token.lines.count == 1)
        #expect(token.text.split(separator: ".").count == 3)
        #expect(try home.argus("logout").status == 0)
        #expect(try home.argus("events", "list").status == 4)
    }

    @Test("members that the generations share are the same")
    func sameValues() throws {
        var answers: [[JSON]] = []
        for api in Self.generations {
            let server = try DemoServer("--events", "60", api: api)
            let home = try TemporaryHome()
            try home.signIn(to: server)
            let words = [
                ["events", "list", "--all", "--json"], ["cameras", "list", "--json"],
                ["cameras", "show", "Driveway", "--json"],
            ]
            answers.append(try words.map { try home.argus($0).json })
        }
        let events = answers.map { $0[0].list }
        #expect(events.map(\.count) == [60, 60, 60])
        // Times with fractions come from the clock of each start.
        for name in ["id", "camera_id", "camera_name", "confidence"] {
            let columns = events.map { $0.map { $0[name] ?? .null } }
            #expect(columns[0] == columns[2], "\(name)")
            #expect(columns[1] == columns[2], "\(name)")
        }
        for name in ["description", "objects", "is_doorbell_ring", "source", "alert_triggered"] {
            #expect(agree(events.map { $0.map { $0[name] ?? .null } }), "\(name)")
        }
        let cameras = answers.map { $0[1].list }
        // Today's list calls a USB camera rtsp.
        for name in ["id", "name", "enabled"] {
            #expect(agree(cameras.map { $0.map { $0[name] ?? .null } }), "\(name)")
        }
        for name in ["id", "name", "enabled", "source", "is_doorbell"] {
            #expect(agree(answers.map { [$0[2][name] ?? .null] }), "\(name)")
        }
    }

    /// Whether columns have the same values, apart from those that are null in some.
    private func agree(_ columns: [[JSON]]) -> Bool {
        guard let first = columns.first, columns.allSatisfy({ $0.count == first.count }) else {
            return false
        }
        return first.indices.allSatisfy { row in
            let reported = columns.map { $0[row] }.filter { $0 != .null }
            return reported.dropFirst().allSatisfy { $0 == reported[0] }
        }
    }
}
