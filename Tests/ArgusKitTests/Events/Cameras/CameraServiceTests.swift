import ArgusAccount
import ArgusCore
import ArgusEvents
import ArgusTestSupport
import ArgusTransport
import Testing

@Suite("CameraService")
struct CameraServiceTests {
    private let fake = FakeTransport()
    private static let cameras = "/api/v1/cameras"
    private static let stream = "/api/v1/cameras/c1/stream/snapshot?quality=high"
    private static let absent = #"{"detail":"Not Found"}"#
    // "picture" and "preview" in base64.
    private static let picture =
        #"{"success":true,"image_base64":"data:image/jpeg;base64,cGljdHVyZQ=="}"#
    private static let preview = #"{"thumbnail_base64":"cHJldmlldw=="}"#

    private var service: CameraService { CameraService(session: .test(fake)) }

    private func snapshot() async throws -> String {
        let picture = try await service.snapshot(of: "c1", quality: .high).bytes
        return String(decoding: picture, as: UTF8.self)
    }

    private func snapshotError() async -> APIError? {
        await failure { () async throws(APIError) in
            try await service.snapshot(of: "c1", quality: .high)
        }
    }

    @Test("the health route says which cameras are online if the list does not")
    func listWithHealth() async throws {
        fake.stub(.get, Self.cameras, body: try Samples.text("cameras-list"))
        fake.stub(.get, Self.cameras + "/health", body: try Samples.text("cameras-health"))
        let cameras = try await service.list().map(\.value)
        #expect(cameras.map(\.name) == ["Front Door", "Driveway", "Garage USB"])
        #expect(cameras.map(\.isOnline) == [false, false, true])
        fake.verify()
    }

    @Test("a server whose list needed the health before is asked for both at once")
    func listAndHealthAtOnce() async throws {
        let (list, health) = (
            try Samples.text("cameras-list"), try Samples.text("cameras-health")
        )
        let isAsked = Signal()
        fake.stub(.get, Self.cameras) { _ in
            await isAsked.wait()
            return .success(HTTPResponse(status: 200, body: Array(list.utf8)))
        }
        fake.stub(.get, Self.cameras + "/health") { _ in
            isAsked.raise()
            return .success(HTTPResponse(status: 200, body: Array(health.utf8)))
        }
        let session = Session.test(fake, knowledge: ["cameras.health": "current"])
        let cameras = try await CameraService(session: session).list().map(\.value)
        #expect(cameras.map(\.isOnline) == [false, false, true])
        fake.verify()
    }

