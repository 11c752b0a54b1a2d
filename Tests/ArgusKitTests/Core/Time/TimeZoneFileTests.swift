import FoundationEssentials
import Testing

@testable import ArgusCore

@Suite("Zone files")
struct TimeZoneFileTests {
    private func bytes(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(filePath: "/usr/share/zoneinfo/\(name)")))
    }

    private func bigEndian(_ value: Int, size: Int) -> [UInt8] {
        (0..<size).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }

    /// A version 1 file: UTC+1 from the start, UTC+2 from `start` on.
    private func versionOne(start: Int, types: [Int] = [0, 1], offsets: [Int] = [3600, 7200])
        -> [UInt8]
    {
        var file = Array("TZif".utf8) + [UInt8](repeating: 0, count: 16)
        for count in [0, 0, 0, types.count, offsets.count, 4] { file += bigEndian(count, size: 4) }
        for index in types.indices { file += bigEndian(start + index * 1000, size: 4) }
        file += types.map { UInt8($0) }
        for offset in offsets { file += bigEndian(offset, size: 4) + [0, 0] }
        return file + Array("ABC\0".utf8)
    }

    @Test("a version 1 file is read, and its last offset stays")
    func versionOneFile() throws {
        let rules = try #require(TimeZoneFile.read(versionOne(start: -5000)))
        #expect(rules.offset(at: Timestamp(seconds: -6000)) == 3600)
        #expect(rules.offset(at: Timestamp(seconds: -4001)) == 3600)
        #expect(rules.offset(at: Timestamp(seconds: -4000)) == 7200)
        #expect(rules.offset(at: Timestamp(seconds: 10_000_000_000)) == 7200)
    }

    @Test("a version 2 file counts by its 64-bit half, and its footer holds for ever after")
    func footer() throws {
        var file = versionOne(start: 0)
        file[4] = UInt8(ascii: "2")
        var second = Array("TZif2".utf8) + [UInt8](repeating: 0, count: 15)
        for count in [0, 0, 0, 1, 2, 4] { second += bigEndian(count, size: 4) }
        second += bigEndian(-10_000_000_000, size: 8) + [1]
        for offset in [100, 200] { second += bigEndian(offset, size: 4) + [0, 0] }
        let footer = Array("ABC\0\nAEST-10AEDT,M10.1.0,M4.1.0/3\n".utf8)
        let rules = try #require(TimeZoneFile.read(file + second + footer))
        #expect(rules.offset(at: Timestamp(seconds: -10_000_000_001)) == 100)
        for (utc, offset) in [
            ("2300-01-01T00:00:00Z", 39_600), ("2300-06-01T00:00:00Z", 36_000),
            ("9999-06-01T00:00:00Z", 36_000),
        ] {
            #expect(rules.offset(at: try #require(Timestamp(serverText: utc))) == offset)
        }
        let withoutFooter = try #require(
            TimeZoneFile.read(file + second + Array("ABC\0\n\n".utf8)))
        #expect(withoutFooter.offset(at: Timestamp(seconds: 0)) == 200)
    }

    @Test("unsound files are refused")
    func unsound() {
        #expect(TimeZoneFile.read([]) == nil)
        #expect(TimeZoneFile.read(versionOne(start: 0, types: [0, 2])) == nil)
        #expect(TimeZoneFile.read(versionOne(start: 0, offsets: [3600, 100_000])) == nil)
        #expect(TimeZoneFile.read(versionOne(start: 0, types: [], offsets: [])) == nil)
        var huge = versionOne(start: 0)
        huge.replaceSubrange(32..<36, with: [0x7F, 0xFF, 0xFF, 0xFF])
        #expect(TimeZoneFile.read(huge) == nil)
        var descending = versionOne(start: 0)
        descending.replaceSubrange(44..<48, with: bigEndian(5000, size: 4))
        #expect(TimeZoneFile.read(descending) == nil)
    }

    @Test("a file cut at any byte is refused, a changed byte never crashes")
    func damaged() throws {
        let file = try bytes("Europe/Berlin")
        #expect(TimeZoneFile.read(file) != nil)
        for length in 0..<(file.count) {
            #expect(TimeZoneFile.read(Array(file.prefix(length))) == nil)
        }
        for index in file.indices {
            var changed = file
            changed[index] ^= 0xFF
            _ = TimeZoneFile.read(changed)?.offset(at: Timestamp(seconds: 4_000_000_000))
        }
    }
}
