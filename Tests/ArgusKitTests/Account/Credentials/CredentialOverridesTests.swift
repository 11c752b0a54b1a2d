import ArgusAccount
import ArgusCore
import ArgusTestSupport
import Glibc
import Testing

@Suite("CredentialOverrides")
struct CredentialOverridesTests {
    /// The files of a run, and what is chosen among them.
    private func choose(
        _ folder: TemporaryFolder, options: [String] = [], _ variables: [String: String]
    ) throws -> String? {
        let found = try CredentialOverrides(
            tokenFile: options.contains("token") ? folder.file("option-token") : nil,
            apiKeyFile: options.contains("key") ? folder.file("option-key") : nil,
            environment: Environment(variables)
        ).resolve()
        guard let found else { return nil }
        switch found.credential {
        case .apiKey(let key): return "\(found.source) key \(key.reveal())"
        case .session(let session):
            #expect(session.kind == .imported)
            return "\(found.source) token \(session.accessToken.reveal())"
        }
    }

    @Test("each level wins over the ones below it")
    func order() throws {
        let folder = try TemporaryFolder()
        for name in ["option-token", "option-key", "env-token", "env-key"] {
            try folder.plant(name + "\n", name)
        }
        try folder.plant("service-token", "argus.token")
        var variables = [
            "ARGUS_TOKEN": "t", "ARGUS_TOKEN_FILE": folder.file("env-token"),
            "ARGUS_API_KEY": "k", "ARGUS_API_KEY_FILE": folder.file("env-key"),
            "CREDENTIALS_DIRECTORY": folder.path,
        ]
        #expect(
            try choose(folder, options: ["token"], variables) == "--token-file token option-token")
        #expect(
            try choose(folder, options: ["key"], variables) == "--api-key-file key option-key")
        for expected in [
            "ARGUS_TOKEN token t", "ARGUS_TOKEN_FILE token env-token", "ARGUS_API_KEY key k",
            "ARGUS_API_KEY_FILE key env-key",
        ] {
            #expect(try choose(folder, variables) == expected)
            variables[String(expected.prefix { $0 != " " })] = nil
        }
        #expect(
            try choose(folder, variables)
                == "$CREDENTIALS_DIRECTORY/argus.token token service-token")
        try #require(rename(folder.file("argus.token"), folder.file("argus.api-key")) == 0)
        #expect(
            try choose(folder, variables)
                == "$CREDENTIALS_DIRECTORY/argus.api-key key service-token")
        try #require(unlink(folder.file("argus.api-key")) == 0)
        #expect(try choose(folder, variables) == nil)
        #expect(try choose(folder, ["ARGUS_TOKEN": ""]) == nil)
    }

    @Test("a token and a key at one level exclude each other")
    func excludes() throws {
        let folder = try TemporaryFolder()
        for name in ["option-token", "option-key", "argus.token", "argus.api-key"] {
            try folder.plant("x", name)
        }
        #expect(throws: AccountError.tokenAndKey("--token-file", "--api-key-file")) {
            try choose(folder, options: ["token", "key"], [:])
        }
        let directory = ["CREDENTIALS_DIRECTORY": folder.path]
        let error = #expect(throws: AccountError.self) { try choose(folder, directory) }
        #expect(
            error?.description == "$CREDENTIALS_DIRECTORY/argus.token and "
                + "$CREDENTIALS_DIRECTORY/argus.api-key exclude each other")
        #expect(
            try choose(folder, directory.merging(["ARGUS_TOKEN": "t"]) { $1 })
                == "ARGUS_TOKEN token t")
    }

    @Test("a named file that is missing is an error, never the next level")
    func missingFile() throws {
        let folder = try TemporaryFolder()
        let error = #expect(throws: AccountError.self) {
            try choose(folder, ["ARGUS_TOKEN_FILE": folder.file("none"), "ARGUS_API_KEY": "k"])
        }
        #expect(
            error?.description
                == "cannot read '\(folder.file("none"))': no such file or directory")
    }

    @Test("a linked secret of a service manager is read, one open to others warns")
    func linkedAndOpen() throws {
        let folder = try TemporaryFolder()
        try folder.plant("t\n", "data", mode: 0o444)
        try #require(symlink("data", folder.file("option-token")) == 0)
        let found = try CredentialOverrides(
            tokenFile: folder.file("option-token"), environment: Environment()
        ).resolve()
        #expect(found?.modeOpenToOthers == 0o444)
    }

    @Test(
        "of the service manager's files only the bits for others count",
        arguments: [(0o440, nil), (0o400, nil), (0o444, 0o444), (0o604, 0o604)]
            as [(mode_t, UInt32?)])
    func serviceMode(mode: mode_t, reported: UInt32?) throws {
        let folder = try TemporaryFolder()
        try folder.plant("t\n", "argus.token", mode: mode)
        let environment = Environment(["CREDENTIALS_DIRECTORY": folder.path])
        let found = try CredentialOverrides(environment: environment).resolve()
        #expect(found != nil && found?.modeOpenToOthers == reported)
        // However the file is named, and only there.
        let named = try CredentialOverrides(
            tokenFile: folder.file("argus.token"), environment: environment
        ).resolve()
        #expect(named?.modeOpenToOthers == reported)
        let elsewhere = try CredentialOverrides(
            tokenFile: folder.file("argus.token"),
            environment: Environment(["CREDENTIALS_DIRECTORY": folder.path + "-2"])
        ).resolve()
        #expect(elsewhere?.modeOpenToOthers == (mode == 0o400 ? nil : UInt32(mode)))
    }

    @Test("a passphrase comes from its file, then from the service manager")
    func passphrase() throws {
        let folder = try TemporaryFolder()
        try folder.plant("correct horse: ü\r\n", "mine")
        try folder.plant("theirs", "argus.passphrase")
        let environment = Environment(["CREDENTIALS_DIRECTORY": folder.path])
        var explicit = CredentialOverrides(environment: environment)
        #expect(try explicit.passphrase() == Redacted(Array("theirs".utf8)))
        explicit.passphraseFile = folder.file("mine")
        #expect(try explicit.passphrase() == Redacted(Array("correct horse: ü".utf8)))
        #expect(try CredentialOverrides(environment: Environment()).passphrase() == nil)
    }
}
