import ArgusKit
import ArgusTestSupport
import Testing

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

    @Test("names and ids come back, in private files")
    func remembers() throws {
        cache.remember(cameras: [try camera("c1", "Front Door"), try camera("c2", "Garage")])
        cache.remember(events: ["e2", "e1"])
        #expect(
            cache.cameras == [
                .init(text: "Front Door", description: "c1"),
                .init(text: "Garage", description: "c2"),
            ])
        #expect(cache.events == ["e2", "e1"])
        #expect(try permissions(folder.file("server01")) == 0o700)
        #expect(try permissions(folder.file("server01/events")) == 0o600)
    }

    @Test("what would not stay one line is left out")
    func oneLine() throws {
        cache.remember(cameras: [
            try camera("c1", "a\nb"), try camera("c2", "a\tb"), try camera("c\u{7F}", "x"),
            try camera("c4", nil), try camera("c5", ""), try camera("c6", "fine"),
        ])
        cache.remember(events: ["e\n1", "", "e2"])
        #expect(cache.cameras.map(\.text) == ["fine"])
        #expect(cache.events == ["e2"])
    }

    @Test("the newest hundred events are kept, and an empty list changes nothing")
    func bounds() {
        cache.remember(events: (1...150).map { "e\($0)" })
        #expect(cache.events == (1...100).map { "e\($0)" })
        cache.remember(events: [])
        #expect(cache.events.count == 100)
    }

    @Test("a cache that is erased, absent or impossible offers nothing, and no command fails")
    func absent() throws {
        #expect(cache.cameras == [])
        cache.remember(events: ["e1"])
        cache.erase()
        #expect(cache.events == [])
        #expect(try folder.names() == [])
        let id = try #require(ServerID("server01"))
        #expect(CompletionCache(.none(reason: "no home"), server: id) == nil)
        let lost = CompletionCache(.folder("/dev/null/x"), server: id)
        lost?.remember(events: ["e1"])
        #expect(lost?.events == [])
    }
}
