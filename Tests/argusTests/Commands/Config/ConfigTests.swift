import ArgusCore
import ArgusTestSupport
import Glibc
import Testing

@testable import argus

@Suite("config")
struct ConfigTests {
    private let test: TestSystem
    private var path: String { test.folder.file("config.toml") }

    init() throws {
        test = try TestSystem()
    }

    private func plant(_ text: String) throws {
        try test.folder.plant(text, "config.toml", mode: 0o644)
    }

    private func file() throws -> String {
        String(decoding: try FileContents(path, trust: .named, limit: 1 << 20).bytes, as: UTF8.self)
    }

    @Test("list shows what holds in this run, and where each value comes from")
    func list() async throws {
        try plant("# mine\nutc = true\nformat = \"csv\"\n[alias]\nporch = \"cameras list\"\n")
        test.environment["ARGUS_SERVER"] = "home"
        #expect(await test.run("config", "list", "--origin", "--retries", "5") == .done)
        #expect(
            test.stdout == """
                key,value,origin
                server,home,ARGUS_SERVER
                format,csv,\(path):3
                color,auto,default
                utc,true,\(path):2
                via,auto,default
                timeout,30s,default
                retries,5,option
                night,22:00-06:00,default
                credential_store,,
                relay_url,,
                dashboard_url,,
                archive_dir,,
                pager,,
                push.public_url,,
                push.vapid_subject,,
                push.local_hosts,,
                push.apns_key_file,,
                push.apns_key_id,,
                push.apns_team_id,,
                push.apns_bundle_id,,
                push.apns_sandbox,false,default
                push.fcm_credentials,,
                push.fcm_project_id,,
                alias.porch,cameras list,\(path):5

                """)
        let table = try TestSystem()
        #expect(await table.run("config") == .done)
        #expect(table.stdout.hasPrefix("KEY"))
        #expect(!table.stdout.contains("ORIGIN"))
        let json = try TestSystem()
        #expect(await json.run("config", "list", "--format", "ndjson") == .done)
        #expect(json.stdout.contains(#"{"key":"format","value":"ndjson","origin":"option"}"#))
    }

    @Test("get prints a bare value, an object for programs, and is status 3 without one")
    func get() async throws {
        try plant("server = \"home\"\nalias.a = \"events list\"\n")
        #expect(await test.run("config", "get", "server") == .done)
        #expect(await test.run("config", "get", "alias.a") == .done)
        #expect(await test.run("config", "get", "retries", "--format", "ndjson") == .done)
        #expect(
            test.stdout
                == "home\nevents list\n{\"key\":\"retries\",\"value\":\"2\",\"origin\":\"default\"}\n"
        )
        #expect(await test.run("config", "get", "relay_url") == .notFound)
        #expect(await test.run("config", "get", "alias.b") == .notFound)
        #expect(await test.run("config", "get", "colour") == .usage)
        #expect(test.stderr.hasSuffix("'colour' is not a setting\nhint: did you mean 'color'?\n"))
        #expect(await test.run("config", "get", "shape") == .usage)
        #expect(
            test.stderr.contains("'shape' is not a setting\nhint: the settings are server, format")
        )
        try plant("formt = 'json'\n")
        #expect(await test.run("cameras") == .usage)
        #expect(
            test.stderr.hasSuffix("'formt' is not a setting\nhint: did you mean 'format'?\n"))
    }

    @Test("set and unset change one line, and keep what stands around it")
    func change() async throws {
        try plant("# mine\nserver = \"home\" # the house\n\n[alias]\na = \"b\"\n")
        #expect(await test.run("config", "set", "server", "cottage") == .done)
        #expect(await test.run("config", "set", "utc", "true") == .done)
        #expect(await test.run("config", "set", "alias.last", "events list -n 1") == .done)
        #expect(
            try file() == """
                # mine
                server = "cottage" # the house
                utc = true

                [alias]
                a = "b"
                last = "events list -n 1"

                """)
        #expect(await test.run("config", "unset", "server") == .done)
        #expect(await test.run("config", "unset", "alias.a") == .done)
        #expect(await test.run("config", "unset", "server") == .notFound)
        #expect(
            try file() == "# mine\nutc = true\n\n[alias]\nlast = \"events list -n 1\"\n")
        #expect(test.stdout == "")
        #expect(test.stderr.hasPrefix("server is now 'cottage'\n"))
    }

    @Test("a first setting makes the file; a link leads to the file that is changed")
    func places() async throws {
        #expect(await test.run("config", "set", "format", "json", "--json") == .done)
        #expect(try file() == "format = \"json\"\n")
        #expect(try test.printed()["value"]?.string == "json")
        let other = try TestSystem()
        let real = try other.folder.plant("utc = false\n", "dotfiles.toml", mode: 0o640)
        #expect(symlink(real, other.folder.file("config.toml")) == 0)
        #expect(await other.run("config", "set", "utc", "true") == .done)
        var status = stat()
        #expect(lstat(other.folder.file("config.toml"), &status) == 0)
        #expect(status.st_mode & S_IFMT == S_IFLNK)
        let changed = try FileContents(real, trust: .named, limit: 100)
        #expect(String(decoding: changed.bytes, as: UTF8.self) == "utc = true\n")
        #expect(stat(real, &status) == 0)
        #expect(status.st_mode & 0o777 == 0o640)
    }

    @Test("a link that leads nowhere yet gets its file, and stays a link")
    func danglingLink() async throws {
        for (link, target) in [("a", "absolute.toml"), ("b", "relative.toml")] {
            let system = try TestSystem()
            let file = system.folder.file(target)
            #expect(symlink(link == "a" ? file : target, system.folder.file("middle")) == 0)
            #expect(symlink("middle", system.folder.file("config.toml")) == 0)
            #expect(await system.run("config", "set", "utc", "true") == .done)
            var status = stat()
            #expect(lstat(system.folder.file("config.toml"), &status) == 0)
            #expect(status.st_mode & S_IFMT == S_IFLNK)
            #expect(lstat(file, &status) == 0)
            #expect(status.st_mode & S_IFMT == S_IFREG)
            #expect(await system.run("config", "get", "utc") == .done)
            #expect(system.stdout == "true\n")
        }
        let circle = try TestSystem()
        #expect(symlink("config.toml", circle.folder.file("config.toml")) == 0)
        #expect(await circle.run("config", "set", "utc", "true") != .done)
    }

    @Test("set prints the value as it was written")
    func reported() async throws {
        let words = #"events list --fields "id,type""#
        #expect(await test.run("config", "set", "alias.q", words) == .done)
        #expect(test.stderr == "alias.q is now '\(words)'\n")
        #expect(await test.run("config", "set", "relay_url", "https://relay.example/x") == .done)
        #expect(await test.run("config", "set", "relay_url", "http://127.0.0.1:8443") == .done)
    }

    @Test(
        "wrong keys and values are refused before the file is touched",
        arguments: [
            (["colour", "red"], "'colour' is not a setting"),
            (["color", "red"], "'color' must be one of auto, always, never"),
            (["trace", "x"], "'trace' is not a setting"),
            (["alias.A", "events"], "'alias.A' is not a setting"),
            (["alias.a", "events 'x"], "'alias.a' has a quote that is not closed"),
            (["alias.a", " "], "'alias.a' must be text"),
            (["alias.events", "cameras"], "'events' is a command, which no alias can replace"),
            (["alias.demo", "cameras"], "'demo' is a command, which no alias can replace"),
            (
                ["relay_url", "ftp://x"],
                "'relay_url' must be an address such as https://relay.example: a relay must "
                    + "use https"
            ),
            (
                ["relay_url", "http://relay.example"],
                "'relay_url' must be an address such as https://relay.example: a relay must "
                    + "use https"
            ),
            (["alias.a", "a --json"], "the alias 'a' would run itself"),
        ])
    func refusals(words: [String], message: String) async throws {
        #expect(await test.run(["config", "set"] + words) == .usage)
        #expect(test.stderr.hasPrefix("argus: \(message)\n"))
        #expect(!FileContents.exists(path))
    }

    @Test("a file with a wrong value can be fixed, one that is not TOML is reported with its line")
    func mend() async throws {
        try plant("color = \"red\"\ncolour = 1\n")
        #expect(await test.run("config", "get", "color") == .usage)
        #expect(test.stderr.contains("config.toml:1:1: 'color' must be one of"))
        #expect(await test.run("config", "set", "color", "never") == .done)
        #expect(await test.run("config", "unset", "colour") == .done)
        #expect(try file() == "color = \"never\"\n")
        try plant("color = \n")
        #expect(await test.run("config", "set", "color", "never") == .usage)
        #expect(try file() == "color = \n")
    }

    @Test("list reports every fault, other commands the first and the number of others")
    func allFaults() async throws {
        try plant(
            """
            # mine
            colour = 1
              utc = "yes"
            timeout = "1h"
            [alias]
            a = "b 'c"
            "Ü" = "events"
            [cloud]
            x = 1

            """)
        let reported = """
            argus: \(path):2:1: 'colour' is not a setting
            argus: \(path):3:3: 'utc' must be true or false
            argus: \(path):6:1: 'alias.a' has a quote that is not closed
            argus: \(path):7:1: 'alias.Ü' must be named by small letters, digits and hyphens
            argus: \(path):9:1: 'cloud.x' is not a setting
            hint: repair it with 'argus config edit'

            """
        #expect(await test.run("config", "list", "-q") == .usage)
        #expect(test.stdout == "")
        #expect(test.stderr == reported)
        #expect(await test.run("config", "get", "timeout") == .usage)
        #expect(
            test.stderr.dropFirst(reported.count) == """
                argus: \(path):2:1: 'colour' is not a setting; 4 more things in it cannot be used
                hint: 'argus config list' shows all of them

                """)
        #expect(
            await test.run("doctor", "--format", "ndjson", "--fields", "check,message") != .done)
        let findings = test.stdout.split(separator: "\n").filter { $0.contains("configuration") }
        #expect(findings.count == 5)
        #expect(findings.last?.contains("\(path):9:1: 'cloud.x' is not a setting") == true)
    }

    @Test("a wrong relay address stops only the commands that print or use it")
    func wrongRelay() async throws {
        try plant("utc = true\n  relay_url = \"http://10.0.0.1\"\n")
        let reported = "config.toml:2:3: 'relay_url' must be an address such as https://"
        #expect(await test.run("config", "get", "utc") == .done)
        #expect(test.stdout == "true\n")
        #expect(test.stderr.isEmpty)
        #expect(await test.run("config", "list") == .usage)
        #expect(test.stderr.contains(reported))
        let key = try test.folder.plant("key-1\n", "key")
        #expect(await test.run("login", "--api-key-file", key, "--json") == .identity)
        #expect(try test.errorObject()["reason"]?.string == "plain_http")
        _ = await test.run("doctor", "--format", "ndjson", "--fields", "check,message")
        #expect(test.stdout.contains(reported))
    }

    @Test("edit runs the editor without secrets, and checks what it left")
    func edit() async throws {
        let script = """
            #!/bin/sh
            printf 'utc = "%s %s"\\n' "$1" "${ARGUS_TOKEN-none}${ARGUS_API_KEY-none}" > "$2"
            """
        let editor = try test.folder.plant(script, "my editor", mode: 0o700)
        test.environment["VISUAL"] = "'\(editor)' --wait"
        test.environment["EDITOR"] = "/nonexistent"
        test.environment["ARGUS_TOKEN"] = "env-token-1"
        #expect(await test.run("config", "edit") == .usage)
        #expect(try file() == "utc = \"--wait nonenone\"\n")
        #expect(test.stderr.contains("config.toml:1:1: 'utc' must be true or false\nhint: "))
        let other = try TestSystem()
        other.environment["EDITOR"] = "/nonexistent/editor"
        #expect(await other.run("config", "edit") == .failed)
        #expect(other.stderr.contains("cannot run the editor '/nonexistent/editor'"))
    }

    @Test("without a terminal no vi is started, and with --no-input no editor at all")
    func editNowhere() async throws {
        #expect(await test.run("config", "edit") == .usage)
        #expect(test.stderr.contains("no terminal to run an editor\nhint: 'argus config "))
        let other = try TestSystem()
        other.environment["EDITOR"] = "/nonexistent/editor"
        #expect(await other.run("config", "edit", "--no-input") == .usage)
        #expect(other.stderr.contains("'argus config path'"))
    }

    @Test("path prints the file's path, even if it is broken")
    func place() async throws {
        try plant("= broken")
        #expect(await test.run("config", "path") == .done)
        #expect(test.stdout == path + "\n")
    }
}
