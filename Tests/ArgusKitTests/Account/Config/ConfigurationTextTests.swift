import ArgusAccount
import ArgusTestSupport
import Testing

@Suite("changing a config file")
struct ConfigurationTextTests {
    /// The text after a change; what refused it otherwise.
    private func set(_ key: String, _ value: String, in text: String) -> String {
        let key = ConfigurationKey(key)
        let literal: TOMLLiteral =
            if case .setting(let setting) = key {
                TOMLLiteral(value, for: setting.kind)
            } else {
                TOMLLiteral(string: value)
            }
        do throws(AccountError) {
            var configuration = try ConfigurationText(text, path: "config.toml")
            try configuration.set(key, to: literal)
            return configuration.text
        } catch {
            return "refused: \(error)"
        }
    }

    private func unset(_ key: String, in text: String) -> String {
        do throws(AccountError) {
            var configuration = try ConfigurationText(text, path: "config.toml")
            return try configuration.unset(ConfigurationKey(key)) ? configuration.text : "absent"
        } catch {
            return "refused: \(error)"
        }
    }

    @Test(
        "a value is replaced where it stands, and nothing else is",
        arguments: [
            ("utc = true", "utc = false"),
            ("# above\nutc=true# beside\n# below\n", "# above\nutc=false# beside\n# below\n"),
            ("  utc\t=   true   \n", "  utc\t=   false   \n"),
            ("\"utc\" = true\n", "\"utc\" = false\n"),
            ("'utc' = true\n", "'utc' = false\n"),
            ("server = 'utc = true'\nutc = true\n", "server = 'utc = true'\nutc = false\n"),
            (
                "server = \"a\\\"b # c\"\r\nutc = true\r\n",
                "server = \"a\\\"b # c\"\r\nutc = false\r\n"
            ),
            ("[alias]\nutc = 'x'\n", "utc = false\n\n[alias]\nutc = 'x'\n"),
            ("", "utc = false\n"),
            ("# only words", "# only words\nutc = false\n"),
            ("server = 'x'", "server = 'x'\nutc = false\n"),
            ("server = 'x'\r\n", "server = 'x'\r\nutc = false\r\n"),
            (
                "# head\n\n# of the table\n[alias]\na = 'b'\n",
                "utc = false\n\n# head\n\n# of the table\n[alias]\na = 'b'\n"
            ),
            ("\u{FEFF}server = 'x'\n", "\u{FEFF}server = 'x'\nutc = false\n"),
            ("server = 'x' # 前庭 é\n[alias]\n", "server = 'x' # 前庭 é\nutc = false\n[alias]\n"),
        ])
    func replaces(text: String, changed: String) {
        #expect(set("utc", "false", in: text) == changed)
    }

    @Test(
        "an alias goes where the others are",
        arguments: [
            ("", "alias.n = \"x 'y'\"\n"),
            ("alias.m = 'a'\nutc = true\n", "alias.m = 'a'\nutc = true\nalias.n = \"x 'y'\"\n"),
            ("[alias]\n", "[alias]\nn = \"x 'y'\"\n"),
            (
                "[alias] # mine\nm = 'a' # keep\n\n# end\n",
                "[alias] # mine\nm = 'a' # keep\nn = \"x 'y'\"\n\n# end\n"
            ),
            ("[ 'alias' ]\n\"n\" = 'old'\n", "[ 'alias' ]\n\"n\" = \"x 'y'\"\n"),
            (
                "[other]\nz = 1\n[alias]\nm = 'a'",
                "[other]\nz = 1\n[alias]\nm = 'a'\nn = \"x 'y'\"\n"
            ),
        ])
    func addsAlias(text: String, changed: String) {
        #expect(set("alias.n", "x 'y'", in: text) == changed)
    }

    @Test(
        "a key is removed with its line",
        arguments: [
            ("utc = true", ""),
            ("# a\nutc = true # b\n# c\n", "# a\n# c\n"),
            ("server = 'x'\r\nutc = true\r\nretries = 1\r\n", "server = 'x'\r\nretries = 1\r\n"),
            ("[alias]\nutc = 'x'\n", "absent"),
        ])
    func removes(text: String, changed: String) {
        #expect(unset("utc", in: text) == changed)
    }

