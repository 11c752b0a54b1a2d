import ArgusTestSupport
import Testing

@testable import argus_demo

/// Switching cameras, and telling fresh pictures from stale ones.
@Suite(.waitsForPrograms)
struct CameraChangeTests {
    private let home: TemporaryHome

    init() throws {
        home = try TemporaryHome()
    }

    private func shown(_ name: String) throws -> JSON {
        try home.argus("cameras", "show", name, "--json").json
    }

    @Test("enable and disable change the setting, --capture only what runs, and each says which")
    func switching() throws {
        try home.signIn(to: try DemoServer("--events", "0"))
        let off = try home.argus("cameras", "disable", "front door")
        #expect(off.complaint.contains("cameras enable \"Front Door\"' undoes it"))
        #expect(try shown("Front Door")["enabled"] == false)
        #expect(try shown("Front Door")["online"] == false)
        let on = try home.argus("cameras", "enable", "Front Door", "--json").json
        #expect(on["changed"]?.string == "setting")
        #expect(on["enabled"] == true)
        let stopped = try home.argus("cameras", "disable", "Front Door", "--capture")
        #expect(stopped.complaint.contains("until the server restarts"))
        let camera = try shown("Front Door")
        #expect(camera["enabled"] == true)
        #expect(camera["capture_enabled"] == false)
        #expect(camera["status"]?.string == "disabled")
        #expect(try home.argus("cameras", "enable", "Front Door", "--capture").status == 0)
        #expect(try shown("Front Door")["online"] == true)
        #expect(try home.argus("cameras", "enable", "Nope").status == 3)
    }

    @Test("a reconnection that did not work is a failure, and others are done all the same")
    func reconnecting() throws {
        try home.signIn(to: try DemoServer("--events", "0"))
        let ran = try home.argus("cameras", "reconnect", "Front Door", "Porch", "--json")
        #expect(ran.status == 11)
        #expect(ran.json.list.count == 1)
        let disabled = try home.argus("cameras", "reconnect", "Back Garden")
        #expect(disabled.status == 10)
        #expect(disabled.complaint.contains("Enable it first"))
    }

    @Test("show prints the stream and the last frame; other generations leave them null")
    func details() throws {
        try home.signIn(to: try DemoServer("--events", "0"))
        let camera = try shown("Front Door")
        #expect(camera["status"]?.string == "connected")
        #expect(camera["stream_qualities"]?.list.first?.string == "low 640x360 5 fps")
        #expect(camera["last_frame_at"]?.string?.hasSuffix("Z") == true)
        #expect(try shown("Porch")["error"]?.string == "Connection refused")
        for api in ["mobile", "documented"] {
            let other = try TemporaryHome()
            try other.signIn(to: try DemoServer("--events", "0", api: api))
            let row = try other.argus("cameras", "show", "Front Door", "--json").json
            #expect(row["stream_qualities"] == .null)
            #expect(try other.argus("cameras", "disable", "Front Door").status == 14)
        }
    }
}
