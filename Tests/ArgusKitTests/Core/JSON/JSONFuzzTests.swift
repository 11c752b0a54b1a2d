import ArgusCore
import ArgusTestSupport
import FoundationEssentials
import Testing

@Suite("JSON from hostile or broken servers")
struct JSONFuzzTests {
    private static let samples: [(name: String, bytes: [UInt8])] = {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "EndToEndTests/Fixtures/samples")
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.filter { $0.hasSuffix(".json") }.sorted().compactMap { name in
            (try? Data(contentsOf: folder.appending(path: name))).map { (name, Array($0)) }
        }
    }()

    /// Reads everything there is, so that every accessor meets every value.
    private func walk(_ view: JSONView) -> Int {
        var count = 1
        _ = (view.string, view.int, view.double, view.bool, view.isNull)
        view.forEachMember { key, value in
            count += key.text.utf8.count + walk(value)
        }
        for element in view.elements { count += walk(element) }
        return count
    }

    @Test("every recorded answer is read, and its compact form reads the same")
    func samplesAreRead() throws {
        try #require(Self.samples.count > 50)
        for sample in Self.samples {
            let view = try JSONView.parse(sample.bytes)
            var compact: [UInt8] = []
            view.appendCompact(to: &compact)
            var again: [UInt8] = []
            let second = try JSONView.parse(compact)
            second.appendCompact(to: &again)
            #expect(compact == again && walk(view) == walk(second), "\(sample.name)")
        }
    }

    @Test("an answer cut at any byte is refused")
    func truncated() throws {
        for sample in Self.samples where sample.bytes.count < 3000 {
            let trimmed = Array(try JSONView.parse(sample.bytes).rawBytes)
            for length in 0..<trimmed.count {
                #expect(throws: JSONError.self, "\(sample.name) cut at \(length)") {
                    try JSONView.parse(Array(trimmed.prefix(length)))
                }
            }
        }
    }

    @Test("a mutated answer is an error or a value, and a value can be written again")
    func mutated() throws {
        var random = FixedRandom(state: 2026)
        let tokens = Array("{}[]\",:\\u0dD8-+.eE1tfn \n\0".utf8) + [0xFF, 0xC3, 0xED, 0x80, 0xF4]
        var accepted = 0
        for _ in 0..<200 {
            for sample in Self.samples where sample.bytes.count < 5000 {
                var bytes = sample.bytes
                for _ in 0..<Int.random(in: 1...4, using: &random) where !bytes.isEmpty {
                    let index = Int.random(in: 0..<bytes.count, using: &random)
                    let token = tokens.randomElement(using: &random) ?? 0
                    switch Int.random(in: 0..<4, using: &random) {
                    case 0: bytes[index] = token
                    case 1: bytes.insert(token, at: index)
                    case 2: bytes.remove(at: index)
                    default: bytes.removeSubrange(index..<min(index + 9, bytes.count))
                    }
                }
                guard let view = try? JSONView.parse(bytes) else { continue }
                accepted += 1
                _ = walk(view)
                for escaping in [JSONRawEscaping.asReceived, .forTerminal] {
                    var output: [UInt8] = []
                    view.appendCompact(to: &output, escaping: escaping)
                    #expect(walk(try JSONView.parse(output)) > 0)
                }
            }
        }
        #expect(accepted > 100)
    }
}
