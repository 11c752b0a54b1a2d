import CommandLineKit
import Testing

@Suite struct SpecialModeTests {
    @Test("-h, --help and --version win over everything that is wrong elsewhere")
    func winOverFaults() {
        #expect(outcome("-h") == "short help of []")
        #expect(outcome("--help") == "long help of []")
        #expect(outcome("--version") == "version")
        #expect(outcome("lamp", "-h") == "short help of [\"lamp\"]")
        #expect(outcome("lamp", "-n", "x", "-h") == "short help of [\"lamp\", \"list\"]")
        #expect(
            outcome("lamp", "list", "--bogus", "-nx", "extra", "--help")
                == "long help of [\"lamp\", \"list\"]")
        #expect(outcome("lamp", "bogus", "-h") == "short help of [\"lamp\"]")
        #expect(outcome("Bogus", "--help") == "long help of []")
        #expect(outcome("-q", "-v", "--version") == "version")
        #expect(outcome("oil", "--help") == "long help of [\"oil\"]")
        #expect(outcome("pair", "-h") == "short help of [\"pair\"]")
    }

    @Test("help before the command is help for that command")
    func helpFirst() {
        #expect(outcome("-h", "lamp", "list") == "short help of [\"lamp\", \"list\"]")
        #expect(outcome("--help", "demo") == "long help of []")
    }

    @Test("-h works inside a bundle, the first special mode wins")
    func bundles() {
        #expect(outcome("lamp", "-qh") == "short help of [\"lamp\"]")
        #expect(outcome("--version", "-h") == "version")
        #expect(outcome("-h", "--version") == "short help of []")
    }

    @Test("a value and a word after -- are no special mode")
    func notSpecial() {
        #expect(outcome("lamp", "list", "--until", "--version").hasSuffix("until=--version"))
        #expect(outcome("lamp", "-nh") == "[\"lamp\", \"list\"]: -n: 'h' is not a whole number")
        #expect(outcome("lamp", "list", "--", "-h").contains("unexpected argument '-h'"))
    }
}

@Suite struct ExternalCommandTests {
    @Test("an unknown first word hands its line over as it stands")
    func handsOver() {
        #expect(outcome("demo", "--port", "1", "-h") == "external demo [\"--port\", \"1\", \"-h\"]")
        #expect(outcome("-v", "my-tool2", "--", "x") == "external my-tool2 [\"--\", \"x\"]")
        #expect(outcome("demo", "--version") == "external demo [\"--version\"]")
    }

    @Test("global options before it are read, and refused if they are wrong")
    func globalsBefore() throws {
        #expect(try globals("--json", "demo").format == .json)
        #expect(outcome("--bogus", "demo").hasPrefix("[]: unknown option '--bogus'"))
        #expect(outcome("--wait=x", "demo") == "[]: --wait: 'x' is not a whole number")
    }

    @Test("words of other shapes never leave the tool")
    func otherShapes() {
        for word in ["../demo", "Demo", "1demo", "de.mo", "-demo", "demo/x", "dé"] {
            #expect(!outcome(word).hasPrefix("external"), "\(word)")
        }
    }

    @Test("a program that does not exist becomes an unknown command with suggestions")
    func unknownCommand() {
        let error = Toy.tool.unknownCommand("lmap")
        #expect(error.message == "unknown command 'lmap'")
        #expect(error.hint == "did you mean 'lamp'?")
        #expect(Toy.tool.unknownCommand("dem").hint == "did you mean 'demo'?")
        #expect(Toy.tool.unknownCommand("zzzz").hint == nil)
    }
}
