import CommandLineKit

/// What is made from the table of commands and committed: a test compares it with the files.
enum GeneratedFiles {
    /// The manual pages, by file name.
    static var manualPages: [GeneratedFile] { ManualPages(Tool.commandLine.description).files }

    /// The completion scripts, by file name.
    static var completions: [GeneratedFile] {
        CompletionShell.allCases.map { $0.script(for: Tool.name) }
    }

    /// The whole tool as JSON.
    static var description: String { Tool.commandLine.description.json }
}
