import ArgusKit

extension Home {
    /// Makes sure, when a list has been printed, that none of its rows was left out.
    ///
    /// - Throws: `Failure` 12 when rows could not be read as what the list is of.
    func expectNoUnreadableRows(
        _ count: Int, of things: (one: String, several: String)
    ) throws(Failure) {
        guard count != 0 else { return }
        let rows =
            count == 1
            ? "a row that is no \(things.one)" : "\(count) rows that are no \(things.several)"
        throw Failure(.gap, "'\(name)' sent \(rows)")
    }
}
