import ArgusCore
import ArgusTestSupport
import Testing

@Suite("SpoolFile")
struct SpoolFileTests {
    @Test("the file has no name, and a folder that cannot be written has none")
    func nameless() throws {
        let folder = try TemporaryFolder()
        let file = try SpoolFile(in: folder.path)
        try file.write([1, 2])
        try file.write([3])
        #expect(try folder.names().isEmpty)
        #expect(file.size == 3)
        #expect(try file.read(from: 1, count: 9) == [2, 3])
        #expect(try SpoolFile(inMemory: [1, 2, 3]).read(from: 1, count: 9) == [2, 3])
        #expect(throws: FileSystemError.self) { try SpoolFile(in: folder.file("absent")) }
    }
}
