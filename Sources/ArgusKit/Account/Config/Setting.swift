import ArgusCore

/// A setting with an option, a variable, a key in the config file or a default.
///
/// The one table behind precedence, `config list` and the keys of the config file.
package enum Setting: String, Sendable, CaseIterable {
    case server, format, color, utc, via, timeout, retries, night
    case credentialStore = "credential_store"
    case relayURL = "relay_url"
    case dashboardURL = "dashboard_url"
    case archiveFolder = "archive_dir"
    case pager
    case noInput = "no_input"
    case trace
    case errors
    case pushPublicURL = "push.public_url"
    case pushVAPIDSubject = "push.vapid_subject"
    case pushLocalHosts = "push.local_hosts"
    case pushAPNsKeyFile = "push.apns_key_file"
    case pushAPNsKeyID = "push.apns_key_id"
    case pushAPNsTeamID = "push.apns_team_id"
    case pushAPNsBundleID = "push.apns_bundle_id"
    case pushAPNsSandbox = "push.apns_sandbox"
    case pushFCMCredentials = "push.fcm_credentials"
    case pushFCMProjectID = "push.fcm_project_id"

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
        /// `HH:MM-HH:MM`.
        case night
        /// The address of a relay: https, or http on this machine.
        case relay
        /// The address of a server.
        case address
        /// An address of the owner, which services use if something goes wrong: mailto or https.
        case contact
    }

    private struct Traits {
        var kind: Kind
        var variable: String?
        var defaultValue: String?
        var isConfigurable = true
        var decidesDestination = false
    }

    private var traits: Traits {
        switch self {
        case .server: Traits(kind: .text, variable: "ARGUS_SERVER", decidesDestination: true)
        case .format:
            Traits(
                kind: .choice(["table", "json", "ndjson", "csv", "tsv"]),
                variable: "ARGUS_FORMAT", defaultValue: "table")
        case .color: Traits(kind: .choice(["auto", "always", "never"]), defaultValue: "auto")
        case .utc: Traits(kind: .flag, defaultValue: "false")
        case .via: Traits(kind: .choice(["auto", "local", "relay"]), defaultValue: "auto")
        case .timeout: Traits(kind: .duration, defaultValue: "30s")
        case .retries: Traits(kind: .count, defaultValue: "2")
        case .night: Traits(kind: .night, defaultValue: "22:00-06:00")
        case .credentialStore:
            Traits(
                kind: .credentialStore, variable: "ARGUS_CREDENTIAL_STORE", decidesDestination: true
            )
        case .relayURL:
            Traits(kind: .relay, variable: "ARGUS_RELAY_URL", decidesDestination: true)
        case .dashboardURL: Traits(kind: .address)
        case .archiveFolder: Traits(kind: .text)
        case .pager: Traits(kind: .text, variable: "ARGUS_PAGER")
        case .noInput:
            Traits(
                kind: .flag, variable: "ARGUS_NO_INPUT", defaultValue: "false",
                isConfigurable: false)
        case .trace: Traits(kind: .text, variable: "ARGUS_TRACE", isConfigurable: false)
        case .errors:
            Traits(
                kind: .choice(["text", "json"]), variable: "ARGUS_ERRORS", isConfigurable: false)
        case .pushPublicURL: Traits(kind: .address)
        case .pushVAPIDSubject: Traits(kind: .contact)
        case .pushLocalHosts: Traits(kind: .text)
        case .pushAPNsKeyFile: Traits(kind: .text, variable: "APNS_KEY_FILE")
        case .pushAPNsKeyID: Traits(kind: .text, variable: "APNS_KEY_ID")
        case .pushAPNsTeamID: Traits(kind: .text, variable: "APNS_TEAM_ID")
        case .pushAPNsBundleID: Traits(kind: .text, variable: "APNS_BUNDLE_ID")
        case .pushAPNsSandbox:
            Traits(kind: .flag, variable: "APNS_USE_SANDBOX", defaultValue: "false")
        case .pushFCMCredentials:
            Traits(kind: .text, variable: "GOOGLE_APPLICATION_CREDENTIALS")
        case .pushFCMProjectID: Traits(kind: .text, variable: "FCM_PROJECT_ID")
        }
    }

    /// The environment variable; nil if there is none.
    package var variable: String? { traits.variable }

    /// The default; nil if there is none or it is chosen at run time.
    package var defaultValue: String? { traits.defaultValue }

    package var kind: Kind { traits.kind }

    /// True if the config file may contain the setting; its key is the raw value.
    package var isConfigurable: Bool { traits.isConfigurable }

    /// The name of the table in which the config file has the key; nil for the file's own.
    package var table: String? {
        rawValue.hasPrefix(Self.pushTable + ".") ? Self.pushTable : nil
    }

    /// The table of the settings for push delivery.
    static let pushTable = "push"

    /// The settings that the config file may contain, in the order of `config list`.
    package static let configurable = allCases.filter(\.isConfigurable)

    /// True if a wrong value fails only the commands that use the setting.
    package var isCheckedOnUse: Bool { kind == .relay || kind == .contact }

    /// True if it decides where requests or secrets go: an unreadable file then leaves no default.
    package var decidesDestination: Bool { traits.decidesDestination }

    /// The fault of a value, as the end of a sentence; nil if it is valid.
    package func validationError(in text: String) -> String? {
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
        case .night: Night(text) == nil ? "must be two times such as 22:00-06:00" : nil
        case .relay: Self.faultOfRelay(text)
        case .address:
            (try? ServerAddress(parsing: text)) == nil
                ? "must be an address such as https://cameras.example.org" : nil
        case .contact: Self.faultOfContact(text)
        }
    }

    private static func faultOfRelay(_ text: String) -> String? {
        let need = "must be an address such as https://relay.example"
        let https = "\(need): a relay must use https"
        do throws(ServerAddressError) {
            let origin = try ServerAddress(parsing: text).origin
            return origin.scheme == .https || origin.isLoopback ? nil : https
        } catch {
            return error == .otherScheme ? https : "\(need): \(error)"
        }
    }

    private static func faultOfContact(_ text: String) -> String? {
        let need = "must be an address of yours, such as mailto:ann@example.org"
        guard text.utf8.count <= 320, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            return need
        }
        let host: String
        if text.lowercased().hasPrefix("mailto:") {
            let parts = text.dropFirst(7).split(separator: "@", omittingEmptySubsequences: false)
            guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else { return need }
            host = parts[1].lowercased()
        } else {
            guard text.lowercased().hasPrefix("https://"),
                let address = try? ServerAddress(parsing: text)
            else { return need }
            host = address.origin.host
        }
        let origin = Origin(scheme: .https, host: host, port: 443)
        return origin.isLoopback ? "must not name localhost, which Apple refuses" : nil
    }
}

