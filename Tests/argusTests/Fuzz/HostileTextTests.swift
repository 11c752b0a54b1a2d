import ArgusCore
import ArgusTestSupport
import ArgusTransport
import Synchronization
import Testing

@testable import argus

/// Whole commands on a terminal, against a server whose texts would take the terminal over.
@Suite("Hostile texts")
struct HostileTextTests {
    @Test(
        "no control of a server reaches a terminal, whatever the command and its format",
        arguments: FuzzTests.operations)
    func walk(operation: FuzzTests.Operation) async throws {
        for manner in HostileServer.Manner.allCases {
            for format in ["", "--json", "--format ndjson", "--format csv", "--json --raw -v"] {
                let test = try await FuzzTests.fixture(
                    signedInWith: operation.changesSignIn
                        ? FuzzTests.endedSession : TestSystem.session)
                test.environment["ARGUS_ERRORS"] = nil
                test.environment["ARGUS_NO_INPUT"] = "1"
                let server = HostileServer(
                    manner, refusesAfter: operation.isWatch ? 10 : .max)
                let terminal = Terminal(
                    isInputTerminal: true, isOutputTerminal: true, isErrorTerminal: true)
                for line in operation.lines {
                    let words = line.map { $0.replacing("OUT", with: test.folder.file("out")) }
                    let streams = Streams(out: .memory(), err: .memory(), terminal: terminal)
                    _ = await FuzzTests.run(
                        words + format.split(separator: " ").map(String.init), in: test,
                        by: server, on: streams)
                    for text in [streams.out.text, streams.err.text] {
                        let harm = Self.harm(in: text)
                        #expect(
                            harm.isEmpty,
                            "\(manner) \(words) \(format): \(text.debugDescription)")
                    }
                }
            }
        }
    }

    /// What of a text a terminal would obey, but for the moves of argus's own displays.
    private static func harm(in text: String) -> Set<String> {
        // The line of progress begins with a return and ends with an erasure.
        let shown = text.replacing(/\r[^\r\n\u{1B}]*\u{1B}\[K/, with: "")
            .replacing("\u{1B}[A\r", with: "").replacing("\u{1B}[K", with: "")
        var harm: Set<String> = []
        for scalar in shown.unicodeScalars {
            switch scalar.value {
            case 0x09, 0x0A: continue
            case 0..<0x20, 0x7F...0x9F, 0x061C, 0x200E...0x200F, 0x202A...0x202E, 0x2066...0x2069:
                harm.insert(String(scalar.value, radix: 16))
            default: continue
            }
        }
        return harm
    }
}

/// A server that answers as real ones did, with controls in its texts.
private final class HostileServer: WholeAnswerTransport {
    enum Manner: CaseIterable {
        /// At the end of what is no id, time or secret, so that commands come to their end.
        case texts
        /// In the place of every text.
        case everyText
        case refusal
        case page
    }

    private let manner: Manner
    private let refusesAfter: Int
    private let count = Mutex(0)

    init(_ manner: Manner, refusesAfter: Int) {
        (self.manner, self.refusesAfter) = (manner, refusesAfter)
    }

    /// A title, a bell, a CSI of one byte, bidi overrides, a deletion and a return: escaped, and raw
    /// where JSON allows it.
    private static let controls =
        #"\u001b]0;owned\u0007\u009b31m\u202e\u2066\u007f\r\b"# + "\u{9B}32m\u{202E}\u{2067}\u{7F}"

    private static let raw = "\u{1B}]0;owned\u{7}\u{9B}31m\u{202E}\u{2066}\u{7F}\r"

    func answer(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        let count = count.withLock { count in
            count += 1
            return count
        }
        guard count <= refusesAfter else { return DamagedServer.refusal }
        var answer = DamagedServer.sample(for: request)
        switch manner {
        case .texts, .everyText: answer.body = Array(hostile(answer.body))
        case .refusal:
            answer.status = 400
            answer.body = Array(#"{"detail":"no \#(Self.controls)"}"#.utf8)
        case .page:
            answer.status = 502
            answer.body = Array("<h1>\(Self.raw)</h1>".utf8)
        }
        answer.headers = HTTPHeaders(
            answer.headers.fields + [
                ("x-request-id", "r\(Self.raw)"), ("location", "/\(Self.raw)"),
                ("x-\(Self.raw)", Self.raw), ("etag", "\"\(Self.raw)\""),
            ])
        return answer
    }

    /// The JSON with controls in its strings that are no names of members.
    private func hostile(_ body: [UInt8]) -> String.UTF8View {
        guard body.first == UInt8(ascii: "{") || body.first == UInt8(ascii: "["),
            let text = String(validating: body, as: UTF8.self)
        else { return String(decoding: body, as: UTF8.self).utf8 }
        var parts = text.split(separator: "\"", omittingEmptySubsequences: false).map(String.init)
        // No text of the samples has a quotation mark of its own.
        for index in parts.indices where index % 2 == 0 {
            // Names of members are texts as well.
            let isObject = parts[index].last { !$0.isWhitespace } == "{"
            if isObject { parts[index] += "\"x\(Self.controls)\": 1, " }
        }
        for index in parts.indices where index % 2 == 1 {
            let isName = index + 1 < parts.count && parts[index + 1].hasPrefix(":")
            guard !isName else { continue }
            switch manner {
            case .everyText: parts[index] = Self.controls
            case .texts where !Self.isMeant(parts[index]): parts[index] += Self.controls
            default: continue
            }
        }
        return parts.joined(separator: "\"").utf8
    }

    /// Whether a text is one that later requests depend on.
    private static func isMeant(_ text: String) -> Bool {
        let isID = text.count == 36 && text.filter { $0 == "-" }.count == 4
        let isTime = text.hasPrefix("20") && text.contains("T")
        let isCode = text.count == 6 && text.allSatisfy(\.isNumber)
        return isID || isTime || isCode || text.count > 100
            || ["argus_", "eyJ", "data:", "B"].contains { text.hasPrefix($0) }
    }
}
