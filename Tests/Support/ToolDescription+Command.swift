package import CommandLineKit

extension ToolDescription {
    /// The command at a path without the tool's name; hidden ones are found too.
    package func command(_ path: some Sequence<String>) -> CommandDescription? {
        path.reduce(root) { place, word in place?.verb(word) }
    }
}
