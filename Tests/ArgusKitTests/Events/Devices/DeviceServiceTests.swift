import ArgusTestSupport
import Testing

@testable import ArgusCore
@testable import ArgusEvents
@testable import ArgusTransport

@Suite("DeviceService")
struct DeviceServiceTests {
    private let fake = FakeTransport()
    private static let devices = "/api/v1/devices"
    private static let missing = #"{"detail":"Device not found"}"#
    private static let absent = #"{"detail":"Not Found"}"#

    private var service: DeviceService { DeviceService(session: .test(fake)) }

    private func device(hardware: String = "hw-1") throws -> Device {
        let text = #"{"id":"row-1","device_id":"\#(hardware)","name":"attic"}"#
        return try #require(Device(try JSONView.parse(Array(text.utf8))))
    }

    private func sent() -> [String] {
        fake.requests.map { request in
            let body = request.body.map { " " + String(decoding: $0.bytes, as: UTF8.self) }
            return "\(request.method.rawValue) \(request.target)\(body ?? "")"
        }
    }

    @Test("the list of a real server")
    func list() async throws {
        fake.stub(.get, Self.devices, body: try Samples.text("devices-list"))
        let devices = try await service.list().map(\.value)
        #expect(devices.first?.hardwareID == "weird/id with space")
        #expect(devices.first?.quietHours.timezone == "UTC")
        #expect(devices.last?.name == "argus CLI 2")
        #expect(devices[1].hasID("CLI-HW-0001"))
        fake.verify()
    }

    @Test("a list of another kind is read, one that is none is nonsense")
    func shapes() async throws {
        fake.stub(.get, Self.devices, body: #"[{"id":"a"},{"name":"no id"}]"#)
        #expect(try await service.list().map(\.value.id) == ["a"])
        fake.stub(.get, Self.devices, body: #"{"devices":{}}"#)
        let error = await failure { () async throws(APIError) in try await service.list() }
        #expect(error?.kind == .malformedAnswer)
        fake.verify()
    }

    @Test("rename takes the row id; quiet hours and revoke take the device's own id")
    func eachRouteGetsItsID() async throws {
        fake.stub(.put, Self.devices + "/row-1", body: try Samples.text("device-renamed"))
        #expect(try await service.rename(device(), to: "x").device.name == "kitchen box")
        fake.stub(.put, Self.devices + "/hw-1/preferences", body: "{}")
        let hours = DeviceQuietHours(isEnabled: true, start: "22:00", end: "07:00")
        _ = try await service.setQuietHours(of: device(), to: hours)
        fake.stub(.delete, Self.devices + "/hw-1", status: 204)
        try await service.revoke(device())
        fake.verify()
        #expect(
            sent() == [
                #"PUT /api/v1/devices/row-1 {"name":"x"}"#,
                #"PUT /api/v1/devices/hw-1/preferences {"quiet_hours_enabled":true,"#
                    + #""quiet_hours_start":"22:00","quiet_hours_end":"07:00"}"#,
                "DELETE /api/v1/devices/hw-1",
            ])
    }

    @Test("a server that means the other id gets it after its 404")
    func otherID() async throws {
        fake.stub(.delete, Self.devices + "/hw-1", status: 404, body: Self.missing)
        fake.stub(.delete, Self.devices + "/row-1", status: 204)
        try await service.revoke(device())
        fake.stub(.put, Self.devices + "/row-1", status: 405)
        fake.stub(.put, Self.devices + "/row-1/rename", status: 404, body: Self.missing)
        fake.stub(.put, Self.devices + "/hw-1", status: 404, body: Self.absent)
        fake.stub(.put, Self.devices + "/hw-1/rename", body: #"{"id":"row-1","name":"x"}"#)
        #expect(try await service.rename(device(), to: "x").device.name == "x")
        fake.verify()
    }

    @Test("a device that is gone was revoked already")
    func gone() async throws {
        fake.stub(.delete, Self.devices + "/hw-1", status: 404, body: Self.missing)
        fake.stub(.delete, Self.devices + "/row-1", status: 404, body: Self.missing)
        try await service.revoke(device())
        fake.verify()
    }

    @Test("an id with a slash, which no route finds, is reported as such")
    func slash() async throws {
        let device = try device(hardware: "weird/id")
        fake.stub(.delete, Self.devices + "/row-1", status: 404, body: Self.missing)
        let error = await failure { () async throws(APIError) in
            try await service.revoke(device)
        }
        #expect(
            error?.kind
                == .unsupported("a route for a device whose own id has a '/' in it"))
        fake.stub(.put, Self.devices + "/row-1", body: "{}")
        #expect(try await service.rename(device, to: "x").device.name == "x")
        fake.verify()
    }

    @Test("a server without the routes lacks them by name")
    func unsupported() async {
        fake.stub(.get, Self.devices, status: 404, body: Self.absent)
        let error = await failure { () async throws(APIError) in try await service.list() }
        #expect(error?.kind == .unsupported("a list of devices"))
        fake.verify()
    }
}
