/// A key that the config file may have: a setting, or `alias.NAME` (contract section 6).
package enum ConfigurationKey: Hashable, Sendable {
    case setting(Setting)
    case alias(String)
    /// A name that means nothing to argus, which a file may have all the same.
    case unknown([String])

    /// Reads the name of a key as people write it; any text is one.
    package init(_ text: String) {
        if let setting = Setting(rawValue: text), setting.isConfigurable {
            self = .setting(setting)
        } else if text.hasPrefix("alias."), Alias.isName(String(text.dropFirst(6))) {
            self = .alias(String(text.dropFirst(6)))
        } else {
            self = .unknown(
                text.split(separator: ".", omittingEmptySubsequences: false).map(String.init))
        }
    }

    /// The names of the tables, and its own.
    package var path: [String] {
        switch self {
        case .setting(let setting): [setting.rawValue]
        case .alias(let name): ["alias", name]
        case .unknown(let path): path
        }
    }

    /// The names that a key may have, for messages.
    package static let names = Setting.configurable.map(\.rawValue) + ["alias.NAME"]
}

extension ConfigurationKey: CustomStringConvertible {
    package var description: String { path.joined(separator: ".") }
}
