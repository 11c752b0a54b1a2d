import ArgusAccount
import ArgusCore
import ArgusTestSupport
import Testing

@Suite("Settings and their precedence")
struct SettingsTests {
    private func settings(_ text: String) throws(AccountError) -> Settings {
        try Settings(text, path: "config.toml")
    }

    private func words(_ text: String) -> String {
        do throws(AccountError) {
            _ = try settings(text)
            return "nothing is wrong"
        } catch { return error.description }
    }

    @Test("every key is read with its line")
    func readsKeys() throws {
        let settings = try settings(
            """
            # a comment = not a key
            server = "home"
            utc = true
            timeout = 1.5
            retries = 0
            alias.last = "events list -n 1"

            [alias]
            "all" = 'events list --all'
            """.replacing("[alias]\n\"all\"", with: "alias.all"))
        func entry(_ setting: Setting) -> String {
            settings.entries[setting].map { "\($0.text) in line \($0.line ?? 0)" } ?? "absent"
        }
        #expect(entry(.server) == "home in line 2")
        #expect(entry(.utc) == "true in line 3")
        #expect(entry(.timeout) == "1.5 in line 4")
        #expect(entry(.retries) == "0 in line 5")
        #expect(entry(.format) == "absent")
        #expect(
            settings.aliases.mapValues(\.text)
                == ["last": "events list -n 1", "all": "events list --all"])
    }

    @Test(
        "faults are reported with key and line",
        arguments: [
            ("\ncolour = 'x'", "config.toml:2:1: 'colour' is not a setting"),
            ("trace = 'x'", "config.toml:1:1: 'trace' is not a setting"),
            ("color = 'red'", "config.toml:1:1: 'color' must be one of auto, always, never"),
            ("color = true", "config.toml:1:1: 'color' must be one of auto, always, never"),
            ("utc = 'true'", "config.toml:1:1: 'utc' must be true or false"),
            ("server = 5", "config.toml:1:1: 'server' must be text"),
            ("server = ''", "config.toml:1:1: 'server' must not be empty"),
            ("retries = -1", "config.toml:1:1: 'retries' must be a whole number of 0 to 100"),
            ("timeout = 0", "config.toml:1:1: 'timeout' must be a duration such as 30s"),
            (
                "timeout = '99999999999d'",
                "config.toml:1:1: 'timeout' must be a duration such as 30s"
            ),
            ("timeout = 'soon'", "config.toml:1:1: 'timeout' must be a duration such as 30s"),
            ("alias = 1", "config.toml:1:1: 'alias' must be a table of names and words"),
            ("[alias]\na = 'b'\nc = 1", "config.toml:3:1: 'alias.c' must be text"),
            (
                "utc = false\r\nformat = 'xml'",
                "config.toml:2:1: 'format' must be one of table, json, ndjson, csv, tsv"
            ),
        ])
    func tellsFault(text: String, message: String) {
        #expect(words(text) == message)
    }

    @Test("broken TOML is reported with its position")
    func tellsSyntax() {
        #expect(words("utc = true\nserver = ").hasPrefix("config.toml:2:"))
        #expect(words("utc = true\nutc = false").hasPrefix("config.toml:2:"))
        #expect(words("utc = true\n[.x]\n") == "config.toml:2:2: a header has no valid name")
        #expect(words("[[x]]") == "config.toml:1:2: lists of tables are not supported")
        #expect(words("x = 07:32") == "config.toml:1:5: a time must be in quotes")
        #expect(words("x = [1]").hasSuffix("1:5: lists and tables in braces are not supported"))
        #expect(words("x = {a = 1}").hasSuffix("1:5: lists and tables in braces are not supported"))
        #expect(words("x = '''").hasSuffix("1:5: text of several lines is not supported"))
        #expect(words("x = \"\\x\"").hasPrefix("config.toml:1:6: unknown escape"))
        #expect(words("x = \"\\ud800\"").hasPrefix("config.toml:1:6: "))
        #expect(words("x").hasSuffix("1:2: expected '=' after the name"))
        #expect(words("= 1").hasSuffix("1:1: a line must be NAME = VALUE"))
        let both = words("server = 'x'\nserver.a = 1")
        #expect(both.hasSuffix("2:1: 'server.a' is a value and a table"))
        #expect(words("[alias]\n[alias]").hasSuffix("2:1: 'alias' is set twice"))
        #expect(words("[").hasPrefix("config.toml:1:"))
    }

    @Test("an absent file is empty, a broken one is an error")
    func loads() throws {
        let folder = try TemporaryFolder()
        #expect(try Settings.load(nil) == Settings())
        #expect(try Settings.load(folder.file("none/config.toml")) == Settings())
        let path = try folder.plant("server = 'x'", "config.toml", mode: 0o644)
        #expect(try Settings.load(path).entries[.server]?.text == "x")
        let binary = try folder.plant("server = 'x\0'", "binary")
        #expect(
            throws: AccountError.configurationSyntax(
                path: binary, line: nil, column: nil, words: "not UTF-8 text")
        ) { try Settings.load(binary) }
        let error = #expect(throws: AccountError.self) { try Settings.load(folder.path) }
        #expect(error?.description == "cannot read '\(folder.path)': is a directory")
    }

    @Test(
        "a wrong relay address is reported with its line, and fails only the commands that use it",
        arguments: [
            ("\n  relay_url = 'ftp://x'", "2:3", "a relay must use https"),
            ("relay_url = 'http://10.0.0.1'", "1:1", "a relay must use https"),
            (
                "relay_url = 'https://u:p@relay.example'", "1:1",
                "a server address must not contain a user name or password"
            ),
        ])
    func relay(text: String, place: String, words: String) throws {
        let read = try Settings.read(text, path: "config.toml")
        #expect(
            read.faults.map(\.description) == [
                "config.toml:\(place): 'relay_url' must be an address such as "
                    + "https://relay.example: \(words)"
            ])
        let precedence = Precedence(environment: Environment(), settings: try settings(text))
        #expect(try precedence.value(of: .relayURL) != nil)
        #expect(
            self.words(text + "\ncolour = 1").hasSuffix(
                "'colour' is not a setting; 1 more thing in it cannot be used"))
    }

    @Test(
        "an unusable contact is reported with its line, and fails only the commands that use it",
        arguments: [
            ("localhost", "must be an address of yours, such as mailto:ann@example.org"),
            ("ann@example.org", "must be an address of yours, such as mailto:ann@example.org"),
            ("mailto:ann@localhost", "must not name localhost, which Apple refuses"),
        ])
    func contact(text: String, words: String) throws {
        let read = try Settings.read("[push]\nvapid_subject = '\(text)'", path: "config.toml")
        #expect(
            read.faults.map(\.description) == ["config.toml:2:1: 'push.vapid_subject' \(words)"])
        #expect(Setting.pushVAPIDSubject.validationError(in: text) == words)
        #expect(Setting.pushVAPIDSubject.isCheckedOnUse)
        let good = try settings("push.vapid_subject = 'mailto:ann@example.org'")
        #expect(good.entries[.pushVAPIDSubject]?.text == "mailto:ann@example.org")
    }

    @Test("option over variable over config over default")
    func precedence() throws {
        let settings = try settings("format = 'csv'\nserver = 'home'")
        let bare = Precedence(environment: Environment(), settings: settings)
        let set = Precedence(
            environment: Environment(["ARGUS_FORMAT": "json", "ARGUS_SERVER": ""]),
            settings: settings)
        func text(_ value: Precedence.Resolved?) -> String {
            value.map { "\($0.text) from \($0.origin)" } ?? "nothing"
        }
        #expect(text(try set.value(of: .format, option: "tsv")) == "tsv from option")
        #expect(text(try set.value(of: .format)) == "json from ARGUS_FORMAT")
        #expect(text(try set.value(of: .server)) == "home from config.toml:2")
        #expect(text(try bare.value(of: .format)) == "csv from config.toml:1")
        #expect(text(try bare.value(of: .color)) == "auto from default")
        #expect(text(try bare.value(of: .trace)) == "nothing")
    }

    @Test("an invalid variable is reported by its name")
    func wrongVariable() throws {
        let precedence = Precedence(
            environment: Environment(["ARGUS_FORMAT": "xml"]), settings: Settings())
        let error = #expect(throws: AccountError.self) { try precedence.value(of: .format) }
        #expect(
            error?.description == "ARGUS_FORMAT must be one of table, json, ndjson, csv, tsv")
    }

    @Test(
        "a switch in a variable is on unless it plainly says no",
        arguments: [("1", true), ("yes", true), ("0", false), ("False", false), ("no", false)])
    func variableSwitch(text: String, isOn: Bool) throws {
        let precedence = Precedence(
            environment: Environment(["ARGUS_NO_INPUT": text]), settings: Settings())
        #expect(try precedence.value(of: .noInput)?.isOn == isOn)
    }

    @Test("every default is a value that its setting takes")
    func defaultsAreRight() {
        for setting in Setting.allCases {
            if let text = setting.defaultValue { #expect(setting.validationError(in: text) == nil) }
        }
    }
}
