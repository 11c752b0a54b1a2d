/// A key of the config file: a setting, or `alias.NAME` (contract section 6).
package enum ConfigurationKey: Hashable, Sendable {
    case setting(Setting)
    case alias(String)
    /// A name that argus does not know but a file may contain.
    case unknown([String])

    /// Parses the name of a key; never fails.
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

    /// The names of the enclosing tables, followed by the key's own.
    package var path: [String] {
        switch self {
        case .setting(let setting): [setting.rawValue]
        case .alias(let name): ["alias", name]
        case .unknown(let path): path
        }
    }

    /// The valid names, for messages.
    package static let names = Setting.configurable.map(\.rawValue) + ["alias.NAME"]
}

extension ConfigurationKey: CustomStringConvertible {
    package var description: String { path.joined(separator: ".") }
}
