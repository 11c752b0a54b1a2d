import Glibc
import Testing

@testable import argus_demo

/// The variables, the configuration and a machine on which little works.
@Suite(.waitsForPrograms)
struct EnvironmentTests {
    private let home: TemporaryHome
    private let server: DemoServer
    private let token: String

    init() throws {
        home = try TemporaryHome()
        server = try DemoServer("--events", "30")
        try home.signIn(to: server)
        token = String(try home.argus("token").text.dropLast())
    }

    @Test("help and version need nothing at all")
    func nothing() throws {
        try home.write("= broken [", to: ".config/argus/config.toml")
        for words in [
            ["-h"], ["--help"], ["--version"], ["events", "list", "-h"], ["help", "times"],
            ["events", "list", "--help"], ["completion", "bash"],
        ] {
            var bare = home.launch(words)
            bare.environment = [:]
            #expect(try bare.start().finish().status == 0, "\(words)")
            let broken = try home.argus(words)
            #expect(broken.status == 0, "\(words): \(broken.complaint)")
            #expect(try home.argus(words, variables: ["HOME": "/nonexistent"]).status == 0)
        }
    }

    @Test("the dynamic linker may start argus")
    func linker() throws {
        let argus = try home.bash("command -v argus").lines[0]
        let ran = try home.bash("/lib*/ld-linux-*.so.* \(argus) server list --json --fields name")
        #expect(ran.status == 0, "\(ran.complaint)")
        #expect(ran.json.list.count == 1)
    }

    @Test("bytes that are no UTF-8 are refused, not understood as the name of something else")
    func otherBytes() throws {
        let argus = try home.bash("command -v argus").lines[0]
        for start in ["", "/lib*/ld-linux-*.so.* "] {
            let ran = try home.bash(
                "\(start)\(argus) cameras snapshot --all -o $'p\\xff/'; echo $?; ls -d p*")
            #expect(ran.text == "2\n", "\(ran.complaint)")
            #expect(ran.complaint.contains("' is not UTF-8 text"), "\(ran.complaint)")
        }
        for name in ["HOME", "XDG_STATE_HOME", "ARGUS_SERVER"] {
            let ran = try home.bash("\(name)=$'/tmp/h\\xff' argus server list; echo $?")
            #expect(ran.text == "2\n")
            #expect(ran.complaint == "argus: the value of \(name) is not UTF-8 text\n")
        }
        // What argus does not read may be anything.
        #expect(try home.bash("OLDPWD=$'/tmp/h\\xff' argus whoami").status == 0)
    }

    @Test("an unreadable configuration is reported with its path")
    func brokenConfiguration() throws {
        for (text, place) in [
            ("color = \"never\"\nserver = [\n", "config.toml:2"),
            ("server = 7\n", "config.toml:1"), ("nonsense = 1\n", "config.toml:1"),
            ("format = \"xml\"\n", "config.toml:1"), ("timeout = \"soon\"\n", "config.toml:1"),
        ] {
            try home.write(text, to: ".config/argus/config.toml")
            let ran = try home.argus("events", "list")
            #expect(ran.status == 2, "\(text)")
            #expect(ran.complaint.contains(place), "\(text): \(ran.complaint)")
        }
    }

    @Test("settings: option before variable before configuration")
    func precedence() throws {
        try home.write("format = \"ndjson\"\nutc = true\n", to: ".config/argus/config.toml")
        func first(_ words: [String], _ variables: [String: String] = [:]) throws -> Character? {
            try home.argus(["cameras", "list"] + words, variables: variables).text.first
        }
        #expect(try first([]) == "{")
        #expect(try first([], ["ARGUS_FORMAT": "json"]) == "[")
        #expect(try first(["--format", "csv"], ["ARGUS_FORMAT": "json"]) == "i")
        #expect(try home.argus("cameras", "list", variables: ["ARGUS_FORMAT": "x"]).status == 2)
        let elsewhere = home.file("elsewhere")
        #expect(try first([], ["XDG_CONFIG_HOME": elsewhere]) == "I")
    }

