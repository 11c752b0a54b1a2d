import ArgusKit
import CommandLineKit

extension GlobalOptions {
    /// The options as environment variables for a program `argus-NAME`; nil unsets one.
    ///
    /// - Throws: `UsageError` for an option without a variable, since none is dropped.
    func exported() throws(UsageError) -> [(name: String, value: String?)] {
        var variables: [(name: String, value: String?)] = []
        var others: [(option: String, isGiven: Bool)] = [
            ("--fields", fields != nil), ("--no-header", hasNoHeader), ("--raw", isRaw),
            ("--wide", isWide),
            ("--quiet", isQuiet), ("--verbose", verbosity > 0),
            ("--wait-rate-limit", rateLimitWait != nil), ("--cacert", authorities != nil),
            ("--cert", certificate != nil), ("--passphrase-file", passphraseFile != nil),
        ]
        for setting in Setting.allCases {
            guard let text = text(of: setting) else { continue }
            guard let variable = setting.variable else {
                others.append(("--\(setting.rawValue)", true))
                continue
            }
            variables.append((variable, text))
        }
        if let option = others.first(where: \.isGiven)?.option {
            throw UsageError(
                "\(option) is not passed on to a separate program",
                hint: "see its own help; write options for it after its name")
        }
        // A token in a variable would override a token file.
        if let tokenFile {
            variables += [("ARGUS_TOKEN", nil), ("ARGUS_TOKEN_FILE", tokenFile)]
        }
        if let apiKeyFile {
            variables += [
                ("ARGUS_TOKEN", nil), ("ARGUS_TOKEN_FILE", nil), ("ARGUS_API_KEY", nil),
                ("ARGUS_API_KEY_FILE", apiKeyFile),
            ]
        }
        return variables
    }
}
