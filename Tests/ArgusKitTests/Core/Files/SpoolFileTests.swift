import ArgusCore
import ArgusTestSupport
import Testing

@Suite("SpoolFile")
struct SpoolFileTests {
    @Test("a folder that cannot be written is no hindrance")
    func elsewhere() throws {
        let folder = try TemporaryFolder()
        for wanted in [folder.path, folder.file("absent"), "", "/proc"] {
            // Without another folder it is in memory.
            try check(SpoolFile(in: wanted))
            try check(SpoolFile(in: wanted, else: []))
            #expect(try folder.names().isEmpty)
        }
    }

    private func check(_ file: SpoolFile) throws {
        try file.write([1, 2])
        try file.write([3])
        #expect(file.size == 3)
        #expect(try file.read(from: 1, count: 9) == [2, 3])
    }
}
