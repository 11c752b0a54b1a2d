/// A setting with an option, a variable, a key in the config file or a default.
///
/// The one table behind precedence, `config list` and the keys of the config file.
package enum Setting: String, Sendable, CaseIterable {
    case server, format, color, utc, via, timeout, retries
    case credentialStore = "credential_store"
    case relayURL = "relay_url"
    case noInput = "no_input"
    case trace
    case errors

    /// The values that a setting takes.
    package enum Kind: Sendable, Equatable {
        case text
        case choice([String])
        /// `true` or `false`.
        case flag
        /// A number with `ms s m h d w`, or a bare number of seconds.
        case duration
        /// A whole number from 0 to 100.
        case count
        /// `file`, `secret-service` or `helper:NAME`.
        case credentialStore
        /// The address of a relay: https, or http on this machine.
        case relay
    }

    /// The environment variable; nil if there is none.
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

    /// True if the config file may contain the setting; its key is the raw value.
    package var isConfigurable: Bool {
        switch self {
        case .noInput, .trace, .errors: false
        default: true
        }
    }

    /// The settings that the config file may contain, in the order of `config list`.
    package static let configurable = allCases.filter(\.isConfigurable)

    /// The default; nil if there is none or it is chosen at run time.
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

    /// True if a wrong value fails only the commands that use the setting.
    ///
    /// Few commands use the relay address, and plain http there has an exit status of its own.
    package var isCheckedOnUse: Bool { kind == .relay }

    /// True if the setting decides where requests or secrets go.
    ///
    /// If the config file is unreadable, such a setting gets no default.
    package var decidesDestination: Bool {
        switch self {
        case .server, .credentialStore, .relayURL: true
        case .format, .color, .utc, .via, .timeout, .retries, .noInput, .trace, .errors: false
        }
    }

    /// The fault of a value, as the end of a sentence; nil if it is valid.
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

/// The origin of a setting's value.
package enum SettingOrigin: Hashable, Sendable {
    case option
    /// An environment variable of that name.
    case variable(String)
    /// The config file, with line and column if known.
    case configuration(path: String, line: Int?, column: Int? = nil)
    case builtIn

    /// True if it precedes another origin in the same file.
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

/// Reports an unusable value and its origin.
package struct SettingError: Error, Hashable, Sendable {
    /// The key of the config file or the variable.
    package var name: String
    package var origin: SettingOrigin
    /// The end of the sentence, such as `must be true or false`.
    package var fault: String
    /// True if it fails only the commands that use the setting.
    package var isCheckedOnUse = false
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
