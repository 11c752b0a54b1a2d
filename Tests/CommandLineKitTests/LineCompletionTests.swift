import CommandLineKit
import Testing

@Suite("LineCompletion")
struct LineCompletionTests {
    private func reply(_ words: String...) -> [String] {
        Toy.completions(of: words).split(separator: "\n").map(String.init)
    }

    @Test("the first word is a command, one that is shown")
    func commands() {
        let commands = [
            "commands", "lamp\tLook after the lamps", "oil\tCount the oil",
            "pair\tPair with a lighthouse", "fetch\tSend one request", "help\tShow a page of help",
            "demo\tTry everything without a lighthouse",
        ]
        #expect(reply("") == commands)
        #expect(reply() == commands)
        #expect(reply("oil", "") == ["commands", "fill\tFill up"])
        #expect(reply("pair", "") == ["commands", "resume\tGo on waiting"])
        #expect(reply("--", "") == commands)
    }

    @Test(
        "nothing is known after a help option, a separate program or a word that is no command",
        arguments: [
            ["--help", ""], ["lamp", "-h", ""], ["--version", ""], ["demo", ""], ["bogus", "-"],
            ["lamp", "show", "--bogus="], ["oil", "fill", ""], ["lamp", "--limit", ""],
            ["lamp", "--json=j"],
        ])
    func nothing(words: [String]) {
        #expect(Toy.completions(of: words) == "")
    }

    @Test("a command after -- is the shell's to complete, with its number of words")
    func separateCommand() {
        #expect(reply("oil", "burn", "--", "") == ["command 1"])
        #expect(reply("oil", "burn", "--", "ls") == ["command 1"])
        #expect(reply("-q", "oil", "burn", "--", "ls", "-l", "--", "a=b") == ["command 4"])
        #expect(reply("oil", "burn", "") == [])
    }

    @Test("a noun takes the options of its default verb, and settles on it with the first")
    func defaultVerb() {
        let limit = "--limit\tShow at most N lamps (default: 20)"
        #expect(reply("lamp", "-").contains(limit))
        #expect(reply("lamp", "list", "--").contains(limit))
        #expect(!reply("lamp", "show", "--").contains(limit))
        #expect(reply("lamp", "--follow", "sh") == [])
        #expect(reply("lamp", "-q", "sh").first == "commands")
    }

    @Test("the value of an option, in a word of its own or after '='")
    func values() {
        let formats = ["table", "json", "csv"]
        #expect(reply("lamp", "--format", "x") == ["values"] + formats)
        #expect(reply("--format", "") == ["values"] + formats)
        #expect(reply("lamp", "show", "--format=") == ["values --format=", "table", "json"])
        #expect(reply("lamp", "show", "-o", "") == ["file"])
        #expect(reply("lamp", "show", "--output=x") == ["file --output="])
        #expect(reply("lamp", "show", "-qo", "--") == ["file"])
        #expect(
            reply("oil", "fill", "--drips", "left,")
                == ["list", "left,right"])
        #expect(reply("oil", "fill", "--drips", "") == ["list", "left", "right", "all", "lost"])
        #expect(
            reply("lamp", "--fields", "")
                == ["list", "id\tits id", "color\tits colour"])
    }

    @Test("an operand by its place, and what the tool is asked for it")
    func operands() {
        #expect(reply("fetch", "") == ["values", "GET", "POST"])
        #expect(reply("fetch", "GET", "") == [])
        #expect(reply("lamp", "show", "--", "-").first == "values")
        let lamps = reply("--server=home", "lamp", "show", "a", "b", "")
        #expect(lamps.starts(with: ["values", "of-home", "after-a", "Front Door\tover the gate"]))
        #expect(!lamps.contains { $0.contains("vil") })
        #expect(reply("help", "").contains("times\tHow times are written"))
    }
}
