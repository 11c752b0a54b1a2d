import ArgusTestSupport
import Glibc
import Testing

@testable import ArgusArchive
@testable import ArgusCore
@testable import ArgusEvents

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

    @Test(
        "sizes that no file has stop no count of what would be forgotten",
        arguments: [Int.min, Int.max, -1])
    func hostileSizes(size: Int) async throws {
        try await test.sync(ArchiveFixture.rows(3))
        for event in 1...3 {
            try test.damage(
                """
                INSERT INTO media (event, kind, item, state, tries, sha256, bytes)
                VALUES (\(event), 'frame', 1, 'stored', 0,
                  '\(event)\(String(repeating: "0", count: 63))', \(size))
                """)
        }
        let plan = try ArchiveForgetting(try await test.changing()).plan(before: nil, keeping: 0)
        #expect(plan.count == 3 && plan.bytes >= 0)
    }

    @Test("a version that no argus wrote is damage", arguments: [-1, Int(Int32.min)])
    func hostileVersion(version: Int) async throws {
        try await test.sync(ArchiveFixture.rows(3))
        try test.damage("PRAGMA user_version = \(version)")
        await #expect { _ = try await test.changing() } throws: {
            if case .damaged? = $0 as? ArchiveError { true } else { false }
        }
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
        let name = try archive.keep(Array("picture".utf8), as: "jpg")
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
        let name = try archive.keep(Array("picture".utf8), as: "jpg")
        #expect(try archive.keep(Array("picture".utf8), as: "jpg") == name)
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
        let name = try archive.keep(Array("picture".utf8), as: "jpg")
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
                _ = try archive.keep(Array("picture".utf8), as: "jpg")
            }
            #expect(unlink(path) == 0 && rename(moved, path) == 0)
        }
        #expect(try verifier.findings().listed == [])
    }

    /// The failure to open the archive, for reading and for changes.
    private func refusals() async -> [ArchiveError] {
        var errors: [ArchiveError] = []
        do throws(ArchiveError) { _ = try Archive(reading: test.folder) } catch {
            errors.append(error)
        }
        do throws(ArchiveError) {
            _ = try await Archive(changing: test.folder)
        } catch {
            errors.append(error)
        }
        return errors
    }

    @Test("a database that was emptied or removed is damage, and no new beginning")
    func emptied() async throws {
        try await test.sync(ArchiveFixture.rows(2))
        for suffix in ["", "-wal", "-shm"] { unlink(test.folder.database + suffix) }
        #expect(await refusals().map { "\($0)" }.allSatisfy { $0.hasSuffix("it is missing") })
        try AtomicFile.write([], to: test.folder.database, for: .settings, replacing: true)
        let errors = await refusals()
        #expect(errors.count == 2)
        for error in errors {
            #expect("\(error)".hasSuffix("archive.db' is damaged: it is empty"))
        }
    }

    @Test(
        "an archive that lost its database is made anew, also after a first try that failed half-way"
    )
    func remade() async throws {
        try await test.sync(ArchiveFixture.rows(2))
        #expect(throws: ArchiveError.self) { try test.folder.make(at: ArchiveFixture.now) }
        #expect(try test.ids() == ["e1", "e2"])
        for suffix in ["-wal", "-shm"] { unlink(test.folder.database + suffix) }
        try AtomicFile.write([], to: test.folder.database, for: .settings, replacing: true)
        try AtomicFile.write([], to: test.folder.path + "/notes", for: .settings, replacing: true)
        try test.folder.make(at: ArchiveFixture.now)
        #expect(try test.ids().isEmpty)
        #expect(throws: ArchiveError.self) { try test.folder.make(at: ArchiveFixture.now) }
    }

    @Test("the marker is read: one that is damaged or newer is named, and a pipe in its place too")
    func markers() async throws {
        try await test.sync(ArchiveFixture.rows(2))
        let marker = test.folder.path + "/argus-archive.json"
        for (text, words) in [
            ("", "is not the marker of an archive"),
            ("{\"a\":1}", "is not the marker of an archive"),
            ("{\"version\":2}", "was written by a newer argus (version 2)"),
        ] {
            try AtomicFile.write(Array(text.utf8), to: marker, for: .settings, replacing: true)
            let errors = await refusals().map { "\($0)" }
            #expect(errors.count == 2 && errors.allSatisfy { $0.contains(words) }, "\(errors)")
        }
        #expect(unlink(marker) == 0 && mkfifo(marker, 0o600) == 0)
        #expect(await refusals().count == 2)
        // As the hint says: what is there stays.
        #expect(unlink(marker) == 0)
        try test.folder.make(at: ArchiveFixture.now)
        #expect(try test.ids() == ["e1", "e2"])
    }

    @Test("a view in place of a table, and numbers that argus does not give, are sentences")
    func hostileTables() async throws {
        try await test.sync(ArchiveFixture.rows(2))
        try test.damage("ALTER TABLE media RENAME TO other")
        try test.damage("CREATE VIEW media AS SELECT * FROM other")
        let errors = await refusals()
        #expect(errors.count == 2)
        for error in errors { #expect("\(error)".hasSuffix("it has no table 'media'")) }
        try test.damage("DROP VIEW media")
        try test.damage("ALTER TABLE other RENAME TO media")
        #expect(await refusals().isEmpty)
        for number in [Int.max, .min, -1, 1 << 28] {
            try test.damage("UPDATE event SET number = \(number) WHERE id = 'e2'")
            let errors = await refusals()
            #expect(errors.count == 2, "\(number)")
            for error in errors { #expect("\(error)".contains("its events have numbers")) }
        }
    }

    @Test("something else in the place of a picture is damage of that one, and blocks no other")
    func places() async throws {
        let archive = try await test.changing()
        let rows = PictureServer.rows(6)
        _ = try await ArchiveFixture.sync(archive, with: PictureServer(rows), .init())
        let paths = try test.media()
        #expect(paths.count == 6)
        for path in paths { #expect(unlink(path) == 0) }
        #expect(mkdir(paths[0], 0o700) == 0 && mkfifo(paths[1], 0o600) == 0)
        #expect(symlink("/etc/passwd", paths[2]) == 0)
        let folder = FileRename.folder(of: paths[3])
        #expect(rmdir(folder) == 0 && mkfifo(folder, 0o600) == 0)
        let verifier = ArchiveVerifier(archive) { _ in }
        let found = try verifier.findings(wantingFiles: true)
        #expect(found.lossCount == 6)
        let report = try await ArchiveFixture.sync(
            archive, with: PictureServer(rows), .init(onlyFiles: true))
        #expect(report.pictures == 2 && report.brokenFiles == 4)
        #expect(
            Set(try verifier.findings().listed.map(\.reason)) == [
                "it is not a regular file", "it is a symbolic link", "it is not a folder",
            ])
        // What stands in the way of a removal blocks no other one either.
        let forgetting = ArchiveForgetting(archive)
        #expect(throws: ArchiveError.self) {
            try forgetting.run(
                try forgetting.plan(before: nil, keeping: 0), at: ArchiveFixture.now)
        }
        #expect(try archive.eventCount() == 0)
        #expect(!FileContents.exists(paths[4]) && !FileContents.exists(paths[5]))
    }

    @Test("a missing folder of pictures is made anew by a repair")
    func missingMedia() async throws {
        let archive = try await test.changing()
        let rows = PictureServer.rows(2)
        _ = try await ArchiveFixture.sync(archive, with: PictureServer(rows), .init())
        let media = test.folder.path + "/media"
        #expect(rename(media, test.home.file("moved")) == 0)
        let verifier = ArchiveVerifier(archive) { _ in }
        #expect(try verifier.findings(wantingFiles: true).lossCount == 2)
        _ = try await ArchiveFixture.sync(
            archive, with: PictureServer(rows), .init(onlyFiles: true))
        #expect(try verifier.findings().listed == [])
        #expect(try permissions(media) == 0o700)
    }

    @Test(
        "objects that an earlier argus masked are named and restored, and a server's own text is not"
    )
    func masked() async throws {
        let rows = ArchiveFixture.rows(3) {
            #","description":"\#($0 == 3 ? "<redacted>" : "A man")""#
        }
        try await test.sync(rows)
        #expect(try await findings() == [])
        try test.damage(
            "UPDATE object SET raw = replace(raw, 'A man', '<redacted>') WHERE event = 1")
        let raw = try #require(try Archive(reading: test.folder).object(1)?.raw)
        try test.damage("UPDATE event SET sha256 = '\(Checksum.sha256(raw))' WHERE number = 1")
        let archive = try await test.changing()
        let verifier = ArchiveVerifier(archive) { _ in }
        let found = try verifier.findings()
        #expect(found.listed.map(\.subject) == ["e1"])
        #expect(found.listed.allSatisfy { $0.isLoss && $0.reason.contains("'<redacted>'") })
        let warnings = Collected<Int>()
        _ = try await ArchiveFixture.sync(
            archive, with: EventServer(rows), EventArchiver.Scope(isFull: true, damaged: [1]),
            at: ArchiveFixture.now + .seconds(8 * 86400)
        ) { if case .rewritten(let count) = $0 { warnings.add(count) } }
        #expect(try verifier.findings().listed == [])
        #expect(warnings.all.isEmpty)
        let restored = try #require(try archive.object(1)?.raw)
        #expect(String(decoding: restored, as: UTF8.self).contains("A man"))
    }

    @Test("frames and videos that the server may still make are counted apart")
    func awaited() async throws {
        let archive = try await test.changing()
        _ = try await ArchiveFixture.sync(
            archive, with: EventServer(ArchiveFixture.rows(3)), named: "home")
        for (number, kind) in [(1, "video"), (1, "frame"), (2, "thumbnail"), (3, "video")] {
            try archive.database.run(
                "INSERT INTO media (event, kind, item, state, tries) VALUES (?, ?, 0, 'wanted', 0)",
                SQLiteValue(number), .text(kind))
        }
        #expect(try archive.wantedFileCount() == 4)
        // The events are a minute apart.
        let time = Timestamp(seconds: 1_900_000 - 150 + 3600)
        #expect(try archive.awaitedFileCount(at: time) == 2)
        #expect(try archive.awaitedFileCount(at: time + .seconds(3600)) == 0)
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
        let size = try forgetting.plan(before: nil, keeping: 200)
        #expect(size.count > 0 && size.count < 5)
        #expect(try ArchiveVerifier(archive) { _ in }.findings().listed == [])
    }
}
