import ArgusAccount
import ArgusCore
import CommandLineKit
import Glibc

/// Runs `argus-NAME` as git runs `git-NAME`.
enum ExternalCommands {
    /// Replaces this process by the program.
    ///
    /// The program inherits every variable, including secrets, since it is a command of argus. The
    /// options before its name become variables.
    ///
    /// - Throws: `Failure` 2 if there is none, or for an option without a variable.
    static func run(
        _ name: String, _ arguments: [String], _ globals: GlobalOptions, _ environment: Environment
    ) throws(Failure) -> Never {
        let program = "\(Tool.name)-\(name)"
        guard let path = ProgramSearch.path(of: program, in: environment) else {
            throw Failure(Tool.commandLine.unknownCommand(name, arguments))
        }
        let inherited = Environment.processWords(changing: try attempt(globals.exported()))
        var words: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) }
        words.append(nil)
        // Not by setenv(3): another thread may be reading variables, to load libcurl.
        var variables: [UnsafeMutablePointer<CChar>?] = inherited.map { strdup($0) }
        variables.append(nil)
        Signals.prepareForAnotherProgram()
        CoreDumps.allowedAsUsual { _ = execve(path, &words, &variables) }
        let reason = Errno.current
        (words + variables).forEach { free($0) }
        throw Failure(.failed, "cannot run '\(path)': \(reason)")
    }
}

extension GlobalOptions {
    /// The options as environment variables for a program `argus-NAME`; nil unsets one.
    ///
    /// - Throws: `UsageError` for an option without a variable, since none is dropped.
    func exported() throws(UsageError) -> [(name: String, value: String?)] {
        var variables: [(name: String, value: String?)] = []
        var others: [(option: String, isGiven: Bool)] = [
            ("--fields", fields != nil), ("--no-header", hasNoHeader), ("--raw", isRaw),
            ("--wide", isWide), ("--local-times", hasLocalTimes), ("--quiet", isQuiet),
            ("--verbose", verbosity > 0),
            ("--wait-rate-limit", rateLimitWait != nil), ("--cacert", authorities != nil),
            ("--cert", certificate != nil), ("--passphrase-file", passphraseFile != nil),
        ]
        for setting in Setting.allCases {
            guard let text = text(of: setting) else { continue }
            if let variable = setting.variable {
                variables.append((variable, text))
            } else {
                others.append(("--\(setting.rawValue)", true))
            }
        }
        if let option = others.first(where: \.isGiven)?.option {
            throw UsageError(
                "\(option) is not passed on to a separate program",
                hint: "see its own help; write options for it after its name")
        }
        // A token in a variable would override a token file.
        if let tokenFile { variables += [("ARGUS_TOKEN", nil), ("ARGUS_TOKEN_FILE", tokenFile)] }
        if let apiKeyFile {
            variables += [
                ("ARGUS_TOKEN", nil), ("ARGUS_TOKEN_FILE", nil), ("ARGUS_API_KEY", nil),
                ("ARGUS_API_KEY_FILE", apiKeyFile),
            ]
        }
        return variables
    }
}
