import ArgusKit
import CommandLineKit

/// The operand of commands about one key.
struct ConfigKeyOptions: VerbOptions {
    @Required var key: String

    static let arguments: [Argument<ConfigKeyOptions>] = [
        .required("KEY", sets: \.$key, keySummary).completing(.dynamic("keys"))
    ]

    static let keySummary = "A key, such as server or alias.NAME"
}

extension Failure {
    /// A key that the configuration does not have.
    init(unknown key: ConfigurationKey) {
        self.init(
            .usage, "\(key.description.inQuotes) is no setting",
            hint: "the keys are \(ConfigurationKey.names.joined(separator: ", "))")
    }
}
