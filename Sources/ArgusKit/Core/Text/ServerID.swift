/// The stable id of a record in state files: 8 characters of `[a-z2-7]`.
package struct ServerID: Hashable, Sendable {
    package let text: String

    /// Accepts 4 to 64 characters of `[a-z0-9]`, which are a safe file name.
    package init?(_ text: String) {
        guard (4...64).contains(text.utf8.count),
            text.utf8.allSatisfy({ (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) })
        else { return nil }
        self.text = text
    }

    /// Generates a new id of 40 random bits.
    package static func random() -> ServerID {
        let letters = (0..<8).compactMap { _ in "abcdefghijklmnopqrstuvwxyz234567".randomElement() }
        return ServerID(unchecked: String(letters))
    }

    /// A placeholder for secrets that belong to no server; longer than any generated id.
    package static let none = ServerID(unchecked: "no0server0yet")

    private init(unchecked text: String) { self.text = text }
}