    @Test("without a usable HOME a token and a server are enough, and nothing is left behind")
    func noHome() throws {
        let words = ["events", "list", "-n", "3", "--json", "--server", server.url]
        mkdir(home.file("locked"), 0o500)
        for place in ["", "/nonexistent/home", "relative", "/proc", home.file("locked")] {
            let ran = try home.argus(words, variables: ["HOME": place, "ARGUS_TOKEN": token])
            #expect(ran.status == 0, "\(place): \(ran.complaint)")
            #expect(ran.json.list.count == 3)
            #expect(ran.complaint.isEmpty, "\(place): \(ran.complaint)")
        }
        #expect(try home.files().filter { $0.hasPrefix("locked") || $0.hasPrefix("rel") } == [])
        // To sign in there is no place, and that is said.
        let login = try home.argus(
            "login", server.url, "--token-stdin", variables: ["HOME": "/proc"],
            input: .text(token))
        #expect(login.status == 1)
        #expect(login.complaint.hasPrefix("argus: cannot "))
    }

    @Test("credentials of variables and of the service manager go only to a named server")
    func namedServers() throws {
        let other = try DemoServer()
        try home.signIn(to: other, "--name", "other")
        #expect(try home.argus("server", "use", "other").status == 0)
        let before = other.requests.count
        let folder = home.file("credentials")
        try home.write(token + "\n", to: "credentials/argus.token")
        for variables in [["ARGUS_TOKEN": token], ["CREDENTIALS_DIRECTORY": folder]] {
            let unnamed = try home.argus("whoami", variables: variables)
            #expect(unnamed.status == 2)
            #expect(unnamed.complaint.contains("--server other"))
            let named = try home.argus(
                "whoami", "--server", server.url, "--json", variables: variables)
            #expect(named.status == 0, "\(named.complaint)")
            #expect(named.json["credentials"]?.string != "sealed file")
            let chosen = variables.merging(["ARGUS_SERVER": server.url]) { $1 }
            #expect(try home.argus("whoami", variables: chosen).status == 0)
            try home.write("server = \"\(server.url)\"\n", to: ".config/argus/config.toml")
            #expect(try home.argus("whoami", variables: variables).status == 0)
            unlink(home.file(".config/argus/config.toml"))
        }
        #expect(other.requests.count == before)
    }

    @Test("of several credentials the nearest counts, and two at one place are a mistake")
    func credentialOrder() throws {
        let key = try home.makeKey(on: server)
        let keyFile = try home.write(key, to: "key")
        let tokenFile = try home.write(token, to: "token")
        func source(_ words: [String], _ variables: [String: String]) throws -> String? {
            try home.argus(
                ["whoami", "--json", "--server", server.url] + words, variables: variables
            ).json["sign_in"]?.string
        }
        let both = ["ARGUS_TOKEN": token, "ARGUS_API_KEY": key]
        #expect(try source([], both) == "token")
        #expect(try source(["--api-key-file", keyFile], both) == "api_key")
        #expect(try source([], ["ARGUS_API_KEY_FILE": keyFile]) == "api_key")
        #expect(try source([], ["ARGUS_TOKEN_FILE": tokenFile]) == "token")
        let twice = try home.argus(
            "whoami", "--api-key-file", keyFile, "--token-file", tokenFile, "-s", server.url)
        #expect(twice.status == 2)
    }

    @Test("a passphrase seals the store, and without it the command fails")
    func passphrase() throws {
        let passphrase = try home.write("a long passphrase\n", to: "passphrase")
        let words = ["--passphrase-file", passphrase]
        let login = ["login", server.url, "--token-stdin", "--name", "sealed"]
        #expect(try home.argus(login + words, input: .text(token)).status == 0)
        #expect(try home.argus(["whoami", "-s", "sealed"] + words).status == 0)
        let without = try home.argus("whoami", "-s", "sealed", "--json")
        #expect(without.status == 4)
        #expect(without.error?["reason"]?.string == "credentials_unreadable")
        #expect(without.error?["hint"]?.string?.contains("--passphrase-file") == true)
        let wrong = try home.write("another\n", to: "wrong")
        #expect(try home.argus("whoami", "-s", "sealed", "--passphrase-file", wrong).status == 4)
    }
}
