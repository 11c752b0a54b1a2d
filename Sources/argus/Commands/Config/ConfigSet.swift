import ArgusAccount
import ArgusCore
import ArgusKit
import CommandLineKit

enum ConfigSet: ArgusCommand {
    struct Options: VerbOptions {
        @Required var key: String
        @Required var value: String
    }

    static let about = CommandInfo(
        name: "set", summary: "Change a setting in the config file", effect: .changes,
        description: """
            Checks the value first. Comments and order of the file stay. \(topic: "configuration")
            lists all settings.
            """,
        examples: [
            "argus config set format json": "Print JSON unless an option overrides it",
            #"argus config set alias.porch "cameras snapshot 'Front Door' -o -""#:
                "A short name for a picture of a camera",
        ],
        exitStatuses: [0, 1, 2, 3], prints: .objects(SettingView.fields))

    static let arguments: [Argument<Options>] = [
        .required("KEY", sets: \.$key, ConfigKeyOptions.keySummary).completing(.dynamic("keys")),
        .required("VALUE", sets: \.$value, "The value; quote the words of an alias")
            .completing(.dynamic("values")),
    ]

    static func run(_ options: Options, in context: Context) async throws(Failure) {
        let context = context.tolerant
        let printer = try context.printer(of: SettingView.fields, .operands(1))
        let key = ConfigurationKey(options.key)
        let literal = try literal(of: options.value, for: key)
        if key == .setting(.server) {
            let known = try context.knownServers()
            // A URL needs no record, and neither does the first server.
            if !options.value.contains("://"), !known.servers.isEmpty {
                _ = try context.knownServer(options.value, in: known)
            }
        }
        try await attempt(
            awaiting: await context.configuration.change { text throws(AccountError) in
                try text.set(key, to: literal)
            })
        if case .setting(let setting) = key, let variable = setting.variable,
            context.system.environment[variable] != nil
        {
            context.console.warn("\(variable) is set, and overrides the configuration")
        }
        try context.report(
            SettingRow(
                key: key.description, value: options.value,
                origin: try attempt(context.configuration.path())), with: printer,
            "\(key) is now '\(options.value)'")
    }

    private static func literal(
        of value: String, for key: ConfigurationKey
    ) throws(Failure) -> TOMLLiteral {
        switch key {
        case .setting(let setting):
            if let fault = setting.validationError(in: value) {
                throw Failure(.usage, "\(key.description.inQuotes) \(fault)")
            }
            return TOMLLiteral(value, for: setting.kind)
        case .alias(let name):
            if let fault = Alias.validationError(in: value) {
                throw Failure(.usage, "\(key.description.inQuotes) \(fault)")
            }
            guard !Tool.isCommand(name) else {
                throw Failure(
                    .usage, "'\(name)' is a command, which no alias can replace",
                    hint: "choose another name")
            }
            guard Alias.words(value)?.first != name else {
                throw Failure(.usage, "the alias \(name.inQuotes) would run itself")
            }
            return TOMLLiteral(string: value)
        case .unknown: throw Failure(unknown: key)
        }
    }
}
