import ArgusAccount
import ArgusCore

enum SettingView {
    static let fields = fields(showingOrigin: true)

    /// The fields; `showingOrigin` makes the origin a column.
    static func fields(showingOrigin: Bool) -> [Field<SettingRow>] {
        [
            .column("key", "the setting") { $0.key },
            .column("value", "its value; null if it has none") { $0.value },
            Field(
                "origin", "option, a variable, FILE:LINE or default", isColumn: showingOrigin,
                type: .nullable(.text)
            ) {
                FieldValue($0.origin)
            },
        ]
    }
}

/// A setting with its effective value in this run.
struct SettingRow: Sendable {
    var key: String
    var value: String?
    var origin: String?
}

extension SettingRow {
    /// Reads the effective value of a setting in this run.
    init(_ setting: Setting, in context: Context) throws(Failure) {
        let value = try context.settings[setting]
        self.init(key: setting.rawValue, value: value?.text, origin: value?.origin.description)
    }

    /// Makes the row of an alias in the configuration.
    init(alias name: String, _ entry: Settings.Entry, in context: Context) {
        let origin = SettingOrigin.configuration(
            path: context.system.paths.configurationFile ?? "", line: entry.line)
        self.init(key: "alias.\(name)", value: entry.text, origin: origin.description)
    }
}
