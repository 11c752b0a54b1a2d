import ArgusTestSupport
import Glibc
import Testing

@testable import ArgusArchive
@testable import ArgusCore
@testable import ArgusEvents
@testable import ArgusTransport

@Suite("archive: repairs from a server")
struct ArchiveRepairTests {
    typealias Row = EventServer.Row
    private let test: ArchiveFixture

    init() throws { test = try ArchiveFixture() }

    private func findings(_ archive: Archive) throws -> [ArchiveFinding] {
        try ArchiveVerifier(archive) { _ in }.findings().listed
    }

    private func repair(
        _ archive: Archive, with server: any Transport, named name: String = "home"
    ) async throws {
        let verifier = ArchiveVerifier(archive) { _ in }
        let found = try verifier.findings(wantingFiles: true)
        try verifier.restore(found)
        var scopes = [EventArchiver.Scope(onlyFiles: true)]
        if !found.damagedEvents.isEmpty {
            scopes.append(.init(isFull: true, damaged: found.damagedEvents))
        }
        for scope in scopes {
            do {
                _ = try await ArchiveFixture.sync(archive, with: server, scope, named: name)
            } catch ArchiveError.damaged where found.has(.database) {
                // As in the command: the other scopes, and the check after it, are not given up. What
                // SQLite reads of a damaged page, and so whether events are compared, is not certain.
            }
        }
        try verifier.restoreWords(for: found)
    }

    private func damageFile() throws {
        let path = try #require(try test.media().first)
        var bytes = try FileContents(path, trust: .named, limit: 1 << 20).bytes
        bytes[20] ^= 1
        try AtomicFile.write(bytes, to: path, for: .settings, replacing: true)
    }

    @Test("a repair leaves wanted what the server only failed to give")
    func failedRepair() async throws {
        let archive = try await test.changing()
        let rows = PictureServer.rows(1)
        _ = try await ArchiveFixture.sync(archive, with: PictureServer(rows), .init())
        try damageFile()
        try await repair(
            archive,
            with: PictureServer(rows) { _ in
                HTTPResponse(status: 500, body: Array("Internal Server Error".utf8))
            })
        #expect(try findings(archive).map(\.reason) == ["it has another hash"])
        #expect(try archive.wantedFileCount() == 1)
        _ = try await ArchiveFixture.sync(archive, with: PictureServer(rows), .init())
        #expect(try findings(archive) == [])
    }

