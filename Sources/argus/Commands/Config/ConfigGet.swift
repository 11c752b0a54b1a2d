import ArgusAccount
import ArgusCore
import CommandLineKit

enum ConfigGet: ArgusCommand {
    static let about = CommandInfo(
        name: "get", summary: "Print the value of a setting", effect: .reads,
        description: """
            Prints the value of this run, wherever it is set. A setting without a value is status
            3.
            """,
        examples: ["argus config get server": "The server that is used by default"],
        exitStatuses: [0, 1, 2, 3], prints: .objects(SettingView.fields))

    static let arguments = ConfigKeyOptions.arguments

    static func run(_ options: ConfigKeyOptions, in context: Context) async throws(Failure) {
        let row: SettingRow
        switch ConfigurationKey(options.key) {
        case .setting(let setting): row = try SettingRow(setting, in: context)
        case .alias(let name):
            let aliases = try attempt(context.configuration.read()).settings.aliases
            guard let entry = aliases[name] else {
                throw Failure(.notFound, "there is no alias \(name.inQuotes)")
            }
            row = SettingRow(alias: name, entry, in: context)
        case .unknown: throw Failure(unknown: ConfigurationKey(options.key))
        }
        guard let value = row.value else { throw Failure(.notFound, "'\(row.key)' has no value") }
        guard try context.isForMachines() else {
            return try context.write(Sanitizer.visible(value) + "\n")
        }
        try context.printer(of: SettingView.fields, .operands(1)).writeOnly(row)
    }
}

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
