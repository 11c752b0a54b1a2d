/// A file generated from the table: its path and its content.
package struct GeneratedFile: Sendable, Equatable {
    package var name: String
    package var contents: String
}
