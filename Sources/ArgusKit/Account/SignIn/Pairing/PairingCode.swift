package import ArgusCore

/// A pairing code: 6 letters or digits if a user types it, 4 to 16 if a server sends it.
package struct PairingCode: Hashable, Sendable {
    /// The code without blanks and dashes.
    package let text: Redacted<String>
    /// True if it consists of digits alone, as codes that a server makes for a device.
    package let isNumeric: Bool

    /// The length of a code that a user types.
    private static let length = 6

    /// Parses a code that a user typed; drops blanks and dashes, and capitalises letters.
    ///
    /// Nil for anything but 6 digits or 6 letters and digits, of which a sentence says `fault`.
    package init?(typed: String) {
        let letters = typed.filter { !$0.isWhitespace && !Self.dashes.contains($0) }
        guard letters.utf8.count == Self.length, letters.utf8.allSatisfy(\.isASCIIAlphanumeric)
        else { return nil }
        self.init(letters.uppercased())
    }

    /// The fault of a text that is no code, as the end of a sentence.
    package static let fault = "is not a pairing code (6 digits, or 6 letters and digits)"

    /// Takes a code from a server; nil for anything but 4 to 16 letters and digits.
    package init?(fromServer text: String) {
        guard (4...16).contains(text.utf8.count), text.utf8.allSatisfy(\.isASCIIAlphanumeric)
        else { return nil }
        self.init(text)
    }

    private init(_ text: String) {
        self.text = Redacted(text, masking: [])
        isNumeric = text.allSatisfy(\.isNumber)
    }

    /// The code in groups of three, to be read and typed: `482 913`.
    package var grouped: Redacted<String> {
        let letters = Array(text.reveal())
        let groups = stride(from: 0, to: letters.count, by: 3).map {
            String(letters[$0..<min($0 + 3, letters.count)])
        }
        return Redacted(groups.joined(separator: " "), masking: [])
    }

    private static let dashes = "-\u{2010}\u{2011}\u{2012}\u{2013}\u{2014}\u{2212}"
}
