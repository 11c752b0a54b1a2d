import CommandLineKit

/// What is made from the table of commands and committed: a test compares it with the files.
enum GeneratedFiles {
    /// The manual pages, by file name.
    static var manualPages: [GeneratedFile] { ManualPages(Tool.commandLine.description).files }

    /// The completion scripts, by file name.
    static var completions: [GeneratedFile] { scripts.files }

    /// The completion script of one shell.
    static func completion(for shell: CompletionScripts.Shell) -> String {
        scripts.script(for: shell)
    }

    /// The whole tool as JSON.
    static var description: String { Tool.commandLine.description.json }

    private static var scripts: CompletionScripts {
        CompletionScripts(Tool.commandLine.description)
    }
}
