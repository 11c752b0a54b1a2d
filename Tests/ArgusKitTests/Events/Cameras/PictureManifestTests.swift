import ArgusCore
import ArgusEvents
import ArgusTestSupport
import FoundationEssentials
import Testing

@Suite("pictures on a timer")
struct PictureManifestTests {
    private let folder: TemporaryFolder
    private let manifest: PictureManifest

    init() throws {
        folder = try TemporaryFolder()
        manifest = PictureManifest(folder: folder.path)
    }

    /// Saves a picture as a run does: first its line, then the file.
    @discardableResult
    private func save(
        _ path: String, of camera: String = "c1", at seconds: Int64
    ) throws -> PictureManifest.Entry {
        let text = "picture \(path)"
        let entry = PictureManifest.Entry(
            camera: camera, takenAt: Timestamp(seconds: seconds), byteCount: text.utf8.count,
            sha256: Checksum.sha256(Array(text.utf8)), path: path)
        try manifest.add(entry)
        let file = folder.file(path)
        let parent = String(file[..<(file.lastIndex(of: "/") ?? file.endIndex)])
        try FileManager.default.createDirectory(
            atPath: parent, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: URL(filePath: file))
        return entry
    }

    private func paths() throws -> [String] { try manifest.entries().map(\.path) }

    @Test("what was saved is listed oldest first, and a folder without pictures lists none")
    func listing() throws {
        #expect(try paths() == [])
        try save("b.jpg", at: 2)
        try save("a.jpg", of: "c\t2\n", at: 1)
        #expect(try paths() == ["a.jpg", "b.jpg"])
        #expect(try manifest.entries().first?.camera == "c\t2\n")
    }

    @Test("only pictures that argus saved, and that are as it saved them, are deleted")
    func deleting() throws {
        let doomed = [
            try save("day/a.jpg", at: 1), try save("day/deep/b.jpg", at: 2),
            try save("edited.jpg", at: 3), try save("gone.jpg", at: 4),
        ]
        try save("kept.jpg", at: 5)
        _ = try folder.plant("mine", "mine.jpg")
        _ = try folder.plant("picturE edited.jpg", "edited.jpg")
        try FileManager.default.removeItem(atPath: folder.file("gone.jpg"))
        #expect(try manifest.delete(doomed).count == 2)
        #expect(
            try folder.names().sorted() == [
                ".argus-snapshots", "edited.jpg", "kept.jpg", "mine.jpg",
            ])
        #expect(try paths().contains("kept.jpg"))
        #expect(try !paths().contains("gone.jpg"))
    }

    @Test("a folder that holds anything else stays")
    func otherFiles() throws {
        let doomed = [try save("day/a.jpg", at: 1)]
        _ = try folder.plant("mine", "day/mine.jpg")
        #expect(try manifest.delete(doomed).failures == [])
        #expect(try folder.names(in: "day") == ["mine.jpg"])
    }

    @Test("lines that a crash cut off, or that lead out of the folder, mean nothing")
    func badLines() throws {
        try save("a.jpg", at: 1)
        let file = folder.file(PictureManifest.name)
        let checksum = String(repeating: "0", count: 64)
        let text = try folder.text(PictureManifest.name)
        for path in ["../a.jpg", "/etc/passwd", "x/../../a", ""] {
            let line = "c1\t1\t12\t\(checksum)\t\(path)\n"
            try Data((text + line + "c1\t17").utf8).write(to: URL(filePath: file))
            #expect(try paths() == ["a.jpg"])
        }
        try save("b.jpg", at: 2)
        #expect(try paths() == ["a.jpg", "b.jpg"])
    }

    @Test("a list that others may write, or that a link leads to, is refused")
    func foreignList() throws {
        try save("a.jpg", at: 1)
        let file = folder.file(PictureManifest.name)
        try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: file)
        #expect(throws: FileSystemError.self) { try paths() }
        try FileManager.default.moveItem(atPath: file, toPath: folder.file("elsewhere"))
        try FileManager.default.createSymbolicLink(
            atPath: file, withDestinationPath: folder.file("elsewhere"))
        #expect(throws: FileSystemError.self) { try save("b.jpg", at: 2) }
    }

    @Test("a picture stays if it is among the last of its camera, or young enough")
    func rules() throws {
        for (path, camera, day) in [
            ("a1", "a", 1), ("a2", "a", 2), ("a3", "a", 9), ("b1", "b", 1), ("b2", "b", 8),
        ] as [(String, String, Int64)] {
            try save(path, of: camera, at: day * 86_400)
        }
        let now = Timestamp(seconds: 10 * 86_400)
        for (last, days, expired) in [
            (1, nil, ["a1", "b1", "a2"]), (2, nil, ["a1"]), (nil, 1, ["a1", "b1", "a2", "b2"]),
            (nil, 8, ["a1", "b1"]), (2, 1, ["a1"]), (nil, nil, []),
        ] as [(Int?, Int?, [String])] {
            let rule = PictureRetention(last: last, age: days.map { .seconds($0 * 86_400) })
            #expect(rule.expired(of: try manifest.entries(), at: now).map(\.path) == expired)
        }
    }
}
