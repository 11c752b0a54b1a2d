import ArgusAccount
import CommandLineKit

enum ConfigList: ArgusCommand {
    struct Options: VerbOptions {
        var showsOrigin = false
    }

    static let about = CommandInfo(
        name: "list", summary: "List the settings and their values", effect: .reads,
        description: """
            Prints the values of this run: an option overrides a variable, a variable the file,
            and the file the default. If the file has mistakes, argus reports all of them instead,
            with line and column.
            """,
        examples: ["argus config list --origin": "Every setting, and where its value comes from"],
        exitStatuses: [0, 1, ExitStatus(2, "The arguments or the file are invalid")],
        prints: .lists(SettingView.fields))

    static let flags: [Flag<Options>] = [
        .toggle("origin", sets: \.showsOrigin, "Show where each value comes from")
    ]

    static func run(_ options: Options, in context: Context) async throws(Failure) {
        let settings = try expectSoundFile(in: context, hint: "repair it with 'argus config edit'")
        let printer = try context.printer(
            of: SettingView.fields(showingOrigin: options.showsOrigin), .list)
        for setting in Setting.configurable {
            let row = try SettingRow(setting, in: context)
            try printer.write(row)
        }
        for (name, entry) in settings.aliases.sorted(by: { $0.key < $1.key }) {
            try printer.write(SettingRow(alias: name, entry, in: context))
        }
        try printer.finish()
    }

    /// Checks the whole config file and reports every unknown key and wrong value, one a line.
    @discardableResult
    static func expectSoundFile(in context: Context, hint: String) throws(Failure) -> Settings {
        let (settings, faults) = try attempt(context.configuration.read())
        for fault in faults.dropLast() { context.console.noticeAlways("argus: \(fault)") }
        if let last = faults.last { throw Failure(.usage, "\(last)", hint: hint) }
        return settings
    }
}
