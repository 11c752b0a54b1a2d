/// A tool with its global options and its tree of commands.
package struct CommandLineTool<Globals: Sendable, Invocation: Sendable>: Sendable {
    package var info: ToolInfo
    let defaults: Globals
    let flags: [Flag<Globals>]
    let validate: @Sendable (Globals) throws(UsageError) -> Void
    let root: CommandNode<Invocation>
    let aliases: [CommandAlias]

    /// Declares a tool: its global options, the check across them, its first level of commands, and
    /// their other names.
    package init(
        _ info: ToolInfo, defaults: Globals, globals: [Flag<Globals>],
        validate: @escaping @Sendable (Globals) throws(UsageError) -> Void,
        commands: [CommandNode<Invocation>], aliases: [CommandAlias] = []
    ) {
        self.info = info
        self.info.addTopic {
            HelpTopic(
                ToolInfo.optionsTopic, "The options that every command takes",
                paragraphs: [.options(globals.map(\.info) + specialFlags)])
        }
        self.defaults = defaults
        flags = globals
        self.validate = validate
        self.aliases = aliases
        let about = CommandInfo(name: info.name, summary: info.summary) {
            CommandInfo.Details(paragraphs: info.paragraphs, examples: info.examples)
        }
        root = CommandNode(about: about, verbs: commands)
    }

    /// The description for help, manual pages and the catalogue.
    package var description: ToolDescription {
        ToolDescription(
            info: info, globalFlags: flags.map(\.info) + specialFlags,
            root: CommandDescription(root, path: []), aliases: aliases)
    }

    /// Returns true if a first word names a command, by any of its names.
    package func isCommand(_ name: String) -> Bool {
        root.verbs.contains { $0.about.name == name } || aliases.first(at: [name]) != nil
    }
}

/// The options that the parser handles itself.
package let specialFlags = [
    FlagInfo(
        long: "help", short: "h", kind: .toggle, section: "Help",
        summary: "Show help: one screen with -h, the whole page with --help"),
    FlagInfo(
        long: "version", kind: .toggle, section: "Help",
        summary: "Print the version and exit"),
]