    @Test("unknown keys can go")
    func removesUnknown() {
        #expect(unset("colour", in: "colour = 1\nutc = true\n") == "utc = true\n")
        #expect(unset("a.b.c", in: "a.b.c = 1\n[x]\n") == "[x]\n")
    }

    @Test("values are written as TOML reads them back")
    func writesValues() throws {
        for value in ["a\"b", "a\\b", "tab\there", "line\nend", "\u{1}\u{7F}", "前庭 é 🚪", "'''"] {
            let text = set("server", value, in: "# c\n")
            #expect(try Settings(text, path: "c").entries[.server]?.text == value)
        }
        #expect(set("timeout", "45", in: "") == "timeout = 45\n")
        #expect(set("timeout", "45s", in: "timeout = 1.5") == "timeout = \"45s\"")
        #expect(set("retries", "3", in: "") == "retries = 3\n")
        #expect(set("format", "json", in: "format = 3 # x") == "format = \"json\" # x")
    }

    @Test("what is no TOML is refused with its place, and nothing is guessed")
    func refuses() {
        #expect(set("utc", "true", in: "utc = \n").contains("config.toml"))
        #expect(set("utc", "true", in: "utc = true\nutc = false\n").hasPrefix("refused"))
        #expect(
            set("alias.n", "x", in: "alias = 5\n").hasPrefix("refused"),
            "a value cannot become a table")
    }

    @Test("whatever a file looks like, a change ends and keeps every other byte")
    func survivesAnything() {
        let pieces = [
            "utc = true", "[alias]", "a = 'b'", "\"\"\"", "'''", "\n", "\r\n", "#", "{", "}", "[",
            "]", ",", "=", ".", "\\", "\"", "'", " ", "é", "[[x]]", "server = \"s\"", "1",
        ]
        var numbers = SystemRandomNumberGenerator()
        for _ in 0..<3000 {
            let text = (0..<Int.random(in: 0...12, using: &numbers)).map { _ in
                pieces.randomElement(using: &numbers) ?? ""
            }.joined()
            let changed = set("utc", "false", in: text)
            if changed.hasPrefix("refused") { continue }
            // The key itself may stand anywhere, also where it is no key.
            let words = ["utc = false", "utc = true"]
            let kept = words.reduce(changed) { $0.replacing($1, with: "") }
            let before = words.reduce(text) { $0.replacing($1, with: "") }
            #expect(
                kept.filter { !$0.isNewline } == before.filter { !$0.isNewline },
                "\(text.debugDescription)")
        }
    }
}

@Suite("aliases")
struct AliasTests {
    @Test(
        "words are split as a shell would split them",
        arguments: [
            (
                "cameras snapshot 'Front Door' -o -",
                ["cameras", "snapshot", "Front Door", "-o", "-"]
            ),
            ("a \"b 'c' \\\" \\\\ \\n\" d", ["a", "b 'c' \" \\ \\n", "d"]),
            ("  a\\ b\tc''d \"\" ", ["a b", "cd", ""]),
            ("a | b; $(c) *", ["a", "|", "b;", "$(c)", "*"]),
            ("", []),
        ])
    func splits(text: String, words: [String]) {
        #expect(Alias.words(text) == words)
    }

    @Test("an open quote and a lone backslash are faults", arguments: ["a 'b", "a \"b", "a \\"])
    func openQuote(text: String) {
        #expect(Alias.words(text) == nil)
        #expect(Alias.validationError(in: text) == "has a quote that is not closed")
    }

    @Test("names are those of commands")
    func names() {
        #expect(["porch", "p", "a-b2"].allSatisfy(Alias.isName))
        #expect(!["", "2a", "-a", "A", "a b", "a.b", "ä", "a_b"].contains(where: Alias.isName))
    }
}
