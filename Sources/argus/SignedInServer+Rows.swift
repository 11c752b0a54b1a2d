import ArgusKit

extension SignedInServer {
    /// Makes sure, when a list has been printed, that none of its rows was left out.
    ///
    /// - Throws: `Failure` 12 when rows could not be read as what the list is of.
    func expectNoUnreadableRows(
        _ count: Int, of things: (one: String, several: String)
    ) throws(Failure) {
        if let gap = unreadableRows(count, of: things) { throw gap }
    }

    /// The failure for malformed rows of a list; nil if there are none.
    func unreadableRows(_ count: Int, of things: (one: String, several: String)) -> Failure? {
        guard count != 0 else { return nil }
        let rows =
            count == 1
            ? "a row that is no \(things.one)" : "\(count) rows that are no \(things.several)"
        return Failure(.gap, "'\(name)' sent \(rows)")
    }
}
