import FoundationEssentials
import Testing

@testable import argus_demo

/// Pictures and videos of today's server.
@Suite(.waitsForPrograms)
struct DemoPictureTests {
    private let fixture: DemoFixture
    private let token: String

    init() throws {
        fixture = try DemoFixture()
        token = fixture.token()
    }

    private func isJPEG(_ bytes: [UInt8]) -> Bool {
        bytes.starts(with: [0xFF, 0xD8, 0xFF]) && bytes.suffix(2) == [0xFF, 0xD9]
    }

    private func snapshot(_ camera: String) throws -> [UInt8] {
        let target = "/api/v1/cameras/\(fixture.camera(camera))/stream/snapshot"
        let reply = fixture.ask(.GET, target, token: token)
        let uri = try #require(reply.json["image_base64"]?.string)
        let prefix = "data:image/jpeg;base64,"
        #expect(uri.hasPrefix(prefix))
        return Array(try #require(Data(base64Encoded: String(uri.dropFirst(prefix.count)))))
    }

    @Test("snapshots are JPEGs that differ by camera and by second")
    func snapshotsDiffer() throws {
        let door = try snapshot("Front Door")
        let drive = try snapshot("Driveway")
        let later = try snapshot("Front Door")
        #expect(isJPEG(door) && isJPEG(drive) && isJPEG(later))
        #expect(door != drive)
        #expect(door != later)
    }

    @Test("a USB camera has no stream picture, but a preview")
    func usbHasOnlyPreview() throws {
        let id = fixture.camera("Garage")
        let stream = fixture.ask(.GET, "/api/v1/cameras/\(id)/stream/snapshot", token: token)
        #expect(stream.status == 200)
        #expect(stream.json["success"] == false)
        let preview = fixture.ask(.GET, "/api/v1/cameras/\(id)/preview", token: token)
        let text = try #require(preview.json["thumbnail_base64"]?.string)
        #expect(isJPEG(Array(try #require(Data(base64Encoded: text)))))
    }

    @Test("an offline camera answers 200 without a picture")
    func offlineCamera() {
        let id = fixture.camera("Porch")
        let reply = fixture.ask(
            .GET, "/api/v1/cameras/\(id)/stream/snapshot?quality=odd", token: token)
        #expect(reply.status == 200)
        #expect(reply.json["success"] == false)
        #expect(reply.json["quality"] == "odd")
        #expect(reply.json["error"]?.string?.isEmpty == false)
        #expect(fixture.ask(.GET, "/api/v1/cameras/\(id)/preview", token: token).status == 400)
    }

    @Test("with all cameras online none is off or out of reach")
    func allOnline() throws {
        var options = try Options(["--all-online", "--cameras", "12", "--events", "0"])
        options.rate = 0
        let service = try Service(options, now: fixture.now)
        let online = service.withState { $0.cameras.map(\.isOnline) }
        #expect(online == Array(repeating: true, count: 12))
    }

    @Test("camera ids are read as UUIDs here and as text there")
    func cameraIds() {
        let id = fixture.camera("Driveway")
        let plain = id.uppercased().filter { $0 != "-" }
        #expect(fixture.ask(.GET, "/api/v1/cameras/\(plain)", token: token).status == 200)
        #expect(fixture.ask(.GET, "/api/v1/cameras/\(plain)/preview", token: token).status == 404)
    }

    @Test("thumbnails are public, and a missing one has no body")
    func thumbnailsArePublic() throws {
        let event = try #require(fixture.event { $0.marks.contains(.thumbnail) })
        let path = try #require(event.thumbnailPath)
        let found = fixture.ask(.GET, "/api/v1/thumbnails/\(path)")
        #expect(found.status == 200)
        #expect(isJPEG(found.bytes))
        #expect(found.header("cache-control") == "max-age=86400")
        let missing = fixture.ask(.GET, "/api/v1/thumbnails/2001-01-01/\(path.dropFirst(11))")
        #expect(missing.status == 404)
        #expect(missing.bytes.isEmpty)
        #expect(missing.header("cache-control") == "max-age=86400")
    }

    @Test("frames are public, numbered from one")
    func framesArePublic() throws {
        let event = try #require(fixture.event { $0.marks.contains(.thumbnail) })
        let path = "/api/v1/events/\(event.id.text)/frames"
        let list = fixture.ask(.GET, path).json
        #expect(list["total_count"] == 3)
        let first = fixture.ask(.GET, "\(path)/1")
        #expect(isJPEG(first.bytes))
        #expect(list["frames"]?.elements?.first?["file_size_bytes"]?.int == first.bytes.count)
        #expect(fixture.ask(.GET, "\(path)/4").status == 404)
        #expect(fixture.ask(.GET, "\(path)/one").status == 422)
    }

    @Test("a download resumes")
    func videoRanges() throws {
        let event = try #require(
            fixture.event { $0.source == .protect && $0.marks.contains(.thumbnail) })
        let path = "/api/v1/events/\(event.id.text)/video/download"
        func get(_ path: String, _ range: String?) -> DemoFixture.Reply {
            fixture.ask(.GET, path, token: token, headers: range.map { [("range", $0)] } ?? [])
        }
        let whole = get(path, nil)
        #expect(whole.status == 200)
        #expect(Array(whole.bytes[4..<8]) == Array("ftyp".utf8))
        let rest = get(path, "bytes=1000-")
        #expect(rest.status == 206)
        #expect(rest.bytes == Array(whole.bytes.dropFirst(1000)))
        #expect(get(path, "bytes=-100").bytes == Array(whole.bytes.suffix(100)))
        let usb = try #require(fixture.event { $0.source == .usb })
        #expect(get("/api/v1/events/\(usb.id.text)/video/download", nil).status == 404)
    }
}