    @Test("a repair from one server gives up no file of another")
    func otherServer() async throws {
        let archive = try await test.changing()
        let rows = PictureServer.rows(1)
        _ = try await ArchiveFixture.sync(archive, with: PictureServer(rows), .init())
        try damageFile()
        let other = PictureServer([Row("x", at: 1_950_000, #","has_thumbnail":false"#)])
        // An unknown one is not added, and gives nothing.
        await #expect(throws: ArchiveError.self) {
            try await repair(archive, with: other, named: "cabin")
        }
        #expect(try archive.servers().map(\.name) == ["home"])
        _ = try await ArchiveFixture.sync(archive, with: other, .init(), named: "cabin")
        try await repair(archive, with: other, named: "cabin")
        _ = try await ArchiveFixture.sync(archive, with: PictureServer(rows), .init())
        #expect(try findings(archive) == [])
    }

    @Test("a repair without the event on the server keeps the hash of what is damaged")
    func keptHash() async throws {
        let archive = try await test.changing()
        let rows = ArchiveFixture.rows(2)
        _ = try await ArchiveFixture.sync(archive, with: EventServer(rows), named: "home")
        try test.damage("UPDATE object SET raw = replace(raw, 'e2', 'e9') WHERE event = 2")
        try await repair(archive, with: EventServer([rows[0]]))
        #expect(try findings(archive).map(\.subject) == ["e2"])
        try test.damage("UPDATE object SET raw = replace(raw, 'e9', 'e2') WHERE event = 2")
        #expect(try findings(archive) == [])
    }

    @Test("a picture is repaired although the database is damaged")
    func damagedDatabase() async throws {
        var rows = ArchiveFixture.rows(400)
        rows[0] = PictureServer.rows(1)[0]
        do {
            let archive = try await test.changing()
            _ = try await ArchiveFixture.sync(archive, with: PictureServer(rows), .init())
        }
        try damageFile()
        var bytes = try FileContents(test.folder.database, trust: .named, limit: 1 << 24).bytes
        let pages = stride(from: 0, to: bytes.count, by: 32768).filter { start in
            let page = bytes[start..<(start + 32768)]
            return page.first == 0x0D && page.contains(Array("e399".utf8))
                && page.contains(Array("|motion|".utf8))
        }
        #expect(pages.count == 1)
        for start in pages {
            for place in (start + 8)..<(start + 64) { bytes[place] = 0xFF }
        }
        try AtomicFile.write(bytes, to: test.folder.database, for: .settings, replacing: true)
        let archive = try await test.changing()
        try await repair(archive, with: PictureServer(rows))
        let left = try findings(archive)
        #expect(left.contains { $0.kind == .database } && !left.contains { $0.kind == .file })
    }

    @Test("a missing picture that the server has with other bytes is repaired")
    func otherBytes() async throws {
        let archive = try await test.changing()
        let rows = PictureServer.rows(1)
        _ = try await ArchiveFixture.sync(archive, with: PictureServer(rows), .init())
        unlink(try #require(try test.media().first))
        try await repair(
            archive,
            with: PictureServer(rows) { _ in
                HTTPResponse(status: 200, body: PictureServer.picture + [1])
            })
        #expect(try findings(archive) == [])
    }

    @Test("what is left of a damaged object is kept by its own hash, and nothing as nothing")
    func damagedFormer() async throws {
        let archive = try await test.changing()
        func rows(_ text: String) -> [Row] {
            ArchiveFixture.rows(3) { _ in #","description":"\#(text)""# }
        }
        _ = try await ArchiveFixture.sync(archive, with: EventServer(rows("A man")), named: "home")
        try test.damage("UPDATE object SET raw = replace(raw, 'man', 'cat') WHERE event = 1")
        try test.damage("UPDATE object SET raw = 'no object' WHERE event = 2")
        try test.damage("DELETE FROM object WHERE event = 3")
        try await repair(archive, with: EventServer(rows("Nobody")))
        #expect(try findings(archive) == [])
        #expect(
            try archive.database.number(
                "SELECT count(*) FROM former WHERE raw = 'no object' OR raw LIKE '%cat%'") == 2)
        #expect(try archive.database.number("SELECT count(*) FROM former") == 2)
    }

    @Test("a picture that cannot be read for now stays that of its event")
    func unreadablePicture() async throws {
        let archive = try await test.changing()
        func sync(_ path: String) async throws {
            let members = #","thumbnail_path":"2026-11-20/\#(path)""#
            let server = PictureServer([Row("e1", at: 1_900_000, members)])
            _ = try await ArchiveFixture.sync(archive, with: server, .init(isFull: true))
        }
        try await sync("a.jpg")
        let path = try #require(try test.media().first)
        let moved = test.home.file("moved")
        // The superuser may read any file, but no folder.
        #expect(rename(path, moved) == 0 && mkdir(path, 0o700) == 0)
        try await sync("b.jpg")
        #expect(rmdir(path) == 0 && rename(moved, path) == 0)
        #expect(try findings(archive) == [])
        #expect(
            try archive.database.number("SELECT count(*) FROM media WHERE state = 'former'") == 1)
    }

    @Test("an event that a damaged index hid, so that it came twice, is whole after a repair")
    func doubles() async throws {
        let rows = ArchiveFixture.rows(5) { #","description":"heron number \#($0)""# }
        try await test.sync(rows)
        let path = test.folder.database
        let root: Int?
        do {
            let archive = try await test.changing()
            try archive.database.run("PRAGMA wal_checkpoint(TRUNCATE)")
            root = try archive.database.number(
                "SELECT rootpage FROM sqlite_schema WHERE name = 'sqlite_autoindex_event_1'")
        }
        var bytes = try FileContents(path, trust: .named, limit: 1 << 24).bytes
        let start = (try #require(root) - 1) * 32768
        let key = Array("e5".utf8)
        let place = try #require(
            (start..<start + 32766).last { bytes[$0] == key[0] && bytes[$0 + 1] == key[1] })
        // Greater than before, so that the order of the keys stays.
        bytes[place + 1] ^= 8
        try AtomicFile.write(bytes, to: path, for: .settings, replacing: true)
        #expect(try await test.sync(rows, isFull: true).added == 1)
        let archive = try await test.changing()
        #expect(try archive.eventCount() == 6)
        try await repair(archive, with: EventServer(rows))
        #expect(try findings(archive) == [])
        _ = try await ArchiveFixture.sync(
            archive, with: EventServer(rows), isFull: true, named: "home")
        var query = ArchiveQuery(EventFilter())
        #expect(try ArchiveFixture.ids(query, in: archive) == rows.map(\.id))
        query.onlyDeleted = true
        #expect(try ArchiveFixture.ids(query, in: archive).isEmpty)
    }

    @Test("what is forgotten while a check reads is not missing")
    func forgottenMeanwhile() async throws {
        let archive = try await test.changing()
        _ = try await ArchiveFixture.sync(
            archive, with: PictureServer(PictureServer.rows(4)), .init())
        let reading = try Archive(reading: test.folder)
        var checked = 0
        let verifier = ArchiveVerifier(reading) { count in
            checked += count
            // The fifth part is the first file.
            guard checked == 5 else { return }
            let forgetting = ArchiveForgetting(archive)
            try? forgetting.run(
                try forgetting.plan(before: nil, keeping: 0), at: ArchiveFixture.now)
        }
        #expect(try verifier.findings().listed == [])
        #expect(try test.media().isEmpty && archive.eventCount() == 0)
    }

    @Test("what a killed sync has left of a file is removed")
    func abandoned() async throws {
        let archive = try await test.changing()
        let server = PictureServer(PictureServer.rows(1))
        _ = try await ArchiveFixture.sync(archive, with: server, .init())
        let folder = FileRename.folder(of: try #require(try test.media().first))
        for folder in [folder, test.folder.path] {
            let file = try #require(fopen(folder + "/.argus-a1b2c3.tmp", "w"))
            fputs("half", file)
            fclose(file)
        }
        _ = try await ArchiveFixture.sync(archive, with: server, .init(isFull: true))
        #expect(try test.media().count == 1 && findings(archive) == [])
        #expect(!FileContents.exists(test.folder.path + "/.argus-a1b2c3.tmp"))
    }
}
