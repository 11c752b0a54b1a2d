import CommandLineKit
import Synchronization
import Testing

@Suite struct TreeCostTests {
    @Test("a line pays for its own path alone")
    func laziness() throws {
        let asked = Mutex<[String]>([])
        @Sendable func noun(_ name: String) -> CommandNode<String> {
            .noun(
                name, "A noun",
                verbs: {
                    asked.withLock { $0.append(name) }
                    return [.verb(Fetch.self)]
                }())
        }
        let tool = Toy.makeTool(commands: [noun("first"), noun("second"), noun("third")])
        #expect(asked.withLock { $0 } == [])
        _ = try tool.parse(["second", "fetch", "/x"])
        #expect(asked.withLock { Set($0) } == ["second"])
        _ = HelpText(tool.description).short(tool.description.root)
        #expect(asked.withLock { Set($0) } == ["second"])
    }
}
