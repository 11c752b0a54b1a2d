/// The candidates that a shell offers for a value.
package enum Completion: Sendable, Equatable {
    case none
    case file
    case directory
    /// A program and its own arguments, as the shell completes them.
    case command
    /// One of these words; no blanks in them.
    case choices([String])
    /// Several of these words, separated by commas, or one of those that stand alone.
    case list([String], alone: [String] = [])
    /// One of the formats that the command supports.
    case formats
    /// Several of the fields that the command documents, separated by commas.
    case fields
    /// A help topic or a command of the first level.
    case topics
    /// Names that the tool looks up when TAB is pressed; see `CommandLineTool.completions`.
    case dynamic(String)
    /// The same for a list with commas: a candidate is the typed list plus one word.
    case dynamicList(String)
}
