import ArgusKit
import CommandLineKit

/// The command `argus config get`.
enum ConfigGet: ArgusCommand {
    static let about = CommandInfo(
        name: "get", summary: "Print the value of a setting",
        description: """
            It is the value that holds in this run. A setting without a value is status 3.
            """,
        examples: ["argus config get server": "The server that is used by default"],
        exitStatuses: [0, 1, 2, 3], prints: .objects(SettingView.fields))

    static let arguments = ConfigKeyOptions.arguments

    static func run(_ options: ConfigKeyOptions, in context: Context) async throws(Failure) {
        let row = try row(of: ConfigurationKey(options.key), in: context)
        guard let value = row.value else {
            throw Failure(.notFound, "'\(row.key)' has no value")
        }
        guard try context.isForMachines() else {
            return try context.write(Sanitizer.visible(value) + "\n")
        }
        let printer = try context.printer(of: SettingView.fields, .operands(1))
        try printer.write(row)
        try printer.finish()
    }

    private static func row(
        of key: ConfigurationKey, in context: Context
    ) throws(Failure) -> SettingRow {
        switch key {
        case .setting(let setting): return try context.row(of: setting)
        case .alias(let name):
            guard let entry = try context.aliases()[name] else {
                throw Failure(.notFound, "there is no alias \(name.inQuotes)")
            }
            return context.row(ofAlias: name, entry)
        case .unknown: throw Failure(unknown: key)
        }
    }
}
