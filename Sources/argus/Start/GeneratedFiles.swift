import ArgusCore
import CommandLineKit

/// The committed files that are generated from the table of commands; a test compares them.
enum GeneratedFiles {
    static var manualPages: [GeneratedFile] { ManualPages(Tool.commandLine.description).files }

    static var completions: [GeneratedFile] {
        CompletionShell.allCases.map { $0.script(for: Tool.name) }
    }
}
