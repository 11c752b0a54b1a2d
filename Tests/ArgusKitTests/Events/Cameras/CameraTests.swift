import ArgusCore
import ArgusEvents
import ArgusTestSupport
import Testing

@Suite("Camera")
struct CameraTests {
    private func camera(_ json: String) throws -> Camera? {
        Camera(try JSONView.parse(Array(json.utf8)))
    }

    @Test("a camera of today's server is read from its own route")
    func current() throws {
        let camera = try #require(Camera(Samples.json("camera-detail-connected")))
        #expect(camera.id == "83e8482b-3da8-42c3-a4f1-6806e221aaa0")
        #expect(camera.name == "Garage USB")
        #expect(camera.isEnabled == true)
        #expect(camera.isOnline == true)
        #expect(camera.source == "rtsp")
        #expect(camera.isDoorbell == false)
        #expect(camera.isCaptureEnabled == true)
        #expect(camera.model == nil)
        #expect(camera.lastEventAt == nil)
        #expect(camera.createdAt?.utcText == "2026-11-20T23:30:47.243432Z")
        #expect(camera.updatedAt?.utcText == "2026-11-20T23:35:57.671035Z")
    }

    @Test("the list of today's server has no online state")
    func list() throws {
        let cameras = try Samples.json("cameras-list").elements.map { try #require(Camera($0)) }
        #expect(cameras.map(\.name) == ["Front Door", "Driveway", "Garage USB"])
        #expect(cameras.allSatisfy { $0.isOnline == nil && $0.isCaptureEnabled == nil })
    }

    @Test("the mobile API's camera has other members")
    func mobile() throws {
        let camera = try camera(
            """
            {"id":"cam-1","name":"Porch","is_enabled":true,"is_online":false,
             "source_type":"protect","last_event_at":"2026-11-20T23:32:00Z"}
            """)
        #expect(camera?.isOnline == false)
        #expect(camera?.source == "protect")
        #expect(camera?.lastEventAt?.utcText == "2026-11-20T23:32:00.000000Z")
        #expect(camera?.isDoorbell == nil)
    }

    @Test(
        "only what is connected is online", arguments: [("connected", true), ("starting", false)])
    func status(word: String, isOnline: Bool) throws {
        #expect(try camera(#"{"id":"c","worker_status":"\#(word)"}"#)?.isOnline == isOnline)
    }

    @Test("a camera of Protect has no worker that could be stopped")
    func protect() throws {
        for (source, isOnline) in [("protect", nil), ("rtsp", false)] as [(String, Bool?)] {
            let view = #"{"id":"c","worker_status":"stopped","source_type":"\#(source)"}"#
            #expect(try camera(view)?.isOnline == isOnline)
        }
    }

    @Test("members of a wrong type say nothing, unknown words are kept")
    func wrongTypes() throws {
        let camera = try camera(
            """
            {"id":"c","name":7,"is_enabled":"yes","is_online":1,"worker_status":[],
             "source_type":"quantum","is_doorbell":null,"last_event_at":{},"created_at":"soon"}
            """)
        #expect(camera?.source == "quantum")
        #expect(camera?.name == nil && camera?.isEnabled == nil && camera?.isOnline == nil)
        #expect(camera?.isDoorbell == nil && camera?.lastEventAt == nil)
        #expect(camera?.createdAt == nil)
        for json in [#"{"id":7}"#, #"{"id":""}"#, "{}", "[]", #""c""#] {
            #expect(try Camera(JSONView.parse(Array(json.utf8))) == nil)
        }
    }
}
