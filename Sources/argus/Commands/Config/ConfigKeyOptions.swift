import ArgusKit
import CommandLineKit

struct ConfigKeyOptions: VerbOptions {
    @Required var key: String

    static let arguments: [Argument<ConfigKeyOptions>] = [
        .required("KEY", sets: \.$key, keySummary).completing(.dynamic("keys"))
    ]

    static let keySummary = "A key, such as server or alias.NAME"
}

extension Failure {
    init(unknown key: ConfigurationKey) {
        self.init(
            .usage, "\(key.description.inQuotes) is not a setting",
            hint: CommandLineKit.hint(forMistyped: key.description, among: ConfigurationKey.names)
                ?? "the settings are \(ConfigurationKey.shortNames.joined(separator: ", "))")
    }
}
