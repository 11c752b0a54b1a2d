import CommandLineKit
import Testing

@Suite("CommandAlias")
struct CommandAliasTests {
    private func notices(_ words: String...) throws -> [String] {
        guard case .run(_, _, _, let notices) = try Toy.tool.parse(words) else {
            throw UsageError("the line does not run")
        }
        return notices
    }

    @Test("a synonym runs its command, without a notice")
    func synonym() throws {
        #expect(outcome("lamps", "show", "x") == "lamp>show: show lamps=[\"x\"] output=-")
        #expect(outcome("lamps") == outcome("lamp"))
        #expect(outcome("-q", "lamps", "-n5") == outcome("-q", "lamp", "-n5"))
        #expect(try notices("lamps", "show", "x") == [])
    }

    @Test("a former name runs its command, with a notice")
    func renamed() throws {
        #expect(outcome("lantern", "show", "x") == outcome("lamp", "show", "x"))
        #expect(outcome("log", "-f") == outcome("lamp", "list", "-f"))
        #expect(outcome("oil", "pour", "5") == outcome("oil", "fill", "5"))
        #expect(try notices("lantern", "show", "x") == ["'toy lantern' is now 'toy lamp'"])
        #expect(try notices("oil", "pour", "5") == ["'toy oil pour' is now 'toy oil fill'"])
    }

    @Test("a hidden command with a successor runs itself, with a notice")
    func successor() throws {
        #expect(outcome("oil", "unlock", "7").hasPrefix("oil>unlock: "))
        #expect(
            try notices("oil", "unlock", "7") == ["'toy oil unlock' is now 'toy oil fill --code'"])
        #expect(
            try notices("oil", "unlock", "-c", "7")
                == ["'toy oil unlock' is now 'toy oil fill --force'"])
    }

    @Test("an option is accepted by its former names, with a notice")
    func options() throws {
        #expect(outcome("lamp", "--max=7") == outcome("lamp", "--limit=7"))
        #expect(outcome("lamp", "list", "--count", "7") == outcome("lamp", "list", "-n7"))
        #expect(try notices("lamp", "--max", "7") == ["'--max' is now '--limit'"])
        #expect(try notices("lamp", "-n", "7") == [])
        #expect(outcome("lamp", "--max", "501").contains("--max: '501' is not between 1 and 500"))
    }

    @Test("errors and help are those of the command in the table")
    func errors() {
        #expect(outcome("log", "--bogus") == outcome("lamp", "list", "--bogus"))
        #expect(outcome("lantern", "bogus") == outcome("lamp", "bogus"))
        #expect(outcome("oil", "pour", "-h") == "short help of [\"oil\", \"fill\"]")
        #expect(outcome("oil", "unlock", "-h") == "short help of [\"oil\", \"fill\"]")
        #expect(outcome("log", "log").contains("unexpected argument 'log'"))
    }

    @Test("help finds a command by every name, and lists one")
    func help() throws {
        let tool = Toy.tool.description
        for (words, path) in [
            (["lamps"], ["lamp"]), (["oil", "pour"], ["oil", "fill"]),
            (["oil", "unlock"], ["oil", "fill"]),
            (["lantern", "show"], ["lamp", "show"]),
        ] {
            guard case .command(let command) = try tool.helpSubject(words) else {
                throw UsageError("no command")
            }
            #expect(command.path == path)
        }
        #expect(tool.root.visibleTree.allSatisfy { $0.path != ["lamps"] })
        #expect(Toy.tool.isCommand("lamps") && !Toy.tool.isCommand("pour"))
    }

    @Test("what follows another name is completed, the name itself is not")
    func completion() {
        #expect(
            Toy.completions(of: ["lantern", "show", "-"])
                == Toy.completions(of: ["lamp", "show", "-"]))
        #expect(!Toy.completions(of: [""]).contains("lantern"))
        #expect(!Toy.completions(of: ["lamp", "--"]).contains("--max"))
    }
}
