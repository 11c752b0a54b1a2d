import ArgusKit
import CommandLineKit

/// The command `argus config list`.
enum ConfigList: ArgusCommand {
    struct Options: Sendable, Equatable {
        var showsOrigin = false
    }

    static let about = CommandInfo(
        name: "list", summary: "List the settings and their values",
        paragraphs: [
            """
            The values are those that hold in this very run: an option wins over a variable, that \
            over the configuration, that over what is built in. Where the file has unknown keys or \
            wrong values, all are told with line and column instead.
            """
        ],
        examples: [
            Example("argus config list --origin", "Every setting, and where its value comes from")
        ],
        exitStatuses: [0, 1, ExitStatus(2, "The words or the file make no sense")],
        fields: SettingView.fields.infos(), formats: OutputFormat.lists)

    static let defaults = Options()

    static let flags: [Flag<Options>] = [
        .toggle("origin", sets: \.showsOrigin, "Show where each value comes from")
    ]

    static func run(_ options: Options, in context: Context) async throws(Failure) {
        try context.expectSoundConfiguration(hint: "mend it with 'argus config edit'")
        let printer = try context.printer(
            of: SettingView.fields(showingOrigin: options.showsOrigin), .list)
        for setting in Setting.configurable {
            let row = try context.row(of: setting)
            try printer.write(row)
        }
        for (name, entry) in try context.aliases().sorted(by: { $0.key < $1.key }) {
            try printer.write(context.row(ofAlias: name, entry))
        }
        try printer.finish()
    }
}

/// The command `argus config get`.
enum ConfigGet: ArgusCommand {
    static let about = CommandInfo(
        name: "get", summary: "Print the value of a setting",
        paragraphs: [
            """
            It is the value that holds in this run. A setting without a value is status 3.
            """
        ],
        examples: [Example("argus config get server", "The server that is used by default")],
        exitStatuses: [0, 1, 2, 3], fields: SettingView.fields.infos(),
        formats: OutputFormat.objects)

    static let defaults = ConfigKeyOptions()
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

/// The command `argus config path`.
enum ConfigPath: ArgusCommand {
    static let about = CommandInfo(
        name: "path", summary: "Print the path of the config file",
        paragraphs: ["The file need not exist."],
        examples: [Example("argus config path", "Where your settings are")],
        exitStatuses: [0, 1])

    static func run(_ options: NoOptions, in context: Context) async throws(Failure) {
        try context.write(try context.configurationFile() + "\n")
    }
}

/// The operand of commands about one key.
struct ConfigKeyOptions: Sendable, Equatable {
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
