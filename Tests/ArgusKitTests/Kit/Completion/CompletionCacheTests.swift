import ArgusAccount
import ArgusTestSupport
import Testing

@testable import ArgusCore
@testable import ArgusEvents
@testable import ArgusKit

@Suite("CompletionCache")
struct CompletionCacheTests {
    private let folder: TemporaryFolder
    private let cache: CompletionCache

    init() throws {
        folder = try TemporaryFolder()
        let id = try #require(ServerID("server01"))
        cache = try #require(CompletionCache(.folder(folder.path), server: id))
    }

    private func camera(_ id: String, _ name: String?) throws -> Camera {
        var camera = try #require(Camera(Samples.json("camera-detail-connected")))
        camera.id = id
        camera.name = name
        return camera
    }

    private func events(_ ids: String...) throws -> [Event] { try events(ids) }

    private func events(_ ids: [String], type: String = "person") throws -> [Event] {
        try ids.map { id in
            let view = try JSONView.parse(
                Array(
                    #"""
                    {"id":"x","camera_name":"Front Door","timestamp":"2026-11-20T23:32:00Z",
                    "smart_detection_type":"\#(type)"}
                    """#.utf8))
            var event = try #require(Event(view))
            event.id = id
            return event
        }
    }

    @Test("names and ids come back, in private files")
    func remembers() throws {
        cache.remember(cameras: [try camera("c1", "Front Door"), try camera("c2", "Garage")])
        cache.remember(events: try events("e2", "e1"))
        #expect(
            cache.cameras == [
                .init(text: "Front Door", description: "c1"),
                .init(text: "Garage", description: "c2"),
            ])
        #expect(cache.events.map(\.id) == ["e2", "e1"])
        #expect(
            cache.events.first
                == .init(
                    id: "e2", time: "2026-11-20T23:32:00.000000Z", type: "person",
                    camera: "Front Door"))
        #expect(try permissions(folder.file("server01")) == 0o700)
        #expect(try permissions(folder.file("server01/events")) == 0o600)
    }

    @Test("what would not stay one line is left out")
    func oneLine() throws {
        cache.remember(cameras: [
            try camera("c1", "a\nb"), try camera("c2", "a\tb"), try camera("c\u{7F}", "x"),
            try camera("c4", nil), try camera("c5", ""), try camera("c6", "fine"),
        ])
        cache.remember(events: try events("e\n1", "", "e2"))
        #expect(cache.cameras.map(\.text) == ["fine"])
        #expect(cache.events.map(\.id) == ["e2"])
    }

    @Test("the newest hundred events are kept, and an empty list changes nothing")
    func bounds() throws {
        cache.remember(events: try events((1...150).map { "e\($0)" }))
        #expect(cache.events.map(\.id) == (1...100).map { "e\($0)" })
        cache.remember(events: [])
        #expect(cache.events.count == 100)
    }

    @Test("types add up, and what is no line is none")
    func types() throws {
        #expect(cache.types == [])
        cache.remember(events: try events(["e1"], type: "licensePlate"))
        cache.remember(events: try events(["e2"], type: "a\\tb"))
        cache.remember(events: try events(["e3"]))
        #expect(cache.types == ["licensePlate", "person"])
    }

    @Test("a cache that is erased, absent or impossible offers nothing, and no command fails")
    func absent() throws {
        #expect(cache.cameras == [])
        cache.remember(events: try events("e1"))
        cache.erase()
        #expect(cache.events == [])
        #expect(try folder.names() == [])
        let id = try #require(ServerID("server01"))
        #expect(CompletionCache(.none(reason: "no home"), server: id) == nil)
        let lost = CompletionCache(.folder("/dev/null/x"), server: id)
        lost?.remember(events: try events("e1"))
        #expect(lost?.events == [])
    }
}
