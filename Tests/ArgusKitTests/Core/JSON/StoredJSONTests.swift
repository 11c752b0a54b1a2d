import ArgusTestSupport
import Glibc
import Testing

@testable import ArgusCore
@testable import ArgusEvents
@testable import ArgusTransport

@Suite("JSON in files")
struct StoredJSONTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func stored(_ text: String) throws -> StoredBytes {
        let file = try SpoolFile(in: folder.path)
        try file.write(Array(text.utf8))
        return StoredBytes(file)
    }

    private func rows(_ text: String) throws -> [String] {
        let bytes = try stored(text)
        let outline = try JSONOutline(bytes)
        let range = try #require(
            JSONOutline.part(nil, of: outline.arrays)
                ?? JSONOutline.part("rows", of: outline.arrays))
        var rows = StoredRows(bytes, in: range)
        var found: [String] = []
        while let row = try rows.next() {
            let again = try StoredRows.read(row.range, of: bytes)
            #expect(again.rawBytes == row.view.rawBytes)
            found.append(String(decoding: row.view.rawBytes, as: UTF8.self))
        }
        return found
    }

    @Test(
        "rows are found as a whole parse finds them",
        arguments: [
            "[]", "[1]", " [ 1 , \"a,]\\\"\" ,{\"b\":[2,{}]} ]\n", "[[],[[]],null,true]",
            #"{"rows":[1,{"x":"}"}],"more":{"rows":[3]}}"#, #"{"rows":[1],"rows":[2,3]}"#,
            "\u{FEFF}[0.5,-1e9]",
        ])
    func found(text: String) throws {
        let whole = try JSONView.parse(Array(text.utf8))
        let list = whole.kind == .array ? whole : try #require(whole["rows"])
        let expected = list.elements.map { String(decoding: $0.rawBytes, as: UTF8.self) }
        let found = try rows(text)
        #expect(found == expected)
    }

    @Test(
        "what is no JSON is refused, at the latest when it is read",
        arguments: [
            "[1,]", "[1 2]", "[,1]", "[1", "[1]]", "[{]", "[}]", "[[}]", "[\"a]", "[\"a\\\"]",
            "[x]", "[1]x", #"{"rows":[1],}"#, #"{"rows":[1]"#, #"{"rows" [1]}"#, #"{rows:[1]}"#,
            "[\"\t\"]", "[1}", #"{"rows":[1}}"#, #"{"rows":[{"a":[1}]}]}"#,
        ])
    func refused(text: String) throws {
        #expect(throws: JSONError.self) { try JSONView.parse(Array(text.utf8)) }
        #expect(throws: StoredJSONError.self) { try rows(text) }
    }

    @Test("what stands around the long parts stays")
    func outline() throws {
        let long = String(repeating: "b", count: 70_000)
        let text = #"{"a":"\#(long)","rows":[1,2],"c":{"d":[3],"e":"\#(long)"},"f":"short"}"#
        let outline = try JSONOutline(try stored(text))
        #expect(outline.view["a"]?.string == "")
        #expect(outline.strings.map(\.name) == ["a"])
        #expect(outline.strings.first?.range.count == long.utf8.count)
        #expect(outline.view["c"]?["d"]?.elements.map(\.int) == [3])
        #expect(outline.view["c"]?["e"]?.string == long)
        #expect(outline.view["f"]?.string == "short")
    }

    @Test("a row may weigh 16 MiB, and no more", arguments: [true, false])
    func longRow(fits: Bool) throws {
        let count = (16 << 20) - (fits ? 2 : 1)
        let text = "[\"" + String(repeating: "a", count: count) + "\"]"
        if fits {
            let count = try rows(text).count
            #expect(count == 1)
        } else {
            #expect(throws: StoredJSONError.self) { try rows(text) }
        }
    }

    /// Takes the end away from the files that this process has in the folder.
    private func shortenFiles(to size: Int) throws {
        for descriptor in 3..<Int32(1024) {
            var name = [CChar](repeating: 0, count: 4096)
            let count = readlink("/proc/self/fd/\(descriptor)", &name, name.count - 1)
            let path = name.prefix(max(count, 0)).map { UInt8(bitPattern: $0) }
            guard String(decoding: path, as: UTF8.self).hasPrefix(folder.path) else { continue }
            try #require(ftruncate(descriptor, size) == 0)
        }
    }

    @Test("a file that has lost its end is an error, and no data", arguments: [0, 5, 70_000])
    func lost(size: Int) throws {
        let long = String(repeating: "b", count: 140_000)
        let bytes = try stored(#"[{"id":"e","description":"\#(long)"}]"#)
        var rows = StoredRows(bytes, in: 1..<bytes.count - 1)
        let found = try #require(try rows.next())
        let row = try #require(
            EventRow(found.view, storedAt: StoredRow(bytes: bytes, range: found.range)))
        #expect(try row.event.description == long)
        try shortenFiles(to: size)
        #expect(throws: FileSystemError.self) { try row.view }
        #expect(throws: FileSystemError.self) { try row.event }
        #expect(throws: FileSystemError.self) {
            var blocks = bytes.blocks()
            while try blocks.next() != nil {}
        }
        #expect(throws: StoredJSONError.self) { try JSONOutline(bytes) }
    }

    /// The picture in `p`, nil where there is none.
    private func picture(_ letters: String) throws -> [UInt8]? {
        let bytes = try stored(#"{"p":"\#(letters)"}"#)
        let range = try #require(JSONOutline.part("p", of: try JSONOutline(bytes).strings))
        return try Base64.decodeDataURI(range, of: bytes)?.whole()
    }

    @Test("a long picture in base64 is decoded from its file", arguments: ["", "data:x/y;base64,"])
    func picture(prefix: String) throws {
        // "aaa" is `YWFh`, "?" is `Pw==`; a slash may be escaped.
        let many = String(repeating: "YWFh", count: 50_000)
        let found = try picture(prefix + many + #"\/\u002F\u002b\/Pw=="#)
        let start = [UInt8](repeating: UInt8(ascii: "a"), count: 150_000)
        #expect(found == start + [0xFF, 0xFF, 0xBF, UInt8(ascii: "?")])
    }

    @Test("what is no base64 is no picture", arguments: ["YWF", "YW=h", #"Y\nWFh"#, "=", "****"])
    func noPicture(letters: String) throws {
        let many = String(repeating: "YWFh", count: 50_000)
        let found = try picture(many + letters + many)
        #expect(found == nil)
    }
}
