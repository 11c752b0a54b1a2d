/// A setting that may come from an option, a variable, the config file, or a default.
///
/// One table: precedence, `config list` and the config file's keys are all read from it.
package enum Setting: String, Sendable, CaseIterable {
    case server, format, color, utc, via, timeout, retries
    case credentialStore = "credential_store"
    case relayURL = "relay_url"
    case noInput = "no_input"
    case trace
    case errors

    /// What values a setting takes.
    package enum Kind: Sendable, Equatable {
        case text
        case choice([String])
        /// `true` or `false`.
        case flag
        /// A number with `ms s m h d w`, or a bare number of seconds.
        case duration
        /// A whole number of 0 to 100.
        case count
        /// `file`, `secret-service` or `helper:NAME`.
        case credentialStore
        /// The address of a relay: https, or http on this machine.
        case relay
    }

    /// The environment variable, nil when there is none.
    package var variable: String? {
        switch self {
        case .server: "ARGUS_SERVER"
        case .format: "ARGUS_FORMAT"
        case .credentialStore: "ARGUS_CREDENTIAL_STORE"
        case .relayURL: "ARGUS_RELAY_URL"
        case .noInput: "ARGUS_NO_INPUT"
        case .trace: "ARGUS_TRACE"
        case .errors: "ARGUS_ERRORS"
        case .color, .utc, .via, .timeout, .retries: nil
        }
    }

    /// Whether the config file may hold it; its key is the raw value.
    package var isConfigurable: Bool {
        switch self {
        case .noInput, .trace, .errors: false
        default: true
        }
    }

    /// The settings that the config file may hold, in the order in which they are listed.
    package static let configurable = allCases.filter(\.isConfigurable)

    /// The value when nothing says otherwise; nil means none, or a choice made at run time.
    package var builtIn: String? {
        switch self {
        case .format: "table"
        case .color, .via: "auto"
        case .utc, .noInput: "false"
        case .timeout: "30s"
        case .retries: "2"
        case .server, .credentialStore, .relayURL, .trace, .errors: nil
        }
    }

    package var kind: Kind {
        switch self {
        case .format: .choice(["table", "json", "ndjson", "csv", "tsv"])
        case .color: .choice(["auto", "always", "never"])
        case .via: .choice(["auto", "local", "relay"])
        case .errors: .choice(["text", "json"])
        case .utc, .noInput: .flag
        case .timeout: .duration
        case .retries: .count
        case .credentialStore: .credentialStore
        case .relayURL: .relay
        case .server, .trace: .text
        }
    }

    /// Whether a wrong value is a failure only of what uses it, and not of every command.
    ///
    /// The address of a relay is seldom used, and plain http has a status of its own there.
    package var isJudgedInUse: Bool { kind == .relay }

    /// Whether it decides where requests or secrets go: no default stands in for what a file says of
    /// it that this user may not read.
    package var decidesDestination: Bool {
        switch self {
        case .server, .credentialStore, .relayURL: true
        case .format, .color, .utc, .via, .timeout, .retries, .noInput, .trace, .errors: false
        }
    }

    /// What is wrong with a value, as the end of a sentence; nil when it is right.
    package func fault(in text: String) -> String? {
        switch kind {
        case .text: text.isEmpty ? "must not be empty" : nil
        case .choice(let words):
            words.contains(text) ? nil : "must be one of \(words.joined(separator: ", "))"
        case .flag: ["true", "false"].contains(text) ? nil : "must be true or false"
        case .duration:
            (DurationText.microseconds(text) ?? 0) > 0 ? nil : "must be a duration such as 30s"
        case .count:
            Int(text).map { (0...100).contains($0) } == true
                ? nil : "must be a whole number of 0 to 100"
        case .credentialStore:
            CredentialStoreKind(text) == nil
                ? "must be file, secret-service or helper:NAME" : nil
        case .relay: Self.faultOfRelay(text)
        }
    }

    private static func faultOfRelay(_ text: String) -> String? {
        let need = "must be an address such as https://relay.example"
        let https = "\(need): a relay is reached over https only"
        do throws(ServerAddressError) {
            let origin = try ServerAddress(parsing: text).origin
            return origin.scheme == .https || origin.isLoopback ? nil : https
        } catch {
            return error == .otherScheme ? https : "\(need): \(error)"
        }
    }
}

/// Where the value of a setting came from.
package enum SettingOrigin: Hashable, Sendable {
    case option
    /// An environment variable of that name.
    case variable(String)
    /// The config file, and the line where it is known.
    case configuration(path: String, line: Int?, column: Int? = nil)
    case builtIn

    /// Whether it stands before another one in the same file.
    func isBefore(_ other: SettingOrigin) -> Bool {
        guard case .configuration(_, let line, let column) = self,
            case .configuration(_, let otherLine, let otherColumn) = other
        else { return false }
        return (line ?? 0, column ?? 0) < (otherLine ?? 0, otherColumn ?? 0)
    }
}

extension SettingOrigin: CustomStringConvertible {
    /// The origin as `config list --origin` prints it.
    package var description: String {
        switch self {
        case .option: "option"
        case .variable(let name): name
        case .configuration(let path, let line, let column):
            path + [line, column].compactMap { $0 }.map { ":\($0)" }.joined()
        case .builtIn: "default"
        }
    }
}

/// A value that cannot be used, with its origin.
package struct SettingError: Error, Hashable, Sendable {
    /// What is at fault: a key of the config file or a variable.
    package var name: String
    package var origin: SettingOrigin
    /// The end of the sentence, such as `must be true or false`.
    package var fault: String
    /// Whether it fails only what uses the setting.
    package var isJudgedInUse = false
}

extension SettingError: CustomStringConvertible {
    /// The failure as `config.toml:3:1: 'color' must be one of …`.
    package var description: String {
        switch origin {
        case .configuration: "\(origin): '\(name)' \(fault)"
        default: "\(name) \(fault)"
        }
    }
}
