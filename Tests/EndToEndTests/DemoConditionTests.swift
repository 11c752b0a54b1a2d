import FoundationEssentials
import Testing

@testable import argus_demo

/// What the demo says about its own state, and the failures that only this shows.
@Suite(.waitsForPrograms)
struct DemoConditionTests {
    /// A demo without sockets with these options.
    private func fixture(_ words: String...) throws -> DemoFixture {
        let options = try Options(words)
        return try DemoFixture { $0.condition = options.settings.condition }
    }

    private func metrics(_ fixture: DemoFixture) -> [String] {
        let bytes = fixture.ask(.GET, "/metrics").bytes
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    private func value(_ name: String, _ lines: [String]) -> Double? {
        lines.first { $0.hasPrefix("\(name) ") }.flatMap { Double($0.dropFirst(name.count + 1)) }
    }

    @Test("the metrics are those of a real server, in their order")
    func families() throws {
        let real = String(decoding: DemoSamples.bytes(of: "metrics.txt"), as: UTF8.self)
        let heads = metrics(try fixture()).filter { $0.hasPrefix("#") }
        #expect(heads == real.split(separator: "\n").filter { $0.hasPrefix("#") }.map(String.init))
    }

    @Test("each path asked for has a series, with {id} for its ids")
    func countsRequests() throws {
        let fixture = try fixture()
        let token = fixture.token()
        for camera in ["Driveway", "Garage"] {
            let path = "/api/v1/cameras/\(fixture.camera(camera))"
            #expect(fixture.ask(.GET, path, token: token).status == 200)
        }
        _ = fixture.ask(.GET, "/api/v1/a%22b")
        let lines = metrics(fixture)
        let series = #"{method="GET",path="/api/v1/cameras/{id}",status_code="200"}"#
        #expect(value("http_requests_total\(series)", lines) == 2)
        let strange = #"{method="GET",path="/api/v1/a\"b",status_code="401"}"#
        #expect(value("http_requests_total\(strange)", lines) == 1)
        let duration = #"http_request_duration_seconds_count{method="GET",path="/api/v1/a\"b"}"#
        #expect(value(duration, lines) == 1)
        // The answer does not count itself.
        #expect(!lines.contains { $0.contains("path=\"/metrics\"") })
        #expect(metrics(fixture).contains { $0.contains("path=\"/metrics\"") })
    }

    @Test(
        "a path is counted under its form",
        arguments: [
            ("/a/12/b", "/a/{id}/b"), ("/2026-11-20/x1", "/{id}-11-20/x1"), ("/", "/"), ("", ""),
            (
                "/t/event_11111111-2222-4333-8444-55555555ABCD.jpg", "/t/event_{id}.jpg"
            ),
        ])
    func normalizes(_ path: String, _ form: String) {
        #expect(Traffic.normalized(path) == form)
    }

    @Test(
        "large numbers have an exponent",
        arguments: [
            (0, "0.0"), (23.8, "23.8"), (999_999, "999999.0"), (1_000_000, "1e+06"),
            (24_116_678_656, "2.4116678656e+10"), (1_234_567.5, "1.2345675e+06"),
        ])
    func writesNumbers(_ number: Double, _ text: String) {
        #expect(MetricsRoutes.number(number) == text)
    }

    @Test("queue, disk and running time are in the metrics")
    func machine() throws {
        let healthy = try fixture()
        healthy.now = healthy.now + 90
        let lines = metrics(healthy)
        #expect(value("event_queue_depth", lines) == 0)
        #expect(value(#"system_disk_usage_percent{path="/"}"#, lines) == 24)
        #expect(value("app_uptime_seconds", lines) == 90)
        let ill = try fixture("--queue", "50", "--disk", "95")
        #expect(value(#"system_disk_usage_percent{path="/"}"#, metrics(ill)) == 95)
        // The metric never counts; the report about the pipeline does.
        #expect(value("event_queue_depth", metrics(ill)) == 0)
        let pipeline = ill.ask(.GET, "/api/v1/metrics", token: ill.token()).json
        #expect(pipeline["queue_depth"]?.int == 50)
    }

    @Test("8000 other paths make 10 MB of metrics")
    func largeMetrics() throws {
        let bytes = try fixture("--asked-paths", "8000").ask(.GET, "/metrics").bytes
        #expect(bytes.count > 10_000_000 && bytes.count < 20_000_000)
    }

    @Test(
        "Protect is absent, connected, lost or silent",
        arguments: [
            ("none", "disconnected", false, nil, nil), ("connected", "connected", true, 2, 0.0),
            ("disconnected", "disconnected", false, 1200, 1200.0),
            ("silent", "connected", false, 1200, 0.0),
        ])
    func protect(
        _ option: String, _ state: String, _ isHealthy: Bool, _ age: Int?, _ gauge: Double?
    ) throws {
        let fixture = try fixture("--protect", option)
        let protect = try #require(fixture.ask(.GET, "/health").json["protect_ws"])
        #expect(protect["state"]?.string == state)
        #expect(protect["is_healthy"] == .bool(isHealthy))
        #expect((protect["controller_name"] == .null) == (option == "none"))
        #expect(protect["last_message_age_seconds"] == JSON(age))
        fixture.now = fixture.now + -1
        let lines = metrics(fixture)
        #expect(value("protect_ws_connected", lines) == (state == "connected" ? 1 : 0))
        #expect(value("protect_ws_last_message_age_seconds", lines) == gauge ?? 0)
    }

    private func descriptions(_ fixture: DemoFixture, _ limit: Int) -> [String] {
        let reply = fixture.ask(.GET, "/api/v1/events?limit=\(limit)", token: fixture.token())
        return reply.json["events"]?.elements?.compactMap { $0["description"]?.string } ?? []
    }

    @Test(
        "the AI fails for a part of the events, and its breaker opens at half",
        arguments: [
            ("0", 0...0, nil), ("30", 40...105, 0), ("60", 110...180, 1), ("100", 242...242, 1),
        ]
            as [(String, ClosedRange<Int>, Double?)])
    func undescribed(_ percent: String, _ count: ClosedRange<Int>, _ breaker: Double?) throws {
        let fixture = try fixture("--undescribed", percent)
        for _ in 0..<2 { fixture.service.recordEvent(now: fixture.now) }
        let lost = descriptions(fixture, 500).count { $0 == "AI analysis unavailable" }
        #expect(count.contains(lost))
        let lines = metrics(fixture)
        #expect(value(#"ai_circuit_breaker_state{provider="openai"}"#, lines) == breaker)
        let path = "/api/v1/system/ai-resilience"
        let state = fixture.ask(.GET, path, token: fixture.token()).json["openai"]?["state"]
        #expect(state == (breaker == 1 ? "open" : "closed"))
    }

    @Test("a cost cap pauses the newest descriptions", arguments: ["daily", "monthly"])
    func costCap(_ cap: String) throws {
        let fixture = try fixture("--cost-cap", cap)
        fixture.service.recordEvent(now: fixture.now)
        let texts = descriptions(fixture, 500)
        let paused = texts.prefix { $0 == "AI analysis paused - cost cap \(cap)" }
        #expect(paused.count == 21 && !texts.dropFirst(21).contains { $0.contains("paused") })
        let path = "/api/v1/system/ai-cost-status"
        let status = fixture.ask(.GET, path, token: fixture.token()).json
        #expect(status["is_paused"] == true)
        #expect(status["pause_reason"]?.string == "cost_cap_\(cap)")
        #expect(status["\(cap)_percent"] == 100.0)
    }

    private func picture(_ fixture: DemoFixture, _ camera: String) throws -> Data {
        let path = "/api/v1/cameras/\(fixture.camera(camera))/preview"
        let text = fixture.ask(.GET, path, token: fixture.token()).json["thumbnail_base64"]
        return try #require(Data(base64Encoded: text?.string ?? ""))
    }

    @Test("a frozen camera shows one picture for ever, others new ones")
    func frozen() throws {
        let fixture = try fixture("--camera-fault", "frozen,camera=Garage")
        let (first, other) = (
            try picture(fixture, "Garage"), try picture(fixture, "Driveway")
        )
        fixture.now = fixture.now + 600
        #expect(try picture(fixture, "Garage") == first)
        #expect(try picture(fixture, "Driveway") != other)
    }

    @Test(
        "black and plain pictures are small, and not all the same", arguments: ["black", "plain"])
    func plain(_ kind: String) throws {
        let fixture = try fixture("--camera-fault", kind)
        let pictures = try (0..<4).map { _ in try picture(fixture, "Garage") }
        #expect(Set(pictures).count > 1)
        let usual = try picture(try self.fixture(), "Garage")
        #expect(pictures.allSatisfy { $0.count * 2 < usual.count })
    }

    @Test("a stopped camera is connected, but sends nothing")
    func stopped() throws {
        let fixture = try fixture("--camera-fault", "stopped,camera=Garage")
        for _ in 0..<60 { fixture.service.recordEvent(now: fixture.now) }
        let id = fixture.camera("Garage")
        let token = fixture.token()
        let last = fixture.ask(.GET, "/api/v1/events?limit=1&camera_id=\(id)", token: token)
        let time = last.json["events"]?.elements?.first?["timestamp"]?.string.flatMap { Moment($0) }
        #expect(try #require(time) < fixture.now + -86_400)
        let health = fixture.ask(.GET, "/api/v1/cameras/health", token: token)
        #expect(health.json["cameras"]?[id]?["status"] == "connected")
        let all = try self.fixture("--camera-fault", "stopped")
        all.service.recordEvent(now: all.now)
        #expect(all.event { $0.time > all.now + -86_400 } == nil)
    }

    @Test("a new event belongs to the camera that its description names")
    func namesTheCamera() throws {
        let fixture = try DemoFixture(events: 0)
        for _ in 0..<40 { fixture.service.recordEvent(now: fixture.now) }
        let names = (0..<6).map(Camera.name)
        let reply = fixture.ask(.GET, "/api/v1/events", token: fixture.token())
        for event in reply.json["events"]?.elements ?? [] {
            let name = try #require(event["camera_name"]?.string)
            let text = event["description"]?.string ?? ""
            let named = names.first { text.contains($0) }
            #expect(named == nil || named == name)
        }
    }

    @Test(
        "other generations know neither health nor metrics at the root",
        arguments: [Generation.mobile, .documented])
    func otherGenerations(_ api: Generation) throws {
        let fixture = try DemoFixture(api)
        for path in ["/health", "/metrics"] {
            #expect(fixture.ask(.GET, path, token: fixture.token()).status == 404)
        }
    }

    @Test(
        "a condition that makes no sense is refused",
        arguments: [
            ["--camera-fault", "tired"], ["--camera-fault", "black,for=1h"],
            ["--camera-fault", "black,camera=Attic"], ["--protect", "off"], ["--queue", "51"],
            ["--disk", "101"], ["--undescribed", "x"], ["--cost-cap", "hourly"],
        ])
    func refuses(_ words: [String]) {
        #expect(throws: UsageError.self) { try Options(words) }
    }
}
