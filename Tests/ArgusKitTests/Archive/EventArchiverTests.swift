import ArgusCore
import ArgusTestSupport
import Synchronization
import Testing

@testable import ArgusArchive
@testable import ArgusEvents
@testable import ArgusTransport

/// A server that refuses all but its first requests.
private final class EndingServer: WholeAnswerTransport {
    private let list: EventServer
    private let left: Mutex<Int>

    init(_ rows: [EventServer.Row], answers: Int) {
        list = EventServer(rows)
        left = Mutex(answers)
    }

    func answer(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        let isOver = left.withLock { left in
            left -= 1
            return left < 0
        }
        return isOver ? HTTPResponse(status: 400, body: []) : try await list.answer(request)
    }
}

@Suite("archive: syncs")
struct EventArchiverTests {
    typealias Row = EventServer.Row
    private let test: ArchiveFixture

    init() throws { test = try ArchiveFixture() }

    @Test("the number of files of each kind, and of what a check reads, is known before")
    func expected() async throws {
        let archive = try await test.changing()
        let steps = Mutex<[String]>([])
        let server = PictureServer(PictureServer.rows(3))
        _ = try await ArchiveFixture.sync(archive, with: server, .init()) { notice in
            steps.withLock { steps in
                switch notice {
                case .expectedEvents: steps.append("listing")
                case .events(let count): steps.append("\(count) events")
                case .expectedFiles(let count): steps.append("of \(count) files")
                case .files(let count): steps.append("\(count) files")
                default: break
                }
            }
        }
        #expect(
            steps.withLock { $0 } == ["listing", "3 events", "of 3 files", "3 files"])
        let checked = Mutex(0)
        let verifier = ArchiveVerifier(archive) { count in checked.withLock { $0 += count } }
        #expect(try verifier.findings().isEmpty)
        #expect(verifier.partCount == 6)
        #expect(checked.withLock { $0 } == 6)
    }

    @Test("a first sync reads everything, and the objects are those of the server")
    func first() async throws {
        let report = try await test.sync(ArchiveFixture.rows(1200) { #", "z":1.50,"n":\#($0)"# })
        #expect(report.added == 1200 && report.changed == 0 && report.deleted == 0)
        #expect(try test.ids() == (1...1200).map { "e\($0)" })
        #expect(try test.ids { $0.order = .oldestFirst } == (1...1200).reversed().map { "e\($0)" })
        let rows = try ArchiveRows(
            ArchiveQuery(EventFilter()), in: try Archive(reading: test.folder))
        let first = try #require(try rows.next()?.first)
        let raw = String(decoding: first.view.rawBytes, as: UTF8.self)
        #expect(raw.hasSuffix(#""has_thumbnail":false,"z":1.50,"n":1}"#))
    }

    @Test("a second sync reads from two hours before the first, and finds what changed there")
    func second() async throws {
        let rows = ArchiveFixture.rows(300)
        let archive = try await test.changing()
        let first = EventServer(rows)
        _ = try await ArchiveFixture.sync(archive, with: first, named: "home")
        // The server sends no clock, so the start is this machine's: all rows are long before it.
        let second = EventServer(rows)
        let again = try await ArchiveFixture.sync(archive, with: second, named: "home")
        #expect(again == ArchiveReport())
        let start = (ArchiveFixture.now - .seconds(7200)).utcText
        #expect(second.queries.map { $0["start_time"] } == [start])
    }

    @Test("a time of the last sync that is ahead of the clock is not believed")
    func futureSync() async throws {
        let archive = try await test.changing()
        let rows = ArchiveFixture.rows(3)
        _ = try await ArchiveFixture.sync(archive, with: EventServer(rows), named: "home")
        let future = ArchiveFixture.now + .seconds(86400)
        try archive.database.run("UPDATE server SET last_sync = ?", SQLiteValue(future))
        for start in [nil, (ArchiveFixture.now - .seconds(7200)).utcText] {
            let server = EventServer(rows)
            _ = try await ArchiveFixture.sync(archive, with: server, named: "home")
            #expect(server.queries.map { $0["start_time"] } == [start])
        }
    }

    @Test("a full sync asks again for files that the server failed to give")
    func failedFiles() async throws {
        let archive = try await test.changing()
        let rows = [
            Row("new", at: 1_990_000, #","has_thumbnail":true"#),
            Row("old", at: 1_000_000, #","has_thumbnail":true"#),
        ]
        var states: [String] = []
        for (state, isFull) in [("broken", false), ("broken", true), ("absent", true)] {
            _ = try await ArchiveFixture.sync(archive, with: EventServer(rows), named: "home")
            try archive.wantThumbnails()
            try archive.database.run("UPDATE media SET state = ?", .text(state))
            _ = try await ArchiveFixture.sync(
                archive, with: EventServer(rows), isFull: isFull, named: "home")
            try archive.database.forEach(
                "SELECT state FROM media JOIN event ON number = media.event ORDER BY id"
            ) { row throws(ArchiveError) in states.append(row.text(0) ?? "") }
        }
        #expect(states == ["broken", "broken", "wanted", "wanted", "wanted", "absent"])
    }

    @Test("pictures that a sync left out are wanted by the next one, each once")
    func laterPictures() async throws {
        let archive = try await test.changing()
        func wanted(_ texts: [String]) async throws -> [Int?] {
            let rows = texts.enumerated().map { index, text in
                let members = #","has_thumbnail":\#(text != "none"),"description":"\#(text)""#
                return Row("e\(index)", at: 1_900_000 - Int64(index), members)
            }
            _ = try await ArchiveFixture.sync(
                archive, with: EventServer(rows), isFull: true, named: "home")
            return [
                try archive.wantedFileCount(),
                try archive.database.number("SELECT count(*) FROM media"),
            ]
        }
        #expect(try await wanted(["none", "A heron", "none"]) == [1, 0])
        #expect(try await wanted(["none", "A grey heron", "A fox"]) == [2, 0])
        for _ in 1...2 {
            try archive.wantThumbnails()
            #expect(try await wanted(["none", "A grey heron", "A fox"]) == [2, 2])
        }
        #expect(try await wanted(["A cat", "A grey heron", "A fox", "A dog"]) == [4, 3])
    }

    @Test("an ordinary sync marks what vanished in the hours that it reads, and nothing older")
    func recent() async throws {
        let now = ArchiveFixture.now.microseconds / 1_000_000
        let rows = [("new", 60), ("recent", 3600), ("old", 10_000)].map {
            Row($0.0, at: now - Int64($0.1), #","has_thumbnail":false"#)
        }
        try await test.sync(rows)
        let report = try await test.sync([rows[0]])
        #expect(report.deleted == 1 && report.added == 0)
        #expect(try test.ids { $0.onlyDeleted = true } == ["recent"])
    }

    @Test("a first sync writes to the file itself, the next ones to a log beside it")
    func journal() async throws {
        func mode(_ archive: Archive) throws -> String? {
            var mode: String?
            try archive.database.forEach("PRAGMA journal_mode") { row throws(ArchiveError) in
                mode = row.text(0)
            }
            return mode
        }
        let archive = try await test.changing()
        #expect(try mode(archive) == "delete")
        _ = try await ArchiveFixture.sync(
            archive, with: EventServer(ArchiveFixture.rows(3)), named: "home")
        #expect(try mode(archive) == "wal")
    }

    @Test("events of several transactions are indexed, and one that changes meanwhile too")
    func manyPages() async throws {
        var rows = ArchiveFixture.rows(6000) { #","description":"heron number \#($0)""# }
        // The list has it twice, with other words the second time.
        rows.append(Row("e7", at: 1_000, #","has_thumbnail":false,"description":"Two gulls""#))
        let (archive, clock) = (try await test.changing(), ArchiveFixture.steppingClock())
        let counts = Mutex<Set<Int>>([])
        var scope = EventArchiver.Scope()
        scope.hasFiles = false
        let report = try await ArchiveFixture.sync(
            archive, with: EventServer(rows), scope, at: clock()
        ) { [test] notice in
            guard case .events = notice,
                let other = try? SQLiteDatabase(test.folder.database, for: .reading),
                let count = try? other.number("SELECT count(*) FROM event")
            else { return }
            counts.withLock { _ = $0.insert(count) }
        }
        #expect(report.added == 6000 && report.changed == 1)
        let seen = counts.withLock { $0.subtracting([0, 6000]) }
        #expect(seen.count > 2, "\(seen)")
        var filter = EventFilter()
        filter.search = "heron"
        #expect(try ArchiveFixture.ids(ArchiveQuery(filter), in: archive).count == 5999)
        #expect(try ArchiveVerifier(archive) { _ in }.findings().listed == [])
    }

    @Test("a program that reads without a write-ahead log delays a sync, and undoes none of it")
    func reader() async throws {
        let (archive, clock) = (try await test.changing(), ArchiveFixture.steppingClock())
        try archive.database.run("PRAGMA busy_timeout = 1")
        let other = try SQLiteDatabase(test.folder.database, for: .reading)
        nonisolated(unsafe) let reading = try other.makeStatement("SELECT name FROM sqlite_schema")
        let pages = Mutex(0)
        var scope = EventArchiver.Scope()
        scope.hasFiles = false
        let report = try await ArchiveFixture.sync(
            archive, with: EventServer(ArchiveFixture.rows(3000)), scope, at: clock()
        ) { notice in
            guard case .events = notice else { return }
            let page = pages.withLock {
                $0 += 1
                return $0
            }
            // Transactions would end after the third page and the fourth one.
            if page == 1 { #expect((try? reading.step()) == true) }
            if page == 5 { reading.reset() }
        }
        _ = other
        #expect(report.added == 3000)
        #expect(try archive.eventCount() == 3000)
    }

    @Test("what came before the server failed is kept")
    func failure() async throws {
        let rows = ArchiveFixture.rows(1200)
        let archive = try await test.changing()
        await #expect(throws: ArchiveError.self) {
            _ = try await ArchiveFixture.sync(
                archive, with: EndingServer(rows, answers: 2), named: "home")
        }
        let kept = try ArchiveFixture.ids(ArchiveQuery(EventFilter()), in: archive).count
        #expect(kept > 0 && kept < 1200)
        #expect(try ArchiveVerifier(archive) { _ in }.findings().listed == [])
        // Nothing is deleted, and the next sync reads everything.
        let report = try await ArchiveFixture.sync(archive, with: EventServer(rows), named: "home")
        #expect(report.added == 1200 - kept && report.deleted == 0)
    }

    @Test("a full sync finds late, changed and deleted events; those that return are unmarked")
    func full() async throws {
        var rows = ArchiveFixture.rows(50)
        try await test.sync(rows)
        let gone = rows.remove(at: 10)
        rows[20].members += #","description":"A heron""#
        rows.append(Row("late", at: 1_000, #","has_thumbnail":false"#))
        let report = try await test.sync(rows, isFull: true)
        #expect(report.added == 1 && report.changed == 1 && report.deleted == 1)
        #expect(try test.ids().count == 51)
        #expect(try test.ids { $0.onlyDeleted = true } == [gone.id])
        var filter = EventFilter()
        filter.search = "heron"
        #expect(try test.ids(filter) == [rows[20].id])
        rows.insert(gone, at: 10)
        let back = try await test.sync(rows, isFull: true)
        #expect(back.returned == 1 && back.added == 0 && back.changed == 0)
        #expect(try test.ids { $0.onlyDeleted = true } == [])
    }

    @Test("rows that are no events are counted, and do not hide what is deleted")
    func unreadable() async throws {
        let rows = ArchiveFixture.rows(10)
        try await test.sync(rows)
        let few = [rows[0], Row("", at: 5)]
        let report = try await test.sync(few, isFull: true)
        #expect(report.unreadableRows == 1 && report.deleted == 9)
        let other = try ArchiveFixture()
        try await other.sync(few)
        #expect(try Archive(reading: other.folder).servers()[0].lastSync == ArchiveFixture.now)
    }

    @Test("events for which the server fails are a gap, and not taken for deleted")
    func failingRow() async throws {
        let rows = ArchiveFixture.rows(600)
        try await test.sync(rows)
        var habits = EventServer.Behavior()
        habits.unreadable = ["e300"]
        let archive = try await test.changing()
        let server = EventServer(rows.filter { $0.id != "e7" }, habits)
        let report = try await ArchiveFixture.sync(
            archive, with: server, isFull: true, named: "home")
        #expect(report.gaps.count == 1 && report.gaps[0].contains(rows[299].time))
        #expect(report.deleted == 1)
        #expect(try archive.servers()[0].lastSync == ArchiveFixture.now)
        #expect(try test.ids { $0.onlyDeleted = true } == ["e7"])
    }

    @Test("a long gap is read by the next sync, once the server is mended")
    func mendedServer() async throws {
        let rows = ArchiveFixture.rows(600)
        var habits = EventServer.Behavior()
        habits.unreadable = Set(rows[100..<400].map(\.id))
        let archive = try await test.changing()
        let first = try await ArchiveFixture.sync(
            archive, with: EventServer(rows, habits), named: "home")
        #expect(first.gaps.contains { !$0.isInstant })
        let second = try await ArchiveFixture.sync(archive, with: EventServer(rows), named: "home")
        #expect(first.added + second.added == 600 && second.gaps.isEmpty)
        #expect(try archive.servers()[0].lastSync == ArchiveFixture.now)
    }

    @Test("a thumbnail that has another address on the server is fetched again")
    func changedThumbnail() async throws {
        let archive = try await test.changing()
        func sync(_ path: String, _ text: String) async throws -> [String] {
            let members = #","thumbnail_path":"\#(path)","description":"\#(text)""#
            let server = EventServer([Row("e1", at: 1_900_000, members)])
            _ = try await ArchiveFixture.sync(archive, with: server, isFull: true, named: "home")
            try archive.wantThumbnails()
            var states: [String] = []
            try archive.database.forEach("SELECT state FROM media") { row throws(ArchiveError) in
                states.append(row.text(0) ?? "")
            }
            try archive.database.run("UPDATE media SET state = 'stored'")
            return states
        }
        #expect(try await sync("2026-11-20/a.jpg", "A heron") == ["wanted"])
        #expect(try await sync("2026-11-20/a.jpg", "A grey heron") == ["stored"])
        #expect(try await sync("2026-11-20/b.jpg", "A grey heron") == ["wanted"])
    }

    @Test("a first sync that was killed goes on from its oldest event")
    func resumed() async throws {
        let rows = ArchiveFixture.rows(1200)
        let archive = try await test.changing()
        await #expect(throws: ArchiveError.self) {
            _ = try await ArchiveFixture.sync(
                archive, with: EndingServer(rows, answers: 2), named: "home")
        }
        let kept = try ArchiveFixture.ids(ArchiveQuery(EventFilter()), in: archive).count
        let server = EventServer(rows)
        let report = try await ArchiveFixture.sync(archive, with: server, named: "home")
        #expect(report.added == 1200 - kept)
        let first = try #require(server.queries.first?["end_time"])
        #expect(first < rows[kept - 2].time.utcText)
        #expect(server.queries.last?["start_time"] != nil)
        #expect(try archive.servers()[0].lastSync == ArchiveFixture.now)
    }

    @Test("a list that ends at a page without events marks nothing as deleted")
    func unreadablePage() async throws {
        let rows = ArchiveFixture.rows(600)
        try await test.sync(rows)
        let broken = rows.prefix(500).map { Row("", at: $0.time.microseconds / 1_000_000) }
        let report = try await test.sync(broken + rows.suffix(100), isFull: true)
        #expect(report.unreadableRows == 500 && report.deleted == 0)
    }

    @Test("only one process changes an archive, and a later database is left alone")
    func exclusion() async throws {
        let first = try await test.changing()
        await #expect {
            _ = try await Archive(changing: test.folder, sleep: { _ in })
        } throws: {
            if case .running = $0 as? ArchiveError { true } else { false }
        }
        _ = first
        try test.damage("PRAGMA user_version = 99")
        #expect {
            _ = try Archive(reading: test.folder)
        } throws: {
            if case .newer(_, version: 99) = $0 as? ArchiveError { true } else { false }
        }
    }

    @Test("tables of an earlier version are brought up to date, with all that they hold")
    func migration() async throws {
        try await test.sync(ArchiveFixture.rows(3))
        // As version 2 had them.
        try test.damage("DROP TABLE alias")
        try test.damage("DROP TABLE former")
        try test.damage("DROP INDEX media_file")
        try test.damage("CREATE INDEX media_file ON media (sha256)")
        try test.damage("CREATE INDEX event_present ON event (server) WHERE deleted_at IS NULL")
        try test.damage(
            "INSERT INTO media (event, kind, item, state, tries) VALUES (1, 'video', 0, 'lost', 9)")
        try test.damage("PRAGMA user_version = 2")
        #expect(try test.ids() == ["e1", "e2", "e3"])
        let old = try Archive(reading: test.folder)
        #expect(try ArchiveForgetting(old).plan(before: nil, keeping: 0).count == 3)
        #expect(try ArchiveVerifier(old) { _ in }.findings().isEmpty)
        try await test.sync(ArchiveFixture.rows(2), isFull: true)
        #expect(try test.ids { $0.onlyDeleted = true } == ["e3"])
        let archive = try Archive(reading: test.folder)
        #expect(try archive.wantedFileCount() == 1)
        let indexes = "SELECT group_concat(name) FROM sqlite_schema WHERE sql LIKE 'CREATE INDEX%'"
        var names: String?
        try archive.database.forEach(indexes) { row throws(ArchiveError) in names = row.text(0) }
        #expect(names == "event_time,event_camera,media_wanted,media_file")
        #expect(try archive.database.number("PRAGMA user_version") == ArchiveSchema.version)
    }

    @Test("a folder without the marker is no archive, and one with other files does not become one")
    func marker() throws {
        let bare = ArchiveFolder(test.home.path)
        #expect {
            _ = try Archive(reading: bare)
        } throws: {
            if case .notArchive = $0 as? ArchiveError { true } else { false }
        }
        #expect {
            try bare.make(at: ArchiveFixture.now)
        } throws: {
            if case .notEmpty = $0 as? ArchiveError { true } else { false }
        }
        #expect(try permissions(test.folder.path) == 0o700)
        #expect(try permissions(test.folder.database) == 0o600)
    }
}
