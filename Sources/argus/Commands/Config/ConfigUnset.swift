import ArgusAccount
import ArgusCore
import ArgusKit
import CommandLineKit

enum ConfigUnset: ArgusCommand {
    static let about = CommandInfo(
        name: "unset", summary: "Remove a setting from the config file", effect: .changes,
        description: """
            Removes the setting's line and nothing else, also if argus does not know the setting.
            """,
        examples: ["argus config unset format": "Print tables again"],
        exitStatuses: [0, 1, 2, 3], prints: .objects(SettingView.fields))

    static let arguments = ConfigKeyOptions.arguments

    static func run(_ options: ConfigKeyOptions, in context: Context) async throws(Failure) {
        let context = context.tolerant
        let printer = try context.printer(of: SettingView.fields, .operands(1))
        let key = ConfigurationKey(options.key)
        let isFound = try await attempt(
            awaiting: await context.configuration.change { text throws(AccountError) in
                try text.unset(key)
            })
        guard isFound else {
            if case .unknown = key { throw Failure(unknown: key) }
            throw Failure(.notFound, "the configuration does not set \(key.description.inQuotes)")
        }
        var row = SettingRow(key: key.description)
        if case .setting(let setting) = key {
            row = SettingRow(key: setting.rawValue, value: setting.defaultValue, origin: "default")
        }
        try context.report(row, with: printer, "\(key) is no longer set")
    }
}
