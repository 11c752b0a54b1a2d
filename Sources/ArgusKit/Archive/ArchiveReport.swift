package import ArgusEvents

/// The result of a sync.
package struct ArchiveReport: Sendable, Equatable {
    package var added = 0
    package var changed = 0
    /// Events that the server no longer has.
    package var deleted = 0
    /// Events that the server has again.
    package var returned = 0
    /// Thumbnails and frames that were fetched.
    package var pictures = 0
    package var videos = 0
    /// Pictures that the server no longer has.
    package var absentFiles = 0
    /// Files that are not whole, and are tried again later.
    package var brokenFiles = 0
    /// Rows of the server that are no events.
    package var unreadableRows = 0
    /// The ranges for which the server failed.
    package var gaps: [EventGap] = []

    package init() {}
}

/// A set of the numbers of rows, which are dense: a bit for each.
struct NumberSet {
    private var words: [UInt64] = []

    mutating func insert(_ number: Int) {
        // A damaged database may name any.
        guard (0..<ArchiveSchema.numberEnd).contains(number) else { return }
        let index = number >> 6
        if index >= words.count {
            words += Array(repeating: 0, count: max(64, index + 1 - words.count))
        }
        words[index] |= 1 << UInt64(number & 63)
    }

    func contains(_ number: Int) -> Bool {
        let index = number >> 6
        return words.indices.contains(index) && words[index] & 1 << UInt64(number & 63) != 0
    }
}
