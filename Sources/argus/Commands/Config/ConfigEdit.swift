import ArgusAccount
import ArgusCore
import CommandLineKit

enum ConfigEdit: ArgusCommand {
    static let about = CommandInfo(
        name: "edit", summary: "Open the config file in your editor", effect: .changes,
        description: """
            Runs the editor in \(code: "VISUAL"), else in \(code: "EDITOR"), else vi, without
            argus's tokens and keys in its environment. Afterwards, argus reports every mistake in
            the file with line and column.
            """,
        examples: ["EDITOR=nano argus config edit": "Edit it with nano"],
        exitStatuses: [0, 1, ExitStatus(2, "The file is invalid; it was saved as you left it")])

    static func run(_ options: NoOptions, in context: Context) async throws(Failure) {
        let path = try attempt(context.configuration.path())
        let command = try editor(in: context)
        try attempt(context.configuration.prepareFolder())
        try edit(path, with: command, in: context)
        try ConfigList.expectSoundFile(
            in: context, hint: "the file is saved; repair it with 'argus config edit'")
        let settings = try attempt(context.configuration.read()).settings
        for name in settings.aliases.keys.sorted() where Tool.isCommand(name) {
            context.console.warn("the alias '\(name)' has no effect: it is the name of a command")
        }
    }

    /// The command line of the editor; one that the user chose may need no terminal, vi does.
    ///
    /// - Throws: `Failure` 2 where prompts are forbidden or impossible.
    private static func editor(in context: Context) throws(Failure) -> String {
        let environment = context.system.environment
        let hint = "'argus config path' prints its path, 'argus config set' changes it"
        guard try context.tolerant.console.mayAsk() else {
            throw Failure(
                .usage, "--no-input starts no editor", hint: hint, reason: "input_needed")
        }
        if let named = environment["VISUAL"] ?? environment["EDITOR"] { return named }
        let terminal = context.system.streams.terminal
        guard terminal.isInputTerminal, terminal.isOutputTerminal else {
            throw Failure(
                .usage, "no terminal to run an editor", hint: hint, reason: "input_needed")
        }
        return "vi"
    }

    private static func edit(
        _ path: String, with command: String, in context: Context
    ) throws(Failure) {
        let environment = context.system.environment
        guard let words = Alias.words(command), let program = words.first else {
            throw Failure(.usage, "VISUAL or EDITOR names no program")
        }
        let arguments = Array(words.dropFirst()) + [path]
        let status = try attempt(
            Subprocess.runInForeground(program, arguments, environment: environment)
        ) {
            Failure(
                .failed, "cannot run the editor '\(program)': \($0)",
                hint: "set EDITOR to your editor")
        }
        guard status == 0 else { throw Failure(.failed, "the editor '\(program)' failed") }
    }
}
