import CommandLineKit

/// The committed files that are generated from the table of commands; a test compares them.
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
