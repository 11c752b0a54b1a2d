import ArgusTestSupport
import CommandLineKit
import Testing

@testable import argus
@testable import ArgusCore
@testable import ArgusKit

/// The tools of `argus mcp`; the protocol is `AssistantServerTests`, whole sessions `AssistantTests`.
@Suite("tools for assistants")
struct MCPTests {
    private static let tools = VerbTool.all(withSnapshots: true)

    private func command(_ path: String) -> CommandDescription? {
        Tool.commandLine.description.command(path.split(separator: " ").map(String.init))
    }

    @Test("nothing that can be called changes, deletes or sends anything, or shows a secret")
    func effects() throws {
        #expect(Self.tools.count == 8)
        #expect(VerbTool.all(withSnapshots: false).count == 7)
        for tool in Self.tools {
            #expect(!tool.verbs.isEmpty)
            for verb in tool.verbs {
                #expect(try #require(command(verb), "\(verb)").about.effect == .reads, "\(verb)")
                #expect(!["token", "api", "keys create", "notify key show"].contains(verb))
            }
        }
    }

    @Test("the options of a tool are those of its verbs, and none that write files or open pages")
    func options() throws {
        for tool in Self.tools {
            for verb in [tool.server, tool.archive].compactMap(\.self) {
                let flags = try #require(command(verb)).flags
                for option in tool.options {
                    let flag = try #require(flags.first { $0.long == option }, "\(verb) \(option)")
                    #expect(flag.hasValue && flag.completion != .file)
                }
                #expect((tool.operand == nil) || command(verb)?.arguments.count == 1)
            }
        }
    }

    @Test("the definitions are short, and those with a stranger's words warn")
    func definitions() throws {
        let test = try TestSystem()
        let context = Context(globals: GlobalOptions(), system: test.system)
        var writer = JSONWriter()
        writer.value(FieldValue.list(Self.tools.map { $0.tool(in: context).definition }))
        // 1,500 tokens are the limit; with the tokenizer that was tried one has 4.1 bytes of them.
        #expect(writer.bytes.count < 5_250, "\(writer.bytes.count)")
        let list = try JSONView.parse(writer.bytes)
        for tool in list.elements {
            let name = try #require(tool["name"]?.string)
            let warns = ["list_events", "show_event", "search_archive"].contains(name)
            #expect(tool["description"]?.string?.contains("never instructions") == warns)
            #expect(tool["inputSchema"]?["type"]?.string == "object")
            #expect(tool["annotations"]?["readOnlyHint"]?.bool == true)
        }
    }

    private func call(
        _ name: String, _ arguments: String, in test: TestSystem,
        _ globals: GlobalOptions = GlobalOptions()
    ) async throws -> (result: JSONView, isError: Bool, hasPicture: Bool) {
        var system = test.system
        system.makeTransport = { _, _ in DamagedServer(seed: nil) }
        let context = Context(globals: globals, system: system)
        let tool = try #require(Self.tools.first { $0.name == name }).tool(in: context)
        let result = await tool.work(try JSONView.parse(Array(arguments.utf8))) { _, _ in }
        #expect(test.stdout == "" && test.stderr == "")
        return (
            try JSONView.parse(Array(result.text.utf8)), result.isError, !result.pictures.isEmpty
        )
    }

    @Test("what a camera saw is apart, and what the server did not say is left out")
    func untrusted() async throws {
        let test = try TestSystem()
        try await test.know()
        let (result, isError, _) = try await call("list_events", #"{"limit":2}"#, in: test)
        #expect(!isError)
        #expect(result["source"]?.string == "server")
        let event = try #require(result["events"]?.elements.first { _ in true })
        #expect(event["untrusted_text"]?.string?.isEmpty == false)
        #expect(event["description"] == nil)
        event.forEachMember { _, value in #expect(!value.isNull) }
    }

    @Test("an event comes with its picture, unless it is not wanted")
    func picture() async throws {
        let test = try TestSystem()
        try await test.know()
        #expect(try await call("show_event", #"{"event":"latest"}"#, in: test).hasPicture)
        let without = #"{"event":"latest","picture":false}"#
        #expect(try await !call("show_event", without, in: test).hasPicture)
    }

    @Test(
        "wrong arguments are usage errors, in words that name them",
        arguments: [
            ("list_events", #"{"output":"x"}"#, "list_events has no argument 'output'"),
            ("list_events", #"{"json":"x"}"#, "list_events has no argument 'json'"),
            ("list_events", #"{"picture":true}"#, "list_events has no argument 'picture'"),
            ("list_events", #"{"limit":101}"#, "limit: is not between 1 and 100"),
            ("list_events", #"{"limit":"3"}"#, "limit: is not between 1 and 100"),
            ("list_events", #"{"camera":["x"]}"#, "camera: is neither a text nor a whole number"),
            ("list_events", #"{"since":"--all"}"#, "--since: invalid time '--all'"),
            ("show_event", "{}", "missing EVENT"),
            ("show_event", #"{"event":"--web"}"#, "event '--web'"),
        ])
    func usage(tool: String, arguments: String, message: String) async throws {
        let test = try TestSystem()
        try await test.know()
        let (result, isError, _) = try await call(tool, arguments, in: test)
        #expect(isError)
        let text = try #require(result["error"]?["message"]?.string)
        #expect(text.contains(message))
        #expect(result["error"]?["exit_code"]?.int != nil)
    }

    @Test("options of the whole run do not take the marks away")
    func raw() async throws {
        let test = try TestSystem()
        try await test.know()
        var globals = GlobalOptions()
        (globals.isRaw, globals.hasLocalTimes, globals.format) = (true, true, .table)
        let (result, isError, _) = try await call("list_events", "{}", in: test, globals)
        #expect(!isError)
        let event = try #require(result["events"]?.elements.first { _ in true })
        #expect(event["untrusted_text"] != nil && event["description"] == nil)
    }

    @Test("nulls are left out, as clients send them for what is not given")
    func nulls() async throws {
        let test = try TestSystem()
        try await test.know()
        let arguments = #"{"camera":null,"limit":null,"unknown":null}"#
        #expect(try await !call("list_events", arguments, in: test).isError)
    }

    @Test("not signed in is an error object")
    func signedOut() async throws {
        let (result, isError, _) = try await call("list_cameras", "{}", in: try TestSystem())
        #expect(isError)
        #expect(result["error"]?["kind"]?.string == "not_signed_in")
    }
}
