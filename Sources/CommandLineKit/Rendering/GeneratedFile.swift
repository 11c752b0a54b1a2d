/// A file made from the table: where it belongs and what is in it.
package struct GeneratedFile: Sendable, Equatable {
    package var name: String
    package var contents: String

    package init(name: String, contents: String) {
        self.name = name
        self.contents = contents
    }
}
