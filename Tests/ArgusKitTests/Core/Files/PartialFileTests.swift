import ArgusCore
import ArgusTestSupport
import Testing

@Suite("PartialFile")
struct PartialFileTests {
    private let folder: TemporaryFolder
    private let header = Array("id,type\n".utf8)

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test("remains without a row are none", arguments: ["", "id,", "id,type\n"])
    func worthless(text: String) throws {
        try folder.plant(text, "out.part")
        let file = try PartialFile(
            folder.file("out"), remains: .refused(besides: header), advice: "go on")
        #expect(try file.size == 0)
    }

    @Test("remains that hold anything else are refused, and stay", arguments: ["x", "id,type\nx"])
    func refused(text: String) throws {
        try folder.plant(text, "out.part")
        let part = folder.file("out.part")
        #expect(throws: FileSystemError(.create, part, .exists)) {
            try PartialFile(folder.file("out"), remains: .refused(besides: header), advice: "go on")
        }
        let kept = try PartialFile(folder.file("out"), remains: .continued, advice: "go on")
        #expect(try kept.read(from: 0, count: 100) == Array(text.utf8))
    }

    @Test("what another one writes is not taken, although it is empty yet")
    func locked() throws {
        let first = try PartialFile(
            folder.file("out"), remains: .refused(besides: []), advice: "go on")
        #expect(throws: FileSystemError(.lock, first.partPath, .locked)) {
            try PartialFile(folder.file("out"), remains: .refused(besides: []), advice: "go on")
        }
        // The first one is held until here.
        #expect(try first.size == 0)
    }

    @Test("a note goes with the file until it is whole")
    func note() throws {
        let first = try PartialFile(folder.file("out"), remains: .continued, advice: "go on")
        #expect(first.note == nil)
        first.note = "begun here"
        // Some file systems keep none; what is kept is what was noted.
        let kept = first.note
        #expect(kept == "begun here" || kept == nil)
        first.note = "begun elsewhere"
        #expect(first.note == kept.map { _ in "begun elsewhere" })
        try first.commit(replacing: false)
        #expect(first.note == nil)
    }
}
