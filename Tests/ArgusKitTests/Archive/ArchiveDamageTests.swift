import ArgusTestSupport
import Glibc
import Testing

@testable import ArgusKit

@Suite("archive: damage, repair and forgetting")
struct ArchiveDamageTests {
    private let test: ArchiveFixture

    init() throws { test = try ArchiveFixture() }

    private func findings() async throws -> [ArchiveFinding] {
        try ArchiveVerifier(try await test.changing()) { _ in }.findings().listed
    }

    @Test("what was changed behind the archive's back is named, never printed")
    func changedRow() async throws {
        try await test.sync(ArchiveFixture.rows(5) { #","confidence":\#($0)"# })
        #expect(try await findings() == [])
        try test.damage("UPDATE object SET raw = replace(raw, 'e2', 'e9') WHERE event = 2")
        try test.damage("UPDATE event SET confidence = 77 WHERE id = 'e4'")
        try test.damage("DELETE FROM object WHERE event = 5")
        let rows = try ArchiveRows(
            ArchiveQuery(EventFilter()), in: try Archive(reading: test.folder))
        #expect(try rows.next()?.map(\.id) == ["e1", "e3", "e4"])
        #expect(rows.damagedIDs == ["e2", "e5"])
        let found = try await findings()
        #expect(found.map(\.subject) == ["e2", "e5", nil])
        #expect(
            found.map(\.reason) == [
                "its object has another hash", "its object is missing",
                "the columns of 1 event differ from the objects",
            ])
    }

    @Test("a repair has the next full sync restore events, and makes the index anew")
    func repair() async throws {
        let rows = ArchiveFixture.rows(5) { #","description":"heron number \#($0)""# }
        try await test.sync(rows)
        try test.damage("UPDATE object SET raw = replace(raw, 'e2', 'e9') WHERE event = 2")
        try test.damage("UPDATE event SET confidence = 77 WHERE id = 'e4'")
        try test.damage("INSERT INTO event_text (event_text) VALUES ('delete-all')")
        let archive = try await test.changing()
        let verifier = ArchiveVerifier(archive) { _ in }
        let found = try verifier.findings()
        #expect(Set(found.listed.map(\.kind)) == [.event, .index])
        try verifier.restore(found)
        _ = try await ArchiveFixture.sync(
            archive, with: EventServer(rows),
            EventArchiver.Scope(isFull: true, damaged: found.damagedEvents))
        try verifier.restoreWords(for: found)
        #expect(try verifier.findings().listed == [])
        var filter = EventFilter()
        filter.search = "heron number"
        #expect(try ArchiveFixture.ids(ArchiveQuery(filter), in: archive).count == 5)
    }

    @Test("columns are restored from their object, without a server")
    func columns() async throws {
        try await test.sync(ArchiveFixture.rows(5) { #","confidence":\#($0)"# })
        try test.damage("UPDATE event SET confidence = 77 WHERE id = 'e4'")
        let verifier = ArchiveVerifier(try await test.changing()) { _ in }
        let found = try verifier.findings()
        #expect(found.listed.map(\.state) == [.harmless])
        try verifier.restore(found)
        #expect(try verifier.findings().listed == [])
        #expect(try test.ids() == ["e1", "e2", "e3", "e4", "e5"])
    }

    @Test("a repair removes no file, and a damaged database names no stray ones")
    func strays() async throws {
        try await test.sync(ArchiveFixture.rows(2))
        let archive = try await test.changing()
        let name = try archive.keep(StoredBytes(Array("picture".utf8)), as: "jpg")
        let verifier = ArchiveVerifier(archive) { _ in }
        let found = try verifier.findings(wantingFiles: true)
        try verifier.restore(found)
        #expect(found.listed.map(\.kind) == [.stray])
        #expect(try verifier.findings().listed == found.listed)
        #expect(FileContents.exists(test.folder.media(name, "jpg")))
        try archive.database.run("INSERT INTO event_text (event_text) VALUES ('delete-all')")
        #expect(try verifier.findings().listed.map(\.kind) == [.index])
    }

    @Test("no name in a database leads out of the folder of its files")
    func hostileNames() {
        let path = test.folder.media("../../../etc/ab", "../x")
        #expect(path == "\(test.folder.path)/media/ec/ecab.x")
    }

    @Test("a flipped byte in any page is found or harmless, and no list prints other events")
    func flippedPages() async throws {
        let rows = ArchiveFixture.rows(200) { #","description":"heron number \#($0)""# }
        try await test.sync(rows)
        let path = test.folder.database
        let whole = try FileContents(path, trust: .named, limit: 1 << 24).bytes
        let expected = Set(rows.map(\.id))
        var random = FixedRandom(state: 11)
        var named = 0
        // Four places in each page, of which some are free.
        for number in 0..<(whole.count / 8192) {
            var bytes = whole
            let place = number * 8192 + Int.random(in: 0..<8192, using: &random)
            bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            try AtomicFile.write(bytes, to: path, for: .settings, replacing: true)
            do throws(ArchiveError) {
                let archive = try Archive(reading: test.folder)
                let found = try ArchiveVerifier(archive) { _ in }.findings()
                if !found.isEmpty { named += 1 }
                let listed = try ArchiveRows(ArchiveQuery(EventFilter()), in: archive)
                var ids: [String] = []
                while let batch = try listed.next() { ids += batch.map(\.id) }
                #expect(Set(ids).isSubset(of: expected))
                if found.isEmpty { #expect(Set(ids) == expected, "byte \(place)") }
            } catch {
                named += 1
            }
        }
        #expect(named > 5)
    }

    @Test("files are kept by their hash; missing, damaged and stray ones are named")
    func files() async throws {
        try await test.sync(ArchiveFixture.rows(2))
        let archive = try await test.changing()
        let name = try archive.keep(StoredBytes(Array("picture".utf8)), as: "jpg")
        #expect(try archive.keep(StoredBytes(Array("picture".utf8)), as: "jpg") == name)
        let path = test.folder.media(name, "jpg")
        #expect(try permissions(path) == 0o600)
        let verifier = ArchiveVerifier(archive) { _ in }
        #expect(try verifier.findings().listed.map(\.kind) == [.stray])
        try archive.database.run(
            """
            INSERT INTO media (event, kind, item, state, sha256, bytes, extension, tries)
            VALUES (1, 'thumbnail', 0, 'stored', ?, 7, 'jpg', 0)
            """, .text(name))
        #expect(try verifier.findings().listed == [])
        try AtomicFile.write(Array("pictuse".utf8), to: path, for: .settings, replacing: true)
        #expect(try verifier.findings().listed.map(\.state) == [.damaged])
        unlink(path)
        let found = try verifier.findings(wantingFiles: true)
        #expect(found.listed.map(\.state) == [.missing] && found.lossCount == 1)
        #expect(try archive.wantedFileCount() == 1)
        // The server has it no longer: it stays named, and nothing claims that all is well.
        try archive.database.run("UPDATE media SET state = 'absent'")
        #expect(
            try verifier.findings().listed.map(\.reason) == ["and the server no longer has it"])
    }

    @Test("a link in place of a file, or of the folder of files, is damage, and is not followed")
    func links() async throws {
        try await test.sync(ArchiveFixture.rows(1))
        let archive = try await test.changing()
        let name = try archive.keep(StoredBytes(Array("picture".utf8)), as: "jpg")
        try archive.database.run(
            """
            INSERT INTO media (event, kind, item, state, sha256, bytes, extension, tries)
            VALUES (1, 'thumbnail', 0, 'stored', ?, 7, 'jpg', 0)
            """, .text(name))
        let verifier = ArchiveVerifier(archive) { _ in }
        let file = test.folder.media(name, "jpg")
        for path in [file, FileRename.folder(of: file), test.folder.path + "/media"] {
            let moved = test.home.file("moved")
            #expect(rename(path, moved) == 0 && symlink(moved, path) == 0)
            #expect(try verifier.findings().listed.map(\.state) == [.damaged], "\(path)")
            #expect(throws: FileSystemError.self) {
                _ = try archive.keep(StoredBytes(Array("picture".utf8)), as: "jpg")
            }
            #expect(unlink(path) == 0 && rename(moved, path) == 0)
        }
        #expect(try verifier.findings().listed == [])
    }

    @Test("a row that names an event that is not there is found")
    func foreignKeys() async throws {
        try await test.sync(ArchiveFixture.rows(2))
        try test.damage("INSERT INTO object (event, raw) VALUES (99, '{}')")
        let found = try await findings()
        #expect(found.map(\.kind) == [.database] && found[0].isLoss)
    }

    @Test("what was forgotten does not come back, and the newest are kept")
    func forgetting() async throws {
        let rows = ArchiveFixture.rows(20)
        try await test.sync(rows)
        let archive = try await test.changing()
        let forgetting = ArchiveForgetting(archive)
        #expect(try forgetting.plan(before: nil, keeping: nil).count == 0)
        let time = rows[4].time
        let plan = try forgetting.plan(before: time, keeping: nil)
        #expect(plan.count == 15 && plan.until == rows[5].time)
        try forgetting.run(plan, at: ArchiveFixture.now)
        let left = (1...5).map { "e\($0)" }
        #expect(try ArchiveFixture.ids(ArchiveQuery(EventFilter()), in: archive) == left)
        let report = try await ArchiveFixture.sync(
            archive, with: EventServer(rows), isFull: true, named: "home")
        #expect(report == ArchiveReport())
        #expect(try ArchiveFixture.ids(ArchiveQuery(EventFilter()), in: archive) == left)
        for (days, isPlausible) in [(29, true), (31, false), (-2, false), (0, true)] {
            let time = ArchiveFixture.now + .seconds(days * 86400)
            let isRefused: Bool
            do throws(ArchiveError) {
                try forgetting.expectClock(time)
                isRefused = false
            } catch {
                isRefused = true
            }
            #expect(isRefused != isPlausible, "\(days)")
        }
        let size = try forgetting.plan(before: nil, keeping: 200)
        #expect(size.count > 0 && size.count < 5)
        #expect(try ArchiveVerifier(archive) { _ in }.findings().listed == [])
    }
}