/// The origin of a setting's value.
package enum SettingOrigin: Hashable, Sendable, CustomStringConvertible {
    case option
    /// An environment variable of that name.
    case variable(String)
    /// The config file, with line and column if known.
    case configuration(path: String, line: Int?, column: Int? = nil)
    case defaultValue

    /// The origin as `config list --origin` prints it.
    package var description: String {
        switch self {
        case .option: "option"
        case .variable(let name): name
        case .configuration(let path, let line, let column):
            path + [line, column].compactMap { $0 }.map { ":\($0)" }.joined()
        case .defaultValue: "default"
        }
    }
}

/// An unusable value of a setting and its origin.
package struct SettingFault: Hashable, Sendable, CustomStringConvertible {
    /// The key of the config file or the variable.
    package var name: String
    package var origin: SettingOrigin
    /// The end of the sentence, such as `must be true or false`.
    package var fault: String
    /// True if it fails only the commands that use the setting.
    package var isCheckedOnUse = false

    /// The fault of a key that does not exist.
    static let unknown = "is not a setting"

    /// True for a key that does not exist.
    package var isUnknown: Bool { fault == Self.unknown }

    /// The failure as `config.toml:3:1: 'color' must be one of …`.
    package var description: String {
        switch origin {
        case .configuration: "\(origin): '\(name)' \(fault)"
        default: "\(name) \(fault)"
        }
    }
}
