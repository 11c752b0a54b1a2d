import CommandLineKit
import FoundationEssentials
import Testing

@testable import argus

@Suite("GeneratedFiles")
struct GeneratedFilesTests {
    @Test("the manual pages are what the table says; 'make generate' writes them")
    func manualPages() throws {
        try compare("man", with: GeneratedFiles.manualPages)
    }

    @Test("the completion scripts are what the table says; 'make generate' writes them")
    func completions() throws {
        try compare("completions", with: GeneratedFiles.completions)
    }

    private func compare(_ folder: String, with files: [GeneratedFile]) throws {
        var root = URL(filePath: #filePath)
        for _ in 0..<3 { root.deleteLastPathComponent() }
        let path = root.appending(path: folder)
        let committed = try FileManager.default.contentsOfDirectory(atPath: path.path())
        #expect(committed.sorted() == files.map(\.name).sorted())
        for file in files {
            let data = try? Data(contentsOf: path.appending(path: file.name))
            let text = data.map { String(decoding: $0, as: UTF8.self) }
            #expect(text == file.contents, "\(folder)/\(file.name) is out of date: make generate")
        }
    }
}
