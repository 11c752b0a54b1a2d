extension String {
    /// The text for comparisons in any case, in which `STRASSE` equals `Straße`.
    ///
    /// As the full case folding of Unicode, but for `ı`, which becomes `i`: a capital has lost the
    /// difference.
    package var caseFolded: String {
        utf8.allSatisfy { $0 < 0x80 } ? lowercased() : lowercased().uppercased().lowercased()
    }
}
