import ArgusCore
import ArgusEvents
import ArgusTestSupport
import ArgusTransport
import Testing

@Suite("thumbnails")
struct ThumbnailTests {
    private let fake = FakeTransport()
    private static let stored = "/api/v1/thumbnails/2026-11-20/event_e1.jpg"
    private static let documented = "/api/v1/events/e1/thumbnail"
    private static let mobile = "/api/v1/mobile/events/e1/thumbnail"

    private func thumbnail(_ members: String) async throws -> String {
        let view = try JSONView.parse(Array(#"{"id":"e1"\#(members)}"#.utf8))
        let detail = try #require(EventDetail(view))
        let bytes = try await EventService(session: .test(fake)).thumbnail(detail)
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test("a picture inside the event needs no request")
    func inside() async throws {
        for text in ["cGljdHVyZQ==", "data:image/jpeg;base64,cGljdHVyZQ=="] {
            #expect(try await thumbnail(#","thumbnail_base64":"\#(text)""#) == "picture")
        }
        fake.verify()
    }

    @Test(
        "a stored picture is fetched by day and file, without the credential",
        arguments: [
            "2026-11-20/event_e1.jpg", "thumbnails/2026-11-20/event_e1.jpg",
            "/api/v1/thumbnails/2026-11-20/event_e1.jpg",
            "https://evil.example/x/2026-11-20/event_e1.jpg",
        ])
    func stored(path: String) async throws {
        fake.stub(.get, Self.stored, body: "JPEG")
        #expect(try await thumbnail(#","thumbnail_path":"\#(path)""#) == "JPEG")
        #expect(fake.requests.allSatisfy { $0.origin.host == "home.example" })
        #expect(fake.requests.allSatisfy { !$0.headers.contains { $0.name == "Authorization" } })
        fake.verify()
    }

    @Test("other servers have a route by the event's id")
    func byID() async throws {
        fake.stub(.get, Self.documented, status: 404, body: #"{"detail":"Not Found"}"#)
        fake.stub(.get, Self.mobile, body: "JPEG")
        let url = #","thumbnail_url":"/api/v1/mobile/events/e1/thumbnail""#
        #expect(try await thumbnail(url) == "JPEG")
        fake.verify()
    }

    @Test("an event without a picture has none, whichever route says so")
    func none() async throws {
        fake.stub(
            .get, Self.documented, status: 422,
            body: try Samples.text("error-422-thumbnail-unsigned"))
        fake.stub(.get, Self.documented, status: 404, body: #"{"detail":"Thumbnail not found"}"#)
        for members in ["", "", #","has_thumbnail":false"#] {
            let error = await #expect(throws: APIError.self) { try await thumbnail(members) }
            #expect(error?.kind == .notFound)
        }
        fake.verify()
    }
}
