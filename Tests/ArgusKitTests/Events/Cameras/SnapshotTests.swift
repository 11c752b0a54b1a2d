import ArgusTestSupport
import ArgusTransport
import Testing

@testable import ArgusAccount
@testable import ArgusCore
@testable import ArgusEvents

@Suite("Ages of pictures")
struct SnapshotTests {
    private let fake = FakeTransport()

    @Test("the age is the server's own: Date less the picture's time, else Age")
    func age() async throws {
        let target = "/api/v1/cameras/c1/stream/snapshot?quality=low"
        let body = #"{"success":true,"timestamp":"2026-11-20T22:00:00Z","image_base64":"cA=="}"#
        for (headers, age) in [
            ([("Date", "Fri, 20 Nov 2026 22:00:07 GMT")], Duration.seconds(7)),
            ([("Date", "Fri, 20 Nov 2026 21:59:00 GMT")], .zero),
            ([("Age", "30")], .seconds(30)), ([], nil),
        ] as [([(String, String)], Duration?)] {
            fake.stub(.get, target, headers: headers.map { (name: $0.0, value: $0.1) }, body: body)
            let snapshot = try await CameraService(session: .test(fake)).snapshot(
                of: "c1", quality: .low)
            #expect(snapshot.age == age)
            #expect(snapshot.takenAt == Timestamp(serverText: "2026-11-20T22:00:00Z"))
        }
        fake.verify()
    }

    @Test("the same bytes again are a frozen picture, unless they come at once")
    func frozen() throws {
        let folder = try TemporaryFolder()
        let cache = Paths.Folder.folder(folder.path)
        let server = ServerRecord(
            name: "home", endpoints: [Endpoint(.local, "https://h", proof: .publicCertificate)],
            addedAt: Timestamp(seconds: 0)
        ).id
        var memory = try #require(SnapshotMemory(cache, server: server))
        #expect(memory.isRepeated("c1", "aa", at: Timestamp(seconds: 100)) == nil)
        #expect(memory.isRepeated("c1", "aa", at: Timestamp(seconds: 100)) == nil)
        memory.keep()
        var later = try #require(SnapshotMemory(cache, server: server))
        #expect(later.isRepeated("c1", "aa", at: Timestamp(seconds: 200)) == true)
        #expect(later.isRepeated("c1", "bb", at: Timestamp(seconds: 300)) == false)
        #expect(later.isRepeated("c2", "bb", at: Timestamp(seconds: 300)) == nil)
    }
}
