import CommandLineKit
import Testing

/// What a line of the toy asks for, as one short text; errors too.
func outcome(_ words: String...) -> String { outcome(words) }

func outcome(_ words: [String]) -> String {
    do throws(UsageError) {
        switch try Toy.tool.parse(words) {
        case .run(_, let invocation, let path, _):
            return "\(path.joined(separator: ">")): \(invocation)"
        case .help(let command, let isLong):
            return "\(isLong ? "long" : "short") help of \(command.path)"
        case .verbMissing(let command): return "verb missing after \(command.path)"
        case .version: return "version"
        case .external(_, let name, let arguments): return "external \(name) \(arguments)"
        }
    } catch {
        let hint = error.hint.map { " (\($0))" } ?? ""
        return "\(error.path): \(error.message)\(hint)"
    }
}

/// The global options of a line that runs.
func globals(_ words: String...) throws -> Toy.Globals {
    switch try Toy.tool.parse(words) {
    case .run(let globals, _, _, _), .external(let globals, _, _): return globals
    default: throw UsageError("the line does not run")
    }
}

@Suite struct ParserTests {
    @Test(
        "an option with a value takes it joined, apart and after =",
        arguments: [
            ["-n5"], ["-n", "5"], ["--limit=5"], ["--limit", "5"], ["-fn5"], ["-fn", "5"],
        ])
    func valueSpellings(words: [String]) {
        let follow = words[0].hasPrefix("-f")
        #expect(
            outcome(["lamp", "list"] + words)
                == "lamp>list: list limit=5 colors=[] follow=\(follow) until=-")
    }

    @Test("an option with a value takes the next word whatever it is")
    func greedyValue() {
        #expect(outcome("lamp", "list", "--until", "-h").hasSuffix("until=-h"))
        #expect(outcome("lamp", "list", "--until", "--").hasSuffix("until=--"))
        #expect(outcome("lamp", "list", "--until=").hasSuffix("until="))
        #expect(outcome("lamp", "list", "--until=a=b").hasSuffix("until=a=b"))
    }

    @Test("the last of a repeated single value wins, a repeatable one keeps all")
    func repetition() {
        #expect(
            outcome("lamp", "list", "-n5", "--limit=6", "--hue", "red", "--hue=green")
                == "lamp>list: list limit=6 colors=[\"red\", \"green\"] follow=false until=-")
    }

    @Test("a switch stores its value")
    func switches() {
        #expect(outcome("lamp", "list", "-f").contains("follow=true"))
        #expect(outcome("pair", "--no-wait") == "pair: pair url=- waits=false")
    }

    @Test("global options are read before and after the verb, bundled and counted")
    func globalOptions() throws {
        #expect(try globals("-s", "home", "lamp", "--json", "list", "-vv").verbosity == 2)
        #expect(try globals("-s", "home", "lamp", "list").server == "home")
        #expect(try globals("lamp", "list", "-vshome").server == "home")
        #expect(try globals("lamp", "--json", "list").format == .json)
        #expect(try globals("--json", "lamp", "--format", "csv").format == .csv)
        #expect(try globals("lamp", "--color").isColored == true)
        #expect(try globals("lamp").isColored == nil)
    }

    @Test("an optional value is read only after =")
    func optionalValue() throws {
        #expect(try globals("lamp", "--wait").wait == 900)
        #expect(try globals("lamp", "--wait=5").wait == 5)
        #expect(outcome("lamp", "show", "--wait", "5") == "lamp>show: show lamps=[\"5\"] output=-")
    }

    @Test("-- ends options, and a lone - is an operand")
    func terminator() {
        #expect(
            outcome("lamp", "show", "--", "-h", "--", "-o")
                == "lamp>show: show lamps=[\"-h\", \"--\", \"-o\"] output=-")
        #expect(outcome("lamp", "show", "-o", "-", "-").hasSuffix("lamps=[\"-\"] output=-"))
    }

    @Test("a number with a minus sign is an option like any other")
    func negativeNumber() {
        #expect(
            outcome("oil", "fill", "-5")
                == "[\"oil\", \"fill\"]: unknown option '-5' (put -- before a negative number)")
        #expect(outcome("oil", "fill", "--", "-5") == "oil>fill: fill liters=-5 kinds=[]")
    }

    @Test("a noun alone runs its everyday verb, with that verb's options")
    func defaultVerb() {
        let plain = "lamp>list: list limit=20 colors=[] follow=false until=-"
        #expect(outcome("lamp") == plain)
        #expect(outcome("lamp", "--json") == plain)
        #expect(outcome("lamp", "-n3").hasPrefix("lamp>list: list limit=3"))
        #expect(
            outcome("lamp", "-n3", "show") == "[\"lamp\", \"list\"]: unexpected argument 'show' "
                + "(the verb 'show' must precede its options)")
        #expect(
            outcome("lamp", "-n3", "x") == "[\"lamp\", \"list\"]: unexpected argument 'x'")
        #expect(outcome("oil") == "verb missing after [\"oil\"]")
        #expect(outcome([]) == "verb missing after []")
        #expect(outcome("-v") == "verb missing after []")
    }

    @Test("a command with verbs takes operands only where it says so")
    func directOperands() {
        #expect(outcome("pair") == "pair: pair url=- waits=true")
        #expect(outcome("pair", "http://a") == "pair: pair url=http://a waits=true")
        #expect(outcome("pair", "http://a", "resume").contains("unexpected argument 'resume'"))
        #expect(outcome("pair", "resume") == "pair>resume: resume NoOptions()")
        #expect(
            outcome("pair", "resme")
                == "[\"pair\"]: 'pair' has no verb 'resme' (did you mean 'resume'?)")
    }

    @Test("optional operands take what required ones leave over")
    func operandDistribution() {
        #expect(outcome("fetch", "/a") == "fetch: fetch GET /a")
        #expect(outcome("fetch", "PUT", "/a") == "fetch: fetch PUT /a")
        #expect(outcome("fetch") == "[\"fetch\"]: missing PATH")
        #expect(outcome("fetch", "a", "b", "c") == "[\"fetch\"]: unexpected argument 'c'")
        #expect(outcome("lamp", "show") == "[\"lamp\", \"show\"]: missing LAMP")
    }
}
