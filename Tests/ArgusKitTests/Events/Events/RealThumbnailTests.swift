import ArgusCore
import ArgusEvents
import ArgusTestSupport
import ArgusTransport
import Testing

/// Where today's server keeps pictures of events, as observed.
@Suite("thumbnails of today's server")
struct RealThumbnailTests {
    private let fake = FakeTransport()

    private func detail(_ members: String) throws -> EventDetail {
        let view = try JSONView.parse(Array(#"{"id":"e1",\#(members)}"#.utf8))
        return try #require(EventDetail(view))
    }

    private func picture(_ members: String) async throws -> [UInt8] {
        let detail = try detail(members)
        defer { fake.verify() }
        return try await EventService(session: .test(fake)).thumbnail(detail)
    }

    @Test(
        "a stored picture is fetched by day and file, however its path is written",
        arguments: [
            ("2026-11-20/event_e1.jpg", "event_e1.jpg"),
            ("thumbnails/2026-11-20/event_e1.jpg", "event_e1.jpg"),
            ("/api/v1/thumbnails/2026-11-20/e1.jpg", "e1.jpg"),
            (
                "api/v1/thumbnails/2026-11-20/cam_20261120_233200_1f2e.jpg",
                "cam_20261120_233200_1f2e.jpg"
            ),
        ])
    func storedPath(path: String, file: String) async throws {
        fake.stub(.get, "/api/v1/thumbnails/2026-11-20/" + file, body: "picture")
        #expect(try await picture(#""thumbnail_path":"\#(path)""#) == Array("picture".utf8))
        #expect(fake.requests.allSatisfy { $0.headers.allSatisfy { $0.name != "Authorization" } })
    }

    @Test("an address that is a route is no stored picture")
    func routeAddress() async throws {
        fake.stub(.get, "/api/v1/events/e1/thumbnail", body: "picture")
        let url = #""thumbnail_url":"/api/v1/mobile/events/e1/thumbnail""#
        #expect(try await picture(url) == Array("picture".utf8))
    }

    @Test("a stored picture that is gone is reported as such")
    func goneFile() async throws {
        fake.stub(.get, "/api/v1/thumbnails/2026-11-20/event_e1.jpg", status: 404)
        let error = await #expect(throws: APIError.self) {
            try await picture(#""thumbnail_path":"2026-11-20/event_e1.jpg""#)
        }
        #expect(error?.kind == .notFound)
        #expect(error?.detail == "the server no longer has its file")
    }

    @Test(
        "a picture inside the event is used, bare or as a data URI",
        arguments: ["cGljdHVyZQ==", "data:image/jpeg;base64,cGljdHVyZQ=="])
    func embedded(text: String) async throws {
        #expect(try await picture(#""thumbnail_base64":"\#(text)""#) == Array("picture".utf8))
    }
}
