package import ArgusCore
import Synchronization

/// A server of the Model Context Protocol, whose client started this process.
///
/// Messages are lines of JSON-RPC 2.0. Calls run at the same time; the answer to a cancelled one is
/// left out, as the protocol wants it.
package final class AssistantServer: Sendable {
    /// The newest revision, which has no handshake: each request names its version.
    private static let modern = "2026-07-28"
    /// The revisions that begin with `initialize`, the newest first.
    private static let versions = ["2025-11-25", "2025-06-18"]
    private static let versionKey = "io.modelcontextprotocol/protocolVersion"
    /// The number of calls that run at a time; others wait.
    private static let width = 8
    /// The most calls that wait.
    private static let longestQueue = 100
    /// How long a client may keep the list of tools, which does not change: an hour.
    private static let lifetime = 3_600_000

    private struct Call: Sendable {
        var id: JSONRPCID
        var work: @Sendable () async -> Void
    }

    private struct State {
        var running: [JSONRPCID: Task<Void, Never>] = [:]
        var waiting: [Call] = []
        /// Resumed once no call runs, after the end of the input.
        var waiter: CheckedContinuation<Void, Never>?

        func has(_ id: JSONRPCID) -> Bool {
            running[id] != nil || waiting.contains { $0.id == id }
        }
    }

    private let identity: FieldValue
    private let instructions: @Sendable () -> String
    private let tools: [AssistantTool]
    private let output: ByteSink
    private let state = Mutex(State())

    /// Makes a server with a name, a version, and words for the assistant about all of its tools, at the
    /// time when it asks.
    package init(
        name: String, version: String, instructions: @escaping @Sendable () -> String,
        tools: [AssistantTool],
        output: ByteSink
    ) {
        identity = ["name": name, "version": version]
        (self.instructions, self.tools, self.output) = (instructions, tools, output)
    }

    /// Answers messages until the input ends, and all calls with it.
    ///
    /// - Throws: `OutputError` if the answers cannot be written.
    package func run(_ lines: MessageLines) async throws(OutputError) {
        defer { state.withLock { $0.running.values.forEach { $0.cancel() } } }
        while true {
            switch await lines.next() {
            case .text(let line): answer(line)
            case .tooLong:
                let limit = ByteCountText.short(MessageLines.limit)
                send(JSONRPCError(.request, "the line is longer than \(limit)").answer)
            case .end:
                await finish()
                return try output.flush()
            }
            // Reports that the client no longer reads.
            try output.flush()
        }
    }

    /// Waits for the calls that run.
    private func finish() async {
        await withCheckedContinuation { waiter in
            let isIdle = state.withLock { state in
                if !state.running.isEmpty { state.waiter = waiter }
                return state.running.isEmpty
            }
            if isIdle { waiter.resume() }
        }
    }

    private func answer(_ line: [UInt8]) {
        guard !line.allSatisfy({ " \t\r".utf8.contains($0) }) else { return }
        do throws(JSONRPCError) {
            guard let message = try JSONRPCMessage(line) else { return }
            if let id = message.id {
                try answer(message, id)
            } else if message.method == "notifications/cancelled" {
                cancel(message.params?["requestId"].flatMap(JSONRPCID.init))
            }
        } catch {
            send(error.answer)
        }
    }

    private func answer(_ message: JSONRPCMessage, _ id: JSONRPCID) throws(JSONRPCError) {
        let version = message.params?["_meta"]?[Self.versionKey]
        let isModern = version != nil && message.method != "initialize"
        if isModern, version?.string != Self.modern {
            throw JSONRPCError(
                .version, "this protocol version is not spoken here",
                data: [
                    "supported": [Self.modern], "requested": version?.string,
                ], id: id)
        }
        switch message.method {
        case "initialize":
            let wanted = message.params?["protocolVersion"]?.string
            let version = Self.versions.first { $0 == wanted } ?? Self.versions[0]
            reply(
                id, .init("protocolVersion", .text(version)), .init("capabilities", capabilities),
                .init("serverInfo", identity), .init("instructions", .text(instructions())))
        case "server/discover":
            reply(
                id,
                [
                    .init("supportedVersions", .list([.text(Self.modern)])),
                    .init("capabilities", capabilities),
                    .init("instructions", .text(instructions())),
                ] + Self.cacheable, modern: true)
        case "ping": reply(id)
        case "tools/list":
            let list = FieldValue.list(tools.map(\.definition))
            reply(id, [.init("tools", list)] + (isModern ? Self.cacheable : []), modern: isModern)
        case "tools/call": try call(message, id, modern: isModern)
        default:
            throw JSONRPCError(.method, "there is no method \(message.method.inQuotes)", id: id)
        }
    }

    private var capabilities: FieldValue { ["tools": [:] as FieldValue] }

    private static let cacheable: [FieldValue.Member] = [
        .init("ttlMs", .integer(Int64(lifetime))), .init("cacheScope", .text("private")),
    ]

    private func call(
        _ message: JSONRPCMessage, _ id: JSONRPCID, modern: Bool
    ) throws(JSONRPCError) {
        let name = message.params?["name"]?.string ?? ""
        guard let tool = tools.first(where: { $0.name == name }) else {
            throw JSONRPCError(.params, "there is no tool \(name.inQuotes)", id: id)
        }
        let given = message.params?["arguments"]
        let arguments = given?.isNull == true ? nil : given
        guard arguments == nil || arguments?.kind == .object else {
            throw JSONRPCError(.params, "the arguments are not an object", id: id)
        }
        guard !state.withLock({ $0.has(id) }) else {
            throw JSONRPCError(.request, "a request with this id is still running", id: id)
        }
        guard state.withLock({ $0.waiting.count < Self.longestQueue }) else {
            throw JSONRPCError(.request, "too many calls wait for their turn", id: id)
        }
        let token = message.params?["_meta"]?["progressToken"].flatMap(JSONRPCID.init)
        let call = Call(id: id) { [self] in
            let result = await tool.work(arguments) { [self] completed, total in
                if let token { report(completed, total, token, of: id) }
            }
            if !Task.isCancelled { reply(id, result.members, modern: modern) }
        }
        state.withLock { state in
            state.waiting.append(call)
            startWaiting(&state)
        }
    }

    /// Starts calls that wait, as far as there is room.
    private func startWaiting(_ state: inout State) {
        while state.running.count < Self.width, !state.waiting.isEmpty {
            let call = state.waiting.removeFirst()
            state.running[call.id] = Task { [self] in
                await call.work()
                end(call.id)
            }
        }
    }

    private func end(_ id: JSONRPCID) {
        let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
            state.running[id] = nil
            startWaiting(&state)
            guard state.running.isEmpty else { return nil }
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume()
    }

    private func cancel(_ id: JSONRPCID?) {
        guard let id else { return }
        state.withLock { state in
            state.waiting.removeAll { $0.id == id }
            state.running[id]?.cancel()
        }
    }

    private func report(_ completed: Int, _ total: Int?, _ token: JSONRPCID, of id: JSONRPCID) {
        guard !Task.isCancelled else { return }
        let params = JSONWriter.object { writer in
            writer.key("progressToken")
            writer.literal(token.text)
            writer.member("progress", completed)
            if let total { writer.member("total", total) }
        }
        let line = JSONWriter.object { writer in
            writer.member("jsonrpc", "2.0")
            writer.member("method", "notifications/progress")
            writer.key("params")
            writer.literal(String(decoding: params, as: UTF8.self))
        }
        send(line + [UInt8(ascii: "\n")])
    }

    private func reply(_ id: JSONRPCID, _ members: FieldValue.Member...) {
        reply(id, members, modern: false)
    }

    private func reply(_ id: JSONRPCID, _ members: [FieldValue.Member], modern: Bool) {
        var members = members
        if modern {
            members.insert(.init("resultType", .text("complete")), at: 0)
            members.append(
                .init("_meta", ["io.modelcontextprotocol/serverInfo": identity] as FieldValue))
        }
        send(jsonRPCAnswer(to: id, .init("result", .object(members))))
    }

    /// Sends a message; a failure is reported by the next `flush`.
    private func send(_ line: [UInt8]) {
        try? output.write(line)
        try? output.flush()
    }
}
