import ArgusTestSupport
import Synchronization
import Testing

@testable import ArgusArchive

@Suite("archive: servers")
struct ArchiveServersTests {
    typealias Row = EventServer.Row
    private let test: ArchiveFixture

    init() throws { test = try ArchiveFixture() }

    @Test("two servers share an archive, also with the same ids")
    func servers() async throws {
        try await test.sync(ArchiveFixture.rows(3))
        let others = (1...2).map {
            Row("e\($0)", at: 1_950_000 - Int64($0), #","has_thumbnail":false"#)
        }
        try await test.sync(others, named: "cabin")
        let archive = try Archive(reading: test.folder)
        #expect(try archive.servers().map(\.name) == ["cabin", "home"])
        #expect(try test.ids().count == 5)
        let cabin = try archive.servers()[0]
        #expect(try test.ids { $0.server = cabin } == ["e1", "e2"])
    }

    @Test("a server that is reached at another address is the same server")
    func addresses() async throws {
        var rows = ArchiveFixture.rows(5)
        try await test.sync(rows)
        // The latest event that the archive has is gone by now, and there are new ones.
        rows.remove(at: 0)
        rows.insert(Row("new", at: 1_950_000, #","has_thumbnail":false"#), at: 0)
        let report = try await test.sync(rows, isFull: true, named: "elsewhere")
        #expect(report.added == 1 && report.deleted == 1)
        let archive = try Archive(reading: test.folder)
        #expect(try archive.servers().map(\.name) == ["home"])
        #expect(try test.ids().count == 6)
    }

    @Test("a server that was recognised once is known without its latest events")
    func remembered() async throws {
        var rows = ArchiveFixture.rows(6)
        try await test.sync(rows)
        try await test.sync(rows, named: "elsewhere")
        rows.removeFirst(3)
        for name in ["elsewhere", "home", "elsewhere"] {
            let report = try await test.sync(rows, isFull: true, named: name)
            #expect(report.added == 0 && report.deleted == (rows.count == 3 ? 3 : 1), "\(name)")
            rows.removeFirst()
        }
        #expect(try Archive(reading: test.folder).servers().map(\.name) == ["home"])
    }

    @Test("a server that has none of the archived events any more is reported")
    func replaced() async throws {
        let archive = try await test.changing()
        let counts = Mutex<[Int]>([])
        func sync(_ rows: [Row]) async throws {
            _ = try await ArchiveFixture.sync(
                archive, with: EventServer(rows), isFull: true, named: "home"
            ) { notice in
                if case .replaced(let count) = notice { counts.withLock { $0.append(count) } }
            }
        }
        try await sync(ArchiveFixture.rows(5))
        try await sync(Array(ArchiveFixture.rows(5).dropLast()))
        #expect(counts.withLock { $0 } == [])
        let others = (1...3).map { Row("x\($0)", at: 1_950_000, #","has_thumbnail":false"#) }
        try await sync(others)
        #expect(counts.withLock { $0 } == [4])
        try await sync(others)
        #expect(counts.withLock { $0 } == [4])
    }

    @Test("a server that lost all of its events is the same server at another address")
    func emptied() async throws {
        let rows = ArchiveFixture.rows(5)
        try await test.sync(rows)
        try await test.sync([], isFull: true)
        let report = try await test.sync(rows, isFull: true, named: "elsewhere")
        #expect(report.returned == 5 && report.added == 0)
        #expect(try Archive(reading: test.folder).servers().count == 1)
    }
}
