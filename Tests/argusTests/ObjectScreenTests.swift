import ArgusAccount
import ArgusCore
import ArgusTestSupport
import ArgusTransport
import Testing

@testable import argus

@Suite("screens of one thing")
struct ObjectScreenTests {
    private func expectScreen(
        _ name: String, width: Int, of words: [String], answers: [(target: String, sample: String?)]
    ) async throws {
        let test = try TestSystem.onScreen(width: width)
        // Its own id would be random.
        try await test.know { $0.id = ServerID("abcdefgh") ?? $0.id }
        for (target, sample) in answers {
            test.fake.stub(
                .get, target, status: sample == nil ? 404 : 200,
                body: try sample.map(Samples.text) ?? #"{"detail":"Event x not found"}"#)
        }
        #expect(await test.run(words) == .done, "\(test.stdout)")
        try test.expectScreen(name)
    }

    @Test("events show", arguments: Screen.widths)
    func event(width: Int) async throws {
        let id = "8f85eda1-3922-436c-9153-a4cd5b4836f2"
        let path = "/api/v1/events/" + id
        try await expectScreen(
            "events-show", width: width, of: ["events", "show", id],
            answers: [
                (path, "event-detail"), (path + "/frames", "event-frames"),
                (path + "/video/download", nil),
            ])
    }

    @Test("cameras show", arguments: Screen.widths)
    func camera(width: Int) async throws {
        let cameras = "/api/v1/cameras"
        let path = cameras + "/83e8482b-3da8-42c3-a4f1-6806e221aaa0"
        try await expectScreen(
            "cameras-show", width: width, of: ["cameras", "show", "garage usb"],
            answers: [
                (cameras, "cameras-list"), (path, "camera-detail-connected"),
                (cameras + "/health", "cameras-health"),
                (path + "/stream/info", "camera-stream-info"),
            ])
    }

    @Test("whoami", arguments: Screen.widths)
    func account(width: Int) async throws {
        try await expectScreen(
            "whoami", width: width, of: ["whoami"], answers: [("/api/v1/auth/me", "auth-me")])
    }

    @Test("server show", arguments: Screen.widths)
    func server(width: Int) async throws {
        try await expectScreen(
            "server-show", width: width, of: ["server", "show"],
            answers: [
                ("/health", "health"), ("/api/v1/auth/setup-status", "setup-status"),
                ("/", "root"),
            ])
    }

    @Test("devices show", arguments: Screen.widths)
    func device(width: Int) async throws {
        let test = try TestSystem.onScreen(width: width)
        try await test.know()
        test.fake.stub(
            .get, "/api/v1/devices",
            body: """
                {"devices":[{"id":"22f0de9a-2","device_id":"x","name":"Ann's phone",
                  "platform":"ios","device_model":"iPhone 17 Pro",
                  "last_seen_at":"2026-11-17T18:02:00Z","created_at":"2026-10-01T08:00:00Z"}]}
                """)
        #expect(await test.run("devices", "show", "Ann's phone") == .done, "\(test.stdout)")
        try test.expectScreen("devices-show")
    }
}