    @Test("a list with the online state is enough, and a failing health route is not a failure")
    func listWithoutHealth() async throws {
        fake.stub(.get, Self.cameras, body: #"{"cameras":[{"id":"a","is_online":true},{"x":1}]}"#)
        #expect(try await service.list().map(\.value.id) == ["a"])
        fake.stub(.get, Self.cameras, body: #"{"data":[{"id":"a"}]}"#)
        fake.stub(.get, Self.cameras + "/health", status: 500)
        #expect(try await service.list().map(\.value.isOnline) == [nil])
        fake.verify()
    }

    @Test("a list that is none is nonsense")
    func nonsense() async {
        for body in ["{}", "7", #"{"cameras":{}}"#, "<html>"] {
            fake.stub(.get, Self.cameras, body: body)
            let error = await failure { () async throws(APIError) in try await service.list() }
            let isPage = body.hasPrefix("<")
            #expect(error?.kind == (isPage ? .foreign(200) : .malformedAnswer), "\(body)")
        }
        fake.verify()
    }

    @Test("one camera has its details; the list's row stands in where there is no such route")
    func show() async throws {
        let view = try JSONView.parse(
            Array(#"{"id":"c1","is_online":true,"last_event_at":"2026-11-20T23:32:00Z"}"#.utf8))
        let listed = try #require(Camera(view))
        for _ in 0..<3 {
            fake.stub(.get, Self.cameras + "/health", status: 404, body: Self.absent)
            fake.stub(.get, Self.cameras + "/c1/stream/info", status: 404, body: Self.absent)
        }
        fake.stub(.get, Self.cameras + "/c1", body: #"{"id":"c1","worker_status":"starting"}"#)
        let shown = try await service.show(listed, view)
        #expect(shown.detail.camera.isOnline == false)
        #expect(shown.detail.camera.lastEventAt == listed.lastEventAt)
        #expect(shown.view["worker_status"]?.string == "starting")
        fake.stub(.get, Self.cameras + "/c1", status: 404, body: Self.absent)
        let row = try await service.show(listed, view)
        #expect(row.detail.camera == listed)
        fake.stub(.get, Self.cameras + "/c1", status: 403)
        let error = await failure { () async throws(APIError) in
            try await service.show(listed, view)
        }
        #expect(error?.kind == .forbidden)
        fake.verify()
    }

    @Test("today's server answers with a data URI")
    func streamSnapshot() async throws {
        fake.stub(.get, Self.stream, body: Self.picture)
        #expect(try await snapshot() == "picture")
        let deadlines = fake.requests.map(\.deadlines)
        #expect(deadlines.first?.firstByte == .seconds(60), "a camera may take its time")
        fake.verify()
    }

    @Test("a camera without a stream may have a preview")
    func previewOfFailure() async throws {
        let failed = try Samples.text("camera-stream-snapshot-failed")
        fake.stub(.get, Self.stream, body: failed)
        fake.stub(.get, "/api/v1/cameras/c1/preview", body: Self.preview)
        #expect(try await snapshot() == "preview")
        fake.verify()
    }

    @Test(
        "a camera with neither reports the first error",
        arguments: [
            (400, nil), (200, #"{"thumbnail_base64":null}"#), (404, nil), (404, absent), (405, nil),
            (410, nil),
        ] as [(Int, String?)])
    func offline(status: Int, body: String?) async throws {
        fake.stub(.get, Self.stream, body: try Samples.text("camera-stream-snapshot-failed"))
        fake.stub(.get, "/api/v1/cameras/c1/preview", status: status, body: body)
        let error = await snapshotError()
        #expect(error?.kind == .serverError)
        let words = "Camera does not have a stream URL configured"
        #expect(error?.detail == (status == 400 ? "\(words); stub" : words))
        fake.verify()
    }

    @Test(
        "a failed preview is reported as itself, not as a missing stream",
        arguments: [
            (401, #"{"detail":"Invalid token"}"#, APIError.Kind.unauthorized),
            (403, nil, .forbidden), (429, "", .rateLimited), (500, nil, .serverError),
            (200, "{nonsense", .malformedAnswer), (200, "<html>", .foreign(200)),
            (401, "", .foreign(401)), (404, "<html>", .foreign(404)),
        ] as [(Int, String?, APIError.Kind)])
    func failingPreview(status: Int, body: String?, kind: APIError.Kind) async throws {
        fake.stub(.get, Self.stream, body: try Samples.text("camera-stream-snapshot-failed"))
        fake.stub(
            .get, "/api/v1/cameras/c1/preview", status: status, headers: [("Retry-After", "9")],
            body: body)
        let error = await snapshotError()
        #expect(error?.kind == kind)
        #expect(error?.status == (error?.isForeign == true ? nil : status))
        #expect(error?.detail.contains("stream URL") == false)
        if status == 429 { #expect(error?.retryAfterSeconds == 9) }
        fake.verify()
    }

    @Test("a preview that never comes is no answer of the server's")
    func silentPreview() async throws {
        let silence = TransportError(.timedOut(.firstByte), "no answer")
        fake.stub(.get, Self.stream, body: try Samples.text("camera-stream-snapshot-failed"))
        fake.stub(.get, "/api/v1/cameras/c1/preview", error: silence)
        #expect(await snapshotError()?.kind == .transport(silence))
        fake.verify()
    }

    @Test("older servers answer with the picture itself, at one of two places")
    func otherGenerations() async throws {
        fake.stub(.get, Self.stream, status: 404, body: Self.absent)
        fake.stub(.get, "/api/v1/cameras/c1/snapshot", body: "JPEG")
        #expect(try await snapshot() == "JPEG")
        fake.stub(.get, Self.stream, status: 404, body: Self.absent)
        fake.stub(.get, "/api/v1/cameras/c1/snapshot", status: 404, body: Self.absent)
        fake.stub(.get, "/api/v1/mobile/cameras/c1/snapshot", body: "mobile JPEG")
        #expect(try await snapshot() == "mobile JPEG")
        fake.verify()
    }

    @Test(
        "a missing camera is reported without a request for a preview", arguments: [404, 503])
    func refusals(status: Int) async {
        fake.stub(.get, Self.stream, status: status, body: #"{"detail":"Camera c1 not found"}"#)
        let error = await snapshotError()
        #expect(error?.kind == (status == 404 ? .notFound : .serverError))
        fake.verify()
    }
}
