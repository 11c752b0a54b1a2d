import ArgusTestSupport
import Testing

@testable import CommandLineKit

/// A leaf that keeps every rule, to be broken in one place.
private func leaf(
    flags: [FlagInfo] = [], isHidden: Bool = false,
    change: (inout CommandInfo.Details) -> Void = { _ in }
) -> CommandNode<String> {
    var details = CommandInfo.Details(examples: [Example("toy help", "Help")], exitStatuses: [0])
    change(&details)
    let about = CommandInfo(name: "go", summary: "Go somewhere", isHidden: isHidden) {
        [details] in details
    }
    return CommandNode(
        about: about, directOperands: .any, read: { _, _ in "" }, flags: { flags }, isLeaf: true)
}

private func flag(
    _ long: String, short: Character? = nil, details: [Paragraph] = []
) -> FlagInfo {
    FlagInfo(long: long, short: short, kind: .toggle, summary: "Do so", details: details)
}

private func faults(
    _ nodes: CommandNode<String>..., info: ToolInfo = Toy.info, aliases: [CommandAlias] = []
) -> [String] {
    var info = info
    info.paragraphs = []
    info.examples = []
    for index in info.topics.indices { info.topics[index].examples = [] }
    return Catalogue.faults(
        in: Toy.makeTool(info, aliases: aliases, commands: nodes + [.verb(Help.self)]))
}

@Suite struct CatalogueTests {
    @Test("the toy keeps every rule")
    func cleanToy() {
        #expect(Catalogue.faults(in: Toy.tool) == [])
        #expect(faults(leaf()) == [])
    }

    @Test("another name is unique, no command's own, and leads to a command that is shown")
    func aliases() {
        #expect(faults(leaf(), aliases: [.renamed("walk", to: "go --far")]) == [])
        #expect(
            faults(leaf(), aliases: [.synonym("help", of: "go")])
                == ["alias 'help': a command has this name"])
        #expect(
            faults(leaf(), aliases: [.renamed("walk", to: "run")])
                == ["alias 'walk': there is no command 'run'"])
        let twice = [CommandAlias.synonym("walk", of: "go"), .renamed("walk", to: "go")]
        #expect(faults(leaf(), aliases: twice).allSatisfy { $0 == "alias 'walk' twice" })
    }

    @Test("options are unique in a command and against the global ones")
    func flagNames() {
        #expect(faults(leaf(flags: [flag("on"), flag("on")])) == ["toy go: option --on twice"])
        #expect(
            faults(leaf(flags: [flag("on", short: "x"), flag("off", short: "x")]))
                == ["toy go: option -x twice"])
        #expect(faults(leaf(flags: [flag("json")])) == ["toy go: option --json is a global one"])
        #expect(
            faults(leaf(flags: [flag("color")])) == ["toy go: option --color is a global one"]
        )
        #expect(faults(leaf(flags: [flag("host", short: "h")])).contains { $0.contains("-h is a") })
        #expect(faults(leaf(flags: [flag("version")])).contains { $0.contains("--version is a") })
        let twice = Catalogue.faults(
            in: Toy.makeTool(globals: Toy.globals + Toy.globals.prefix(1), commands: []))
        #expect(twice.contains("global option --server is declared twice"))
    }

    @Test("every option, command and topic that a text refers to exists")
    func references() {
        func faults(_ text: Paragraph) -> [String] {
            CommandLineKitTests.faults(leaf { $0.paragraphs = [text] })
        }
        #expect(faults("\(flag: "nope")") == ["toy go: it refers to --nope, which does not exist"])
        #expect(faults("\(flag: "json") \(flag: "color") \(flag: "help")") == [])
        #expect(faults("\(flag: "json", of: "go")").count == 1)
        #expect(
            faults("\(command: "go on")") == ["toy go: it refers to 'go on', which is no command"])
        #expect(faults("\(command: "go") \(command: "demo") \(topic: "exit-status")") == [])
        #expect(faults("\(topic: "go")") == ["toy go: it refers to 'go', which is no topic"])
        #expect(faults(.items(["\(topic: "x")": "\(topic: "y")"])).count == 2)
        #expect(
            CommandLineKitTests.faults(leaf(flags: [flag("on", details: ["\(topic: "x")"])])).count
                == 1)
        var info = Toy.info
        info.topics[0].paragraphs = ["\(command: "x")"]
        #expect(CommandLineKitTests.faults(leaf(), info: info).count == 1)
    }

    @Test("every use of the tool in an example is a line that parses")
    func examples() {
        func faults(_ line: String) -> [String] {
            Catalogue.exampleFaults([Example(line, "Try")], Toy.tool)
        }
        #expect(faults("toy lamp list --hue red | sort -n > out.txt; toy oil fill 5 2>&1") == [])
        #expect(faults("TOY_X=1 toy lamp && if ! toy demo --any; then toy -h; fi # toy no") == [])
        #expect(faults("toy lamp show 'a | b' \"it's\" c\\ d") == [])
        #expect(faults("while read -r x; do toy lamp show \"$x\"; done <ids") == [])
        let refused = "is refused: unknown option '--bogus'"
        #expect(faults("toy lamp --bogus") == ["the example 'toy lamp --bogus' \(refused)"])
        #expect(faults("true && (toy lamp --bogus)").count == 1)
        #expect(
            faults("toy bogus") == ["the example 'toy bogus' is refused: unknown command 'bogus'"])
        #expect(faults("toy oil") == ["the example 'toy oil' is refused: a verb is missing"])
        #expect(faults("ls") == ["the example 'ls' does not use the tool"])
    }

    @Test("a shell line is split as a shell does it")
    func splitting() {
        #expect(shellCommands("a 'b c' \"d'e\" f\\ g ''") == [["a", "b c", "d'e", "f g", ""]])
        #expect(
            shellCommands("a|b>c 2>d;e&&f\ng") == [["a"], ["b"], ["c"], ["d"], ["e"], ["f"], ["g"]])
        #expect(shellCommands("a x#y # z\nb") == [["a", "x#y"], ["b"]])
        #expect(shellCommands("a '|' \"a\\\"b\" \\\nc") == [["a", "|", "a\"b", "c"]])
        #expect(shellCommands(" ") == [])
    }

    @Test("a leaf has an example, exit statuses of the table, and fields if it has formats")
    func coverage() {
        #expect(faults(leaf { $0.examples = [] }) == ["toy go: no example"])
        #expect(faults(leaf { $0.exitStatuses = [] }) == ["toy go: no exit statuses"])
        #expect(
            faults(leaf { $0.exitStatuses = [99] })
                == ["toy go: exit status 99 is not in the tool's table"])
        #expect(faults(leaf { $0.exitStatuses = [0, 0] }) == ["toy go: exit status 0 twice"])
        #expect(faults(leaf { $0.formats = ["json"] }) == ["toy go: formats but no fields"])
        #expect(
            faults(leaf { $0.fields = ["a", "b"].map { FieldInfo("id", $0, type: "text") } })
                == ["toy go: field 'id' twice"])
        let hidden = leaf(isHidden: true) {
            $0.examples = []
            $0.exitStatuses = []
        }
        #expect(faults(hidden) == [])
    }
}
