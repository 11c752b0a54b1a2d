import ArgusAccount
import ArgusEvents
import ArgusPush
import CommandLineKit
import Testing

@testable import argus

@Suite("options of login, cameras, servers and the tool")
struct OtherOptionsTests {
    @Test("each option of login is its own")
    func login() throws {
        func login(_ words: String...) throws -> Login.Options {
            try options(of: Login.self, words)
        }
        #expect(try login() == Login.Options())
        #expect(try login("https://h.example") == Login.Options(url: "https://h.example"))
        for words in [["-u", "ann"], ["-uann"], ["--username", "ann"], ["--username=ann"]] {
            #expect(try options(of: Login.self, words) == Login.Options(username: "ann"))
        }
        #expect(try login("--name", "home") == Login.Options(name: "home"))
        #expect(try login("--password-stdin") == Login.Options(readsPassword: true))
        #expect(try login("--password-file", "f") == Login.Options(passwordFile: "f"))
        #expect(try login("--api-key-stdin") == Login.Options(readsKey: true))
        #expect(try login("--token-stdin") == Login.Options(readsToken: true))
        #expect(try login("--insecure-http") == Login.Options(allowsInsecure: true))
    }

    @Test("sign-in methods exclude each other, and a secret is never an argument")
    func loginRules() {
        let one = "give only one of a password, an API key and a token"
        #expect(refusal(of: Login.self, "--api-key-stdin", "--token-stdin") == one)
        #expect(refusal(of: Login.self, "-u", "ann", "--api-key-stdin") == one)
        #expect(refusal(of: Login.self, "--password-file", "f", "--token-stdin") == one)
        #expect(
            refusal(of: Login.self, "--password-stdin", "--password-file", "f")
                == "give --password-stdin or --password-file, not both")
        #expect(refusal(of: Login.self, "-u", "ann", "--password-stdin") == nil)
        for option in ["--password", "--api-key", "--token"] {
            #expect(refusal(of: Login.self, option, "s3cret") != nil)
        }
        #expect(refusal(of: Login.self, "a", "b") == "unexpected argument 'b'")
    }

    @Test("each option of a snapshot is its own")
    func snapshot() throws {
        func snapshot(_ words: String...) throws -> CamerasSnapshot.Options {
            try options(of: CamerasSnapshot.self, ["c1"] + words)
        }
        var expected = CamerasSnapshot.Options()
        expected.names = ["c1"]
        #expect(try snapshot() == expected)
        for quality in SnapshotQuality.allCases {
            expected.quality = quality
            #expect(try snapshot("--quality", quality.rawValue) == expected)
        }
        expected.quality = .medium
        expected.parallel = 64
        #expect(try snapshot("--parallel=64") == expected)
        expected.parallel = 6
        expected.template = try NameTemplate(argument: "{time}_{camera}")
        #expect(try snapshot("--name-template", "{time}_{camera}") == expected)
        expected.template = nil
        expected.target = ImageTargetOptions(path: "-", mayOverwrite: true)
        #expect(try snapshot("-o", "-", "--force") == expected)
        #expect(try options(of: CamerasSnapshot.self, ["--all"]).includesAll)
    }

    @Test("cameras are named, or all are meant, and a template names a file")
    func snapshotRules() {
        #expect(
            refusal(of: CamerasSnapshot.self, "c1", "--all") == "give cameras or --all, not both")
        #expect(refusal(of: CamerasSnapshot.self) == "no camera given")
        for (option, value) in [
            ("--quality", "best"), ("--parallel", "0"), ("--parallel", "65"),
            ("--name-template", ""), ("--name-template", "/{camera}"),
            ("--name-template", "{day}"), ("--name-template", "{camera"),
        ] {
            let message = refusal(of: CamerasSnapshot.self, "--all", option, value)
            #expect(message?.hasPrefix("\(option):") == true, "\(option) \(value)")
        }
    }

    @Test("other verbs take their operands, and no others")
    func operands() throws {
        #expect(try options(of: CamerasShow.self, ["a", "b"]).words == ["a", "b"])
        #expect(refusal(of: CamerasShow.self) == "missing CAMERA")
        #expect(refusal(of: CamerasList.self, "a") == "unexpected argument 'a'")
        #expect(try options(of: ServerShow.self, []).name == nil)
        #expect(try options(of: ServerShow.self, ["home"]).name == "home")
        #expect(try options(of: ServerUse.self, ["home"]).name == "home")
        #expect(refusal(of: ServerUse.self) == "missing NAME")
        #expect(try options(of: ServerRemove.self, ["home"]).name == "home")
        let rename = try options(of: ServerRename.self, ["home", "cottage"])
        #expect(rename.name == "home" && rename.newName == "cottage")
        #expect(refusal(of: ServerRename.self, "home") == "missing NEW")
        #expect(refusal(of: ServerListCommand.self, "a") == "unexpected argument 'a'")
        #expect(refusal(of: WhoAmI.self, "a") == "unexpected argument 'a'")
        #expect(refusal(of: Logout.self, "a") == "unexpected argument 'a'")
        #expect(refusal(of: TokenCommand.self, "a") == "unexpected argument 'a'")
        #expect(refusal(of: VersionCommand.self, "a") == "unexpected argument 'a'")
    }

    @Test("options with a list add up, and a list excludes all and none")
    func lists() throws {
        let key = try options(
            of: KeysCreate.self, ["k", "--scopes", "read:events", "--scopes", "admin,read:cameras"])
        #expect(key.scopes?.values.map(\.rawValue) == ["read:events", "admin", "read:cameras"])
        let set = try options(
            of: PushPrefsSet.self,
            ["--cameras", "a", "--cameras=b,c", "--types", "person", "--types", "animal"])
        #expect(set.cameras?.elements == ["a", "b", "c"])
        #expect(set.objects?.elements == [.person, .animal])
        for (first, second) in [("all", "a"), ("a", "none"), ("all", "none")] {
            #expect(
                refusal(of: PushPrefsSet.self, "--cameras", first, "--cameras", second)
                    == "--cameras: '\(second)' cannot be combined with the values before it")
        }
        #expect(refusal(of: PushPrefsSet.self, "--types", "all", "--types", "all") == nil)
    }

    @Test("the tool's own verbs know their words")
    func tool() throws {
        for shell in ["bash", "zsh", "fish"] {
            let options = try options(of: CompletionCommand.self, [shell])
            #expect(options.shell?.rawValue == shell)
        }
        #expect(refusal(of: CompletionCommand.self, "tcsh") != nil)
        #expect(try options(of: Help.self, ["events", "list"]).words == ["events", "list"])
        let generate = try options(of: Generate.self, ["man", "--to", "d"])
        #expect(generate.kind == .man && generate.folder == "d")
        #expect(refusal(of: Generate.self, "man") == "--to is missing")
        #expect(refusal(of: Generate.self, "json") != nil)
        #expect(
            try options(of: Complete.self, ["--", "cameras", "--json", "Fro"])
                == Complete.Options(words: ["cameras", "--json", "Fro"]))
    }
}
