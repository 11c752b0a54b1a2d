import CommandLineKit

/// A word of the command line as a name that servers take.
///
/// - Throws: `ValueError` unless it has 1 to `limit` characters.
func checkedName(_ word: String, atMost limit: Int) throws(ValueError) -> String {
    guard (1...limit).contains(word.unicodeScalars.count) else {
        throw ValueError("does not have 1 to \(limit) characters")
    }
    return word
}
