import CommandLineKit

/// The tool: its commands and its description for help, manual pages and completions.
enum Tool {
    static let name = "argus"
    static let version = "1.0.0"
    /// The date of the release; a constant, so that manual pages are reproducible.
    static let date = "2026-11-27"

    static let commandLine = CommandLineTool(
        info, defaults: GlobalOptions(), globals: GlobalOptions.flags,
        validate: { globals throws(UsageError) in try globals.validate() }, commands: Root.commands,
        aliases: Root.aliases)

    private static let info = ToolInfo(
        name: name, version: version, date: date,
        summary: "Watch and manage the security cameras of an ArgusAI home server",
        paragraphs: [
            """
            argus lists what your cameras saw, saves pictures, and runs your command for each new \
            event: at a prompt, in scripts and from timers. ArgusAI is the home-security server that \
            you run yourself.
            """,
            """
            Results go to stdout, everything else goes to stderr. Scripts use \(flag: "json") \
            and the exit status; see \(topic: "formats") and \(topic: "exit-status"). For more to \
            copy see \(topic: "recipes").
            """,
        ],
        examples: [
            Example("argus login https://home.example", "Sign in"),
            Example("argus events list --since today", "What happened today"),
            Example("argus cameras snapshot --all -o pictures/", "A picture of every camera"),
        ],
        exitStatuses: ExitKind.allCases.map(\.row), topics: HelpTopics.all,
        externals: [
            ExternalCommand("demo", "Start an embedded server to try argus", section: "Manage")
        ],
        moreCommands: .dynamic("aliases"))

    /// True if the tool has a command of this name, which no alias can take.
    static func isCommand(_ name: String) -> Bool {
        commandLine.isCommand(name) || isExternal(name)
    }

    /// True for a command that is a program of its own.
    static func isExternal(_ name: String) -> Bool {
        commandLine.info.externals.contains { $0.name == name }
    }
}
