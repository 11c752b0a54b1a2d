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

    /// The warning for a sign-in that can be renewed for less than 7 more days; nil for another.
    func renewalWarning(in context: Context) async -> String? {
        guard let last = await context.secrets.lastRenewal(of: self) else { return nil }
        return last.hasPassed
            ? "this sign-in can be renewed no longer; sign in again with 'argus login'"
            : "this sign-in can be renewed until \(last.until.displayText(in: context.timeZone)); "
                + "after that sign in again"
    }
}
