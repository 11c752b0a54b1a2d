import CommandLineKit
import Testing

@Suite struct UsageErrorTests {
    @Test("a bad value is reported with the option as typed, and the value")
    func badValues() {
        let path = "[\"lamp\", \"list\"]"
        #expect(outcome("lamp", "-nx") == "\(path): -n: 'x' is not a whole number")
        #expect(outcome("lamp", "--limit=") == "\(path): --limit: '' is not a whole number")
        #expect(outcome("lamp", "--limit", "0") == "\(path): --limit: '0' is not between 1 and 500")
        #expect(
            outcome("lamp", "--limit=99999999999999999999")
                == "\(path): --limit: '99999999999999999999' is out of range")
        #expect(
            outcome("lamp", "--hue", "blue")
                == "\(path): --hue: 'blue' is not red, green or white")
        #expect(
            outcome("oil", "fill", "5", "--kinds", "whale,tar")
                == "[\"oil\", \"fill\"]: --kinds: 'tar' is not rapeseed, whale or paraffin")
        #expect(
            outcome("oil", "fill", "5", "--kinds", "whale,")
                == "[\"oil\", \"fill\"]: --kinds: 'whale,' has an empty entry")
        #expect(
            outcome("oil", "fill", "x") == "[\"oil\", \"fill\"]: LITERS: 'x' is not a whole number")
        #expect(outcome("lamp", "--wait=x") == "\(path): --wait: 'x' is not a whole number")
    }

    @Test("a missing value and a value where none belongs are usage errors")
    func valueCount() {
        #expect(outcome("lamp", "list", "-n") == "[\"lamp\", \"list\"]: -n needs a value: N")
        #expect(outcome("--server") == "[]: --server needs a value: NAME")
        #expect(outcome("lamp", "--json=yes") == "[\"lamp\"]: --json takes no value")
    }

    @Test("an unknown option is reported with the nearest names, never shortened or guessed")
    func unknownOptions() {
        #expect(
            outcome("lamp", "list", "--limt=5")
                == "[\"lamp\", \"list\"]: unknown option '--limt' (did you mean '--limit'?)")
        #expect(
            outcome("lamp", "--lim", "5")
                == "[\"lamp\"]: unknown option '--lim' (did you mean '--limit'?)")
        #expect(
            outcome("lamp", "list", "-limit", "5")
                == "[\"lamp\", \"list\"]: unknown option '-l' (did you mean '--limit'?)")
        #expect(outcome("lamp", "list", "-xyz") == "[\"lamp\", \"list\"]: unknown option '-x'")
        #expect(
            outcome("--color-red", "lamp").hasPrefix("[]: unknown option '--color-red'"))
        #expect(
            outcome("--until", "now", "lamp", "list")
                == "[]: unknown option '--until' (put --until after 'lamp list')")
        #expect(
            outcome("-n", "5", "lamp").hasSuffix("unknown option '-n' (put -n after 'lamp')"))
        #expect(
            outcome("--bogus", "lamp", "list")
                == "[]: unknown option '--bogus' (only global options may precede the command)")
        #expect(outcome("-V") == "[]: unknown option '-V' (did you mean '--version'?)")
    }

    @Test("an unknown verb is reported with the nearest verbs, or all of them")
    func unknownVerbs() {
        #expect(
            outcome("lamp", "shwo", "x")
                == "[\"lamp\"]: 'lamp' has no verb 'shwo' (did you mean 'show'?)")
        #expect(
            outcome("lamp", "explode")
                == "[\"lamp\"]: 'lamp' has no verb 'explode' (its verbs are list, show)")
        #expect(outcome("Lamp") == "[]: unknown command 'Lamp' (did you mean 'lamp'?)")
        #expect(outcome("") == "[]: unknown command ''")
    }

    @Test("a guessed command is answered with the whole line of the one that is meant")
    func guessedCommands() {
        func hint(_ words: String...) -> String? {
            Toy.tool.unknownCommand(words[0], Array(words.dropFirst())).hint
        }
        #expect(hint("lights") == "did you mean 'toy lamp list'?")
        #expect(hint("glow") == "did you mean 'toy lamp list --hue HUE'?")
        #expect(hint("lights", "red") == "did you mean 'toy lamp list'?")
        #expect(hint("list", "lamp") == "did you mean 'toy lamp list'?")
        #expect(hint("get", "lamps", "x") == "did you mean 'toy lamp show'?")
        #expect(hint("resume") == "did you mean 'toy pair resume'?")
        #expect(hint("unlock") == nil, "a hidden verb stays hidden")
        #expect(
            outcome("oil", "lamps")
                == "[\"oil\"]: 'oil' has no verb 'lamps' (did you mean 'toy lamp list'?)")
        #expect(outcome("lamp", "fill").hasSuffix("(did you mean 'toy oil fill'?)"))
    }

    @Test("a guessed option is answered with the one that is meant, and the value")
    func guessedOptions() {
        func hint(_ words: String...) -> String? {
            do {
                _ = try Toy.tool.parse(words)
                return nil
            } catch {
                return error.hint
            }
        }
        #expect(hint("lamp", "list", "--before", "now") == "did you mean '--until now'?")
        #expect(hint("lamp", "--before=now") == "did you mean '--until now'?")
        #expect(hint("lamp", "--days", "3") == "did you mean '--until 3d'?")
        #expect(hint("lamp", "--days") == "did you mean '--until TIME'?")
        #expect(hint("lamp", "--before", "two days") == "did you mean '--until TIME'?")
        #expect(hint("lamp", "--before", "-f") == "did you mean '--until TIME'?")
        #expect(hint("lamp", "--night", "3") == "did you mean '--until TIME'?")
        #expect(hint("lamp", "--stream", "3") == "did you mean '--follow'?")
        #expect(hint("oil", "burn", "--exec", "ls") == "did you mean '-- ls'?")
        #expect(hint("oil", "burn", "--exec", "ls -l") == "did you mean '-- COMMAND'?")
        #expect(hint("lamp", "--tab") == "did you mean '--format csv'?")
        #expect(hint("--tab", "lamp") == "did you mean '--format csv'?")
        #expect(hint("lamp", "show", "x", "--tab") == nil, "it prints no csv")
        for line in [["--print", "json"], ["--print=json"], ["-p", "json"], ["-pjson"]] {
            #expect(outcome(["lamp"] + line).hasSuffix("(did you mean '--format json'?)"))
        }
        #expect(hint("lamp", "list", "-p", "lamps.json") == nil)
    }

    @Test("an option of another verb of the noun leads to that verb")
    func optionsOfSiblings() {
        #expect(
            outcome("lamp", "list", "--output", "x")
                == "[\"lamp\", \"list\"]: unknown option '--output' "
                + "(did you mean 'toy lamp show'?)")
        #expect(outcome("lamp", "-o", "x").hasSuffix("(did you mean 'toy lamp show'?)"))
        #expect(outcome("lamp", "show", "-n3").hasSuffix("(did you mean 'toy lamp list'?)"))
        #expect(outcome("oil", "fill", "--code", "1").hasSuffix("'--code'"), "a hidden verb's")
        #expect(outcome("fetch", "--limit", "1").hasSuffix("'--limit'"), "another noun's")
    }

    @Test("a mistyped choice is answered with the one that resembles it")
    func nearChoices() {
        #expect(outcome("lamp", "--hue", "gren").hasSuffix("(did you mean 'green'?)"))
        #expect(
            outcome("oil", "fill", "5", "--kinds", "wale,tar").hasSuffix(
                "'wale' is not rapeseed, whale or paraffin (did you mean 'whale'?)"))
    }

    @Test("an operand of a command without any may be meant for an option")
    func operandForOption() {
        #expect(
            outcome("pair", "resume", "north")
                == "[\"pair\", \"resume\"]: unexpected argument 'north' "
                + "(did you mean '--server north'?)")
    }

    @Test("several values of a list are one word, and names with blanks are quoted")
    func severalValues() {
        #expect(
            outcome("oil", "fill", "5", "--kinds", "whale", "paraffin").hasSuffix(
                "unexpected argument 'paraffin' "
                    + "(several values are one word: --kinds whale,paraffin)"))
        #expect(
            outcome("oil", "fill", "5", "--pots", "left", "pot").hasSuffix(
                "unexpected argument 'pot' (quote a value with blanks: --pots 'left pot'; "
                    + "several values are one word: --pots left,pot)"))
        #expect(
            outcome("oil", "fill", "5", "--shelf", "left", "one").hasSuffix(
                "unexpected argument 'one' (quote a value with blanks: --shelf 'left one')"))
    }

    @Test("the first fault of the command line is reported")
    func firstFault() {
        #expect(outcome("lamp", "list", "--bad", "-n").contains("'--bad'"))
        #expect(outcome("lamp", "nope", "--bad").contains("no verb 'nope'"))
    }

    @Test("rules across options fail with the command's path")
    func validation() {
        #expect(outcome("oil", "fill", "101") == "[\"oil\", \"fill\"]: the tank holds 100 litres")
        #expect(
            outcome("lamp", "-q", "-v")
                == "[\"lamp\", \"list\"]: --quiet and --verbose exclude each other")
    }

    @Test("a sensitive value is in no error")
    func sensitiveValues() {
        let words = ["oil", "unlock", "--code=s3cret"]
        #expect(outcome(words) == "[\"oil\", \"unlock\"]: --code: the value is not a whole number")
        for line in [
            ["oil", "unlock", "-cs3cret"], ["oil", "unlock", "s3cret"],
            ["oil", "unlock", "1", "s3cret"], ["oil", "unlock", "--passcode=s3cret"],
            ["oil", "unlock", "--json=s3cret"],
        ] {
            #expect(outcome(line).hasPrefix("[\"oil\", \"unlock\"]: "))
            #expect(!outcome(line).contains("s3cret"))
        }
    }

    @Test("a word is repeated as it is, a long one in part")
    func repeatedWords() {
        #expect(
            outcome("lamp", "list", "a\u{1b}\\")
                == "[\"lamp\", \"list\"]: unexpected argument 'a\u{1b}\\'")
        let long = String(repeating: "x", count: 5000)
        #expect(outcome("lamp", "list", long).count < 200)
        #expect(outcome("lamp", "list", long).hasSuffix("xxx…'"))
        let marks = "e" + String(repeating: "\u{301}", count: 5000)
        #expect(outcome("lamp", "list", marks).unicodeScalars.count < 200)
    }

    @Test("the hint names the help of the command that was meant")
    func hints() {
        let error = UsageError("missing LAMP", path: ["lamp", "show"])
        #expect(error.hint(for: "toy") == "run 'toy lamp show -h'")
        #expect(UsageError("x", hint: "try y").hint(for: "toy") == "try y")
    }
}
