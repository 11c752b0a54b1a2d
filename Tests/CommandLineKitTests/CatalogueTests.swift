import ArgusTestSupport
import Testing

@testable import CommandLineKit

/// A leaf that keeps every rule, to be broken in one place.
private func leaf(
    _ name: String = "go", summary: String = "Go somewhere", flags: [FlagInfo] = [],
    arguments: [ArgumentInfo] = [], isHidden: Bool = false,
    change: (inout CommandInfo.Details) -> Void = { _ in }
) -> CommandNode<String> {
    var details = CommandInfo.Details(examples: [Example("toy help", "Help")], exitStatuses: [0])
    change(&details)
    let about = CommandInfo(name: name, summary: summary, isHidden: isHidden) {
        [details] in details
    }
    return CommandNode(
        about: about, directOperands: .any, read: { _, _ in "" }, flags: { flags },
        arguments: { arguments }, isLeaf: true)
}

private func flag(
    _ long: String, short: Character? = nil,
    kind: FlagInfo.Kind = .toggle, value: String? = nil, summary: String = "Do so",
    details: [Paragraph] = [], completion: Completion = .none
) -> FlagInfo {
    FlagInfo(
        long: long, short: short, kind: kind, valueName: value,
        summary: summary, details: details, completion: completion)
}

private func argument(
    _ name: String, _ count: ArgumentInfo.Count = .required, summary: String = "A thing",
    completion: Completion = .none
) -> ArgumentInfo {
    ArgumentInfo(name: name, count: count, summary: summary, completion: completion)
}

private func faults(_ nodes: CommandNode<String>..., info: ToolInfo = Toy.info) -> [String] {
    var info = info
    info.paragraphs = []
    info.examples = []
    return Catalogue.faults(in: Toy.makeTool(info, commands: nodes + [.verb(Help.self)]))
}

@Suite struct CatalogueTests {
    @Test("the toy keeps every rule")
    func cleanToy() {
        #expect(Catalogue.faults(in: Toy.tool) == [])
        #expect(faults(leaf()) == [])
    }

    @Test("a verb is unique among its siblings and has no hyphen")
    func verbNames() {
        #expect(faults(leaf(), leaf()) == ["toy: verb 'go' twice"])
        let rule = "a verb is made of lower-case letters and digits, no hyphen"
        #expect(faults(leaf("go-on")).contains("toy go-on: \(rule)"))
        #expect(faults(leaf("__go", isHidden: true)) == [])
        #expect(faults(leaf("__go")).contains("toy __go: \(rule)"))
        #expect(faults(leaf("Go")).contains("toy Go: \(rule)"))
    }

    @Test("an default verb exists")
    func defaultVerb() {
        let noun = CommandNode<String>.noun(
            "way", "Find ways", runs: "fly", verbs: [leaf()])
        #expect(faults(noun).contains("toy way: its default verb 'fly' does not exist"))
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

    @Test("option names have their shape", arguments: ["a", "Upper", "a_b", "-ab", "a b", "é1"])
    func longNames(name: String) {
        #expect(
            faults(leaf(flags: [flag(name)]))
                == ["toy go: option --\(name): a long name is [a-z0-9-]{2,}"])
    }

    @Test("short names are alphanumeric", arguments: ["-", "?", "é", " "])
    func shortNames(name: Character) {
        #expect(
            faults(leaf(flags: [flag("on", short: name)]))
                == ["toy go: option --on: the short name '\(name)' is not alphanumeric"])
    }

    @Test("switches have no choices, values have names")
    func flagShapes() {
        #expect(
            faults(leaf(flags: [flag("on", completion: .choices(["a"]))]))
                == ["toy go: option --on: a switch has no choices"])
        #expect(
            faults(leaf(flags: [flag("on", kind: .single)]))
                == ["toy go: option --on: its value has no name"])
        #expect(
            faults(
                leaf(flags: [flag("on", kind: .single, value: "X", completion: .choices(["a b"]))]))
                == ["toy go: --on: the choice 'a b' is no plain word"])
        #expect(
            faults(leaf(arguments: [argument("X", completion: .dynamic("a;b"))]))
                == ["toy go: X: 'a;b' is no kind of completion"])
    }

    @Test("operands are unique, and only one of them repeats")
    func arguments() {
        #expect(
            faults(leaf(arguments: [argument("A"), argument("A")])) == ["toy go: argument A twice"])
        let many = argument("A", .repeated(atLeast: 0))
        #expect(
            faults(leaf(arguments: [many, argument("B", .repeated(atLeast: 1))]))
                == ["toy go: two repeated arguments"])
    }

    @Test("summaries start with a capital, have no full stop and are one line")
    func summaries() {
        #expect(faults(leaf(summary: "go on")) == ["toy go: the summary starts with no capital"])
        #expect(faults(leaf(summary: "")) == ["toy go: the summary starts with no capital"])
        #expect(faults(leaf(summary: "Go on.")) == ["toy go: the summary ends with a full stop"])
        #expect(faults(leaf(summary: "Go\non")).contains("toy go: the summary is not one line"))
        #expect(
            faults(leaf(flags: [flag("on", summary: "On.")]))
                == ["toy go: option --on: the summary ends with a full stop"])
        #expect(
            faults(leaf(arguments: [argument("A", summary: "a")]))
                == ["toy go: argument A: the summary starts with no capital"])
        var info = Toy.info
        info.externals = [ExternalCommand("demo", "try.")]
        info.topics[0].summary = "times"
        #expect(faults(leaf(), info: info).count == 3)
    }

    @Test("every summary fits the 79 columns of -h on one line")
    func width() {
        let long = "A" + String(repeating: " word", count: 20)
        let found = faults(leaf(summary: long, flags: [flag("on", summary: long)]))
        #expect(
            found == [
                "toy: the summary of 'go' takes more than one line of -h",
                "toy go: the summary takes more than one line of -h",
                "toy go: the summary of --on takes more than one line of -h",
            ])
    }

    @Test("no name is so long that -h passes 79 columns")
    func wideNames() {
        let name = String(repeating: "N", count: 80)
        let found = faults(leaf(flags: [flag("on", kind: .single, value: name)]))
        #expect(
            found
                == ["toy go: a line of -h is wider than 79 columns: '      --on \(name)'"])
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
            faults(leaf { $0.fields = [FieldInfo("id", "a"), FieldInfo("id", "b")] })
                == ["toy go: field 'id' twice"])
        let hidden = leaf(isHidden: true) {
            $0.examples = []
            $0.exitStatuses = []
        }
        #expect(faults(hidden) == [])
    }

    @Test("topics and external programs have names that collide with nothing")
    func otherNames() {
        var info = Toy.info
        info.topics.append(HelpTopic("times", "Again", paragraphs: []))
        info.externals = [ExternalCommand("go", "Clash"), ExternalCommand("a/b", "Path")]
        #expect(
            faults(leaf(), info: info) == [
                "topic 'times' twice", "external 'go': a command has this name",
                "external 'a/b': bad name",
            ])
        #expect(faults(leaf("times")) == ["topic 'times': a command has this name"])
        #expect(
            Catalogue.faults(in: Toy.makeTool(commands: [leaf()])).contains(
                "there are topics, but no command 'help' shows them"))
    }

    @Test("help that does not answer is a fault")
    func help() {
        // Two commands of one name: the words of the second lead to the first.
        let noun = CommandNode<String>.noun("a", "One", verbs: [leaf()])
        let other = CommandNode<String>.noun(
            "a", "Two", verbs: [leaf("other")])
        #expect(faults(noun, other).contains("toy a other: -h does not show its help"))
    }
}
