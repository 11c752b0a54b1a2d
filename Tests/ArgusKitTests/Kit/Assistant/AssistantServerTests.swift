import ArgusTestSupport
import Glibc
import Testing

@testable import ArgusCore
@testable import ArgusKit

/// The protocol, over a pipe, with tools that do what a test wants.
@Suite("assistant server", .hangLimit)
struct AssistantServerTests {
    private let lines: MessageLines
    private let input: Int32
    private let output = ByteSink.memory()

    init() throws {
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        lines = MessageLines(descriptor: ends[0])
        input = ends[1]
    }

    private func write(_ text: String) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Glibc.write(input, $0.baseAddress, $0.count) }
            guard count > 0 else { return }
            bytes = bytes.dropFirst(count)
        }
    }

    private static let echo = AssistantTool(
        name: "echo", description: "Echoes", schema: ["type": "object"]
    ) { arguments, progress async in
        progress(1, 2)
        return AssistantResult(arguments?["text"]?.string ?? "nothing")
    }

    private func run(_ tools: [AssistantTool] = [echo]) async throws {
        let server = AssistantServer(
            name: "test", version: "1", instructions: { "Look." }, tools: tools, output: output)
        try await server.run(lines)
    }

    /// The answers to messages that end the input, in their order.
    private func answers(
        to messages: String..., tools: [AssistantTool] = [echo], end: String = "\n"
    ) async throws -> [JSONView] {
        startThread {
            write(messages.joined(separator: "\n") + end)
            close(input)
        }
        try await run(tools)
        return try printed()
    }

    private func printed() throws -> [JSONView] {
        try output.contents.split(separator: UInt8(ascii: "\n")).map {
            try JSONView.parse(Array($0))
        }
    }

    private static func request(_ id: String, _ method: String, _ params: String = "{}") -> String {
        #"{"jsonrpc":"2.0","id":\#(id),"method":"\#(method)","params":\#(params)}"#
    }

    private static let cancelled =
        #"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#

    @Test(
        "a handshake keeps a version that is spoken, and offers the newest for another",
        arguments: [
            ("2025-06-18", "2025-06-18"), ("2025-11-25", "2025-11-25"),
            ("2024-11-05", "2025-11-25"), ("2026-07-28", "2025-11-25"), ("x", "2025-11-25"),
        ])
    func handshake(wanted: String, version: String) async throws {
        let answers = try await answers(
            to: Self.request("1", "initialize", #"{"protocolVersion":"\#(wanted)"}"#),
            #"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
            Self.request("\"b\"", "ping"))
        #expect(answers.count == 2)
        let result = try #require(answers.first?["result"])
        #expect(result["protocolVersion"]?.string == version)
        #expect(result["capabilities"]?["tools"]?.kind == .object)
        #expect(result["serverInfo"]?["name"]?.string == "test")
        #expect(result["instructions"]?.string == "Look.")
        #expect(answers.last?["id"]?.string == "b")
    }

    @Test("without a handshake, each request names its version")
    func modern() async throws {
        func meta(_ version: String) -> String {
            #"{"name":"echo","_meta":{"io.modelcontextprotocol/protocolVersion":\#(version)}}"#
        }
        let answers = try await answers(
            to: Self.request("1", "server/discover", meta("\"2026-07-28\"")),
            Self.request("2", "tools/list", meta("\"2026-07-28\"")),
            Self.request("3", "tools/list", meta("\"2099-01-01\"")),
            Self.request("4", "tools/list", meta("7")),
            Self.request("5", "tools/call", meta("\"2026-07-28\"")))
        #expect(answers.count == 5)
        #expect(answers[0]["result"]?["supportedVersions"]?.strings == ["2026-07-28"])
        #expect(answers[1]["result"]?["resultType"]?.string == "complete")
        #expect(answers[1]["result"]?["ttlMs"]?.int == 3_600_000)
        #expect(answers[2]["error"]?["code"]?.int == -32022)
        #expect(answers[2]["error"]?["data"]?["requested"]?.string == "2099-01-01")
        #expect(answers[3]["error"]?["code"]?.int == -32022)
        #expect(answers[4]["result"]?["resultType"]?.string == "complete")
    }

    @Test(
        "what is no request is an error in the protocol's words, and the next one is answered",
        arguments: [
            ("garbage", -32700, "null"), (#"{"half"#, -32700, "null"), ("[]", -32600, "null"),
            ("7", -32600, "null"), (#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#, -32600, "null"),
            (#"{"jsonrpc":"2.0","id":1}"#, -32600, "1"),
            (#"{"id":1,"method":"ping"}"#, -32600, "1"),
            (#"{"jsonrpc":"2.0","id":1,"method":7}"#, -32600, "1"),
            (#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, -32600, "null"),
            (#"{"jsonrpc":"2.0","id":{},"method":"ping"}"#, -32600, "null"),
            (#"{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}"#, -32602, "1"),
            (request("1", "resources/list"), -32601, "1"),
            (request("1", "tools/call"), -32602, "1"),
            (request("1", "tools/call", #"{"name":"rm"}"#), -32602, "1"),
            (request("1", "tools/call", #"{"name":"echo","arguments":[]}"#), -32602, "1"),
            ("\u{0}\u{1B}[2J", -32700, "null"),
        ])
    func refused(line: String, code: Int, id: String) async throws {
        let answers = try await answers(to: line, "", " \r", Self.request("2", "ping"))
        #expect(answers.count == 2)
        #expect(answers[0]["error"]?["code"]?.int == code)
        #expect(answers[0]["error"]?["message"]?.string?.isEmpty == false)
        #expect(answers[0]["id"].map { String(decoding: $0.rawBytes, as: UTF8.self) } == id)
        #expect(answers[1]["id"]?.int == 2)
    }

    @Test("answers and unknown notifications are left alone")
    func ignored() async throws {
        let answers = try await answers(
            to: #"{"jsonrpc":"2.0","id":9,"result":{}}"#, #"{"jsonrpc":"2.0","method":"x"}"#,
            Self.cancelled, #"{"jsonrpc":"2.0","method":"notifications/cancelled"}"#)
        #expect(answers.isEmpty)
    }

    @Test("a line that is too long is an error, also at the end, and the next one is read")
    func longLine() async throws {
        let long = String(repeating: "x", count: MessageLines.limit + 1)
        let answers = try await answers(
            to: long, Self.request("2", "ping"), long + long, end: "")
        #expect(answers.map { $0["error"]?["code"]?.int } == [-32600, nil, -32600])
    }

    @Test("the last line needs no end")
    func lastLine() async throws {
        let answers = try await answers(to: Self.request("2", "ping"), end: "")
        #expect(answers.first?["id"]?.int == 2)
    }

    @Test("calls that run when the input ends are answered, with progress where it is wanted")
    func calls() async throws {
        let wanted =
            #"{"name":"echo","arguments":{"text":"a\u001b"},"_meta":{"progressToken":"t"}}"#
        let answers = try await answers(to: Self.request("1.5", "tools/call", wanted))
        #expect(answers.count == 2)
        #expect(answers[0]["method"]?.string == "notifications/progress")
        #expect(answers[0]["params"]?["progressToken"]?.string == "t")
        #expect(answers[0]["params"]?["total"]?.int == 2)
        let content = answers[1]["result"]?["content"]?.elements.first { _ in true }
        #expect(content?["text"]?.string == "a\u{1B}")
        #expect(answers[1]["id"]?.double == 1.5)
        #expect(!output.text.contains("\u{1B}"))
    }

    @Test("two calls run at once, and a cancelled one is not answered")
    func cancellation() async throws {
        let (isRunning, isOver) = (Signal(), Signal())
        let endless = AssistantTool(name: "wait", description: "Waits", schema: [:]) {
            _, _ async in
            isRunning.raise()
            try? await Task.sleep(for: .seconds(86400))
            isOver.raise()
            return AssistantResult("late")
        }
        let serving = Task { try await run([endless, Self.echo]) }
        write(Self.request("1", "tools/call", #"{"name":"wait"}"#) + "\n")
        await isRunning.wait()
        write(Self.request("1", "tools/call", #"{"name":"echo"}"#) + "\n")
        write(Self.request("2", "tools/call", #"{"name":"echo"}"#) + "\n" + Self.cancelled + "\n")
        await isOver.wait()
        close(input)
        try await serving.value
        let answers = try printed()
        #expect(answers.map { $0["id"]?.int } == [1, 2])
        #expect(answers.first?["error"]?["code"]?.int == -32600, "the id is in use")
        #expect(answers.last?["result"]?["isError"]?.bool == false)
    }

    @Test("more calls than run at a time wait for their turn, and may be cancelled before it")
    func waiting() async throws {
        let release = Signal()
        let slow = AssistantTool(name: "wait", description: "Waits", schema: [:]) { _, _ async in
            await release.wait()
            return AssistantResult("done")
        }
        let serving = Task { try await run([slow]) }
        for id in 2...40 {
            write(Self.request("\(id)", "tools/call", #"{"name":"wait"}"#) + "\n")
        }
        write(Self.request("1", "tools/call", #"{"name":"wait"}"#) + "\n" + Self.cancelled + "\n")
        write(Self.request("99", "ping") + "\n")
        close(input)
        while !output.text.contains("99") { await Task.yield() }
        release.raise()
        try await serving.value
        #expect(Set(try printed().compactMap { $0["id"]?.int }) == Set(2...40).union([99]))
    }
}
