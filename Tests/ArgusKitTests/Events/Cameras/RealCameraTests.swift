import ArgusEvents
import ArgusTestSupport
import ArgusTransport
import Testing

/// What today's server answers about cameras, as observed.
@Suite("cameras of today's server")
struct RealCameraTests {
    private let fake = FakeTransport()
    private var service: CameraService { CameraService(session: .test(fake)) }

    private static let list =
        #"[{"id":"a","is_enabled":true},{"id":"b","is_enabled":false},{"id":"c","is_enabled":true}]"#
    private static let health =
        #"{"cameras":{"a":{"status":"reconnecting","worker_alive":true}}}"#

    @Test("a disabled camera is offline, one without a state is unknown")
    func online() async throws {
        fake.stub(.get, "/api/v1/cameras", body: Self.list)
        fake.stub(.get, "/api/v1/cameras/health", body: Self.health)
        #expect(try await service.list().map(\.value.isOnline) == [false, false, nil])
        fake.verify()
    }

    @Test("without a health route no camera is offline")
    func noHealth() async throws {
        fake.stub(.get, "/api/v1/cameras", body: Self.list)
        fake.stub(
            .get, "/api/v1/cameras/health", status: 404, body: #"{"detail":"Not Found"}"#)
        #expect(try await service.list().map(\.value.isOnline) == [nil, nil, nil])
        fake.verify()
    }

    @Test("a failed picture reports the camera's state from the preview")
    func disabledCamera() async throws {
        fake.stub(
            .get, "/api/v1/cameras/b/stream/snapshot?quality=low",
            body: #"{"success":false,"image_base64":null,"error":"no stream URL"}"#)
        fake.stub(
            .get, "/api/v1/cameras/b/preview", status: 400,
            body: #"{"detail":"Camera b is disabled"}"#)
        let error = await #expect(throws: APIError.self) {
            try await service.snapshot(of: "b", quality: .low)
        }
        #expect(error?.kind == .serverError)
        #expect(error?.detail == "no stream URL; Camera b is disabled")
        fake.verify()
    }

    @Test("a camera without a stream gives its preview")
    func preview() async throws {
        fake.stub(
            .get, "/api/v1/cameras/b/stream/snapshot?quality=high",
            body: #"{"success":false,"image_base64":null,"error":"no stream URL"}"#)
        fake.stub(
            .get, "/api/v1/cameras/b/preview", body: #"{"thumbnail_base64":"cGljdHVyZQ=="}"#)
        let picture = try await service.snapshot(of: "b", quality: .high).bytes
        #expect(picture == Array("picture".utf8))
        fake.verify()
    }
}
