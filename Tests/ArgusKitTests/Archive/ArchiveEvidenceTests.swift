import ArgusTestSupport
import Glibc
import Synchronization
import Testing

@testable import ArgusArchive
@testable import ArgusCore
@testable import ArgusEvents
@testable import ArgusTransport

@Suite("archive: what the server changes or fails to give")
struct ArchiveEvidenceTests {
    typealias Row = EventServer.Row
    private let test: ArchiveFixture

    init() throws { test = try ArchiveFixture() }

    private func texts(_ sql: String, in archive: Archive) throws -> [String] {
        var found: [String] = []
        try archive.database.forEach(sql) { row throws(ArchiveError) in
            found.append(row.text(0) ?? "")
        }
        return found
    }

    private func findings(_ archive: Archive) throws -> [ArchiveFinding] {
        try ArchiveVerifier(archive) { _ in }.findings().listed
    }

    @Test("an object and a picture that the server changed stay beside the new ones")
    func changed() async throws {
        let archive = try await test.changing()
        func sync(_ path: String, _ text: String) async throws {
            let members = #","thumbnail_path":"2026-11-20/\#(path)","description":"\#(text)""#
            let server = PictureServer([Row("e1", at: 1_900_000, members)])
            _ = try await ArchiveFixture.sync(archive, with: server, .init(isFull: true))
        }
        try await sync("a.jpg", "A man at the door")
        let first = try test.media()
        try await sync("b.jpg", "Nobody")
        try await sync("c.jpg", "Nobody at all")
        #expect(try test.media().count == 3 && Set(first).isSubset(of: try test.media()))
        #expect(try findings(archive) == [])
        #expect(
            try texts("SELECT state FROM media ORDER BY item DESC", in: archive)
                == ["stored", "former", "former"])
        let former = try texts("SELECT raw FROM former ORDER BY rowid", in: archive)
        #expect(former.count == 2 && former[0].contains("A man at the door"))
        // Back to what it was before: nothing is stored twice.
        try await sync("a.jpg", "A man at the door")
        #expect(try texts("SELECT raw FROM former", in: archive).count == 3)
        try await sync("b.jpg", "Nobody")
        #expect(try texts("SELECT raw FROM former", in: archive).count == 3)
        #expect(try test.media().count == 3)
        #expect(try findings(archive) == [])
        try test.damage("UPDATE former SET raw = replace(raw, 'man', 'cat')")
        #expect(try findings(archive).map(\.subject) == ["e1"])
        let forgetting = ArchiveForgetting(archive)
        try forgetting.run(
            try forgetting.plan(before: nil, keeping: 0), at: ArchiveFixture.now)
        #expect(try test.media().isEmpty)
        #expect(try findings(archive) == [])
    }

    @Test("an address that is signed anew is no change")
    func signedAddresses() async throws {
        let archive = try await test.changing()
        for number in 1...3 {
            let members = #","thumbnail_url":"/api/v1/thumbnails/2026-11-20/a.jpg?sig=\#(number)""#
            let server = PictureServer([Row("e1", at: 1_900_000, members)])
            let report = try await ArchiveFixture.sync(
                archive, with: server, .init(isFull: true),
                at: ArchiveFixture.now + .seconds(number * 30 * 86400)
            ) { notice in
                if case .rewritten = notice { Issue.record("a warning") }
            }
            #expect(report.pictures == (number == 1 ? 1 : 0) && report.changed == 0)
        }
        #expect(try texts("SELECT raw FROM former", in: archive).isEmpty)
    }

    @Test("a member that has another name, or another's value, is a change")
    func lasting() throws {
        let texts = [
            #"{"ai_cost":1,"ai_time":23}"#, #"{"ai_cost":12,"ai_time":3}"#,
            #"{"cost":1,"ai_time":23}"#, #"{"ai_cost":1,"thumbnail_url":"23"}"#,
        ]
        let lasting = try texts.map { try JSONView.parse(Array($0.utf8)).lasting }
        #expect(Set(lasting).count == texts.count)
    }

    @Test("the files of many events are noted in few transactions")
    func transactions() async throws {
        let archive = try await test.changing()
        let rows = PictureServer.rows(200)
        var scope = EventArchiver.Scope()
        scope.hasFiles = false
        _ = try await ArchiveFixture.sync(archive, with: PictureServer(rows), scope)
        let report = try await ArchiveFixture.sync(archive, with: PictureServer(rows), .init())
        #expect(report.pictures == 200)
        // Each transaction writes at least two pages of 32 KiB to the log.
        var log = stat()
        #expect(stat(test.folder.database + "-wal", &log) == 0 && log.st_size < 4_000_000)
    }

    @Test("a sync warns of old events that the server has changed")
    func oldChanges() async throws {
        let archive = try await test.changing()
        let counts = Mutex<[Int]>([])
        func sync(_ text: String, days: Int) async throws {
            let rows = ArchiveFixture.rows(3) { #","description":"\#($0 < 3 ? text : "")""# }
            _ = try await ArchiveFixture.sync(
                archive, with: PictureServer(rows), .init(isFull: true),
                at: ArchiveFixture.now + .seconds(days * 86400)
            ) { notice in
                if case .rewritten(let count) = notice { counts.withLock { $0.append(count) } }
            }
        }
        try await sync("A man", days: 0)
        try await sync("A woman", days: 6)
        try await sync("A woman", days: 8)
        #expect(counts.withLock { $0 } == [])
        try await sync("Nobody", days: 8)
        #expect(counts.withLock { $0 } == [2])
    }

    @Test("a size counts a file of many events once")
    func sharedFiles() async throws {
        let archive = try await test.changing()
        let rows = PictureServer.rows(20) { _ in "black.jpg" }
        _ = try await ArchiveFixture.sync(archive, with: PictureServer(rows), .init())
        let path = try #require(try test.media().first)
        let size = try FileContents(path, trust: .named, limit: 1 << 20).bytes.count
        let objects = try archive.database.number("SELECT sum(length(raw)) FROM object") ?? 0
        let forgetting = ArchiveForgetting(archive)
        #expect(try forgetting.plan(before: nil, keeping: size + objects).count == 0)
        #expect(try forgetting.plan(before: nil, keeping: size + objects - 1).count == 1)
        #expect(try forgetting.plan(before: nil, keeping: 0).bytes == size + objects)
    }

    @Test("a secret that a server repeats is data in its rows, and masked in argus's own words")
    func echoedSecrets() async throws {
        let archive = try await test.changing()
        let secret = Redacted("archived-secret-5c1e")
        let rows = [
            Row("e1", at: 1_900_000, #","thumbnail_path":"2026-11-20/a.jpg""#),
            Row("id-\(secret.reveal())", at: 1_900_001, #","has_thumbnail":false"#),
        ]
        let server = PictureServer(rows) { _ in
            let body = #"{"detail":"Bearer \#(secret.reveal()) is no key"}"#
            return HTTPResponse(status: 400, body: Array(body.utf8))
        }
        _ = try await ArchiveFixture.sync(archive, with: server, .init())
        #expect(try findings(archive) == [])
        #expect(try test.ids() == ["id-\(secret.reveal())", "e1"])
        let reasons = try archive.database.rows("SELECT reason FROM media") { $0.text(0) }
        #expect(reasons == ["Bearer <redacted> is no key"])
    }

    @Test("the newest pictures come first, also in a first sync")
    func newestFirst() async throws {
        let archive = try await test.changing()
        let server = PictureServer(PictureServer.rows(80))
        _ = try await ArchiveFixture.sync(archive, with: server, .init())
        let names = server.asked.compactMap { $0.split(separator: "/").last }
        #expect(names.count == 80)
        #expect(Set(names.prefix(32)) == Set((1...32).map { "event_e\($0).jpg" }))
    }

    @Test("videos are fetched from a server that has no frames")
    func withoutFrames() async throws {
        let archive = try await test.changing()
        let server = PictureServer(ArchiveFixture.rows(2)) { target in
            HTTPResponse(
                status: target.hasSuffix("/frames") ? 403 : 404,
                body: Array(#"{"detail":"no"}"#.utf8))
        }
        var scope = EventArchiver.Scope()
        (scope.hasFrames, scope.hasVideos) = (true, true)
        await #expect(throws: ArchiveError.self) {
            _ = try await ArchiveFixture.sync(archive, with: server, scope)
        }
        #expect(server.asked.count { $0.contains("video") } == 2, "\(server.asked)")
    }

    @Test("a batch of large events ends after a megabyte or two")
    func largeRows() async throws {
        let picture = String(repeating: "x_y~", count: 75_000)
        try await test.sync(ArchiveFixture.rows(20) { _ in #","picture":"\#(picture)""# })
        let rows = try ArchiveRows(
            ArchiveQuery(EventFilter()), in: try Archive(reading: test.folder))
        var counts: [Int] = []
        while let batch = try rows.next() { counts.append(batch.count) }
        #expect(counts.reduce(0, +) == 20 && counts.max() ?? 0 <= 8, "\(counts)")
    }
}
