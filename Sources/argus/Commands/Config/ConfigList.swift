import ArgusKit
import CommandLineKit

enum ConfigList: ArgusCommand {
    struct Options: VerbOptions {
        var showsOrigin = false
    }

    static let about = CommandInfo(
        name: "list", summary: "List the settings and their values",
        description: """
            The values are those that hold in this very run: an option wins over a variable, that
            over the configuration, that over what is built in. Where the file has unknown keys or
            wrong values, all are told with line and column instead.
            """,
        examples: ["argus config list --origin": "Every setting, and where its value comes from"],
        exitStatuses: [0, 1, ExitStatus(2, "The words or the file make no sense")],
        prints: .lists(SettingView.fields))

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
