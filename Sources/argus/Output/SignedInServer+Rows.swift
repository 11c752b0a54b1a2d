import ArgusAccount
import ArgusCore

extension SignedInServer {
    /// Checks, after printing a list, that no row was left out.
    ///
    /// - Throws: `Failure` 12 if rows could not be read.
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
            ? "a row that is not a valid \(things.one)"
            : "\(count) rows that are not valid \(things.several)"
        return Failure(.gap, "'\(name)' sent \(rows)")
    }

    /// Reports how long a new sign-in works, if that is foreseeable.
    func reportEnd(in context: Context) async throws(Failure) {
        guard try !context.isForMachines(), let end = await endWarning(in: context) else { return }
        context.console.notice(end)
    }

    /// The warning for a sign-in whose end is foreseeable; nil for another.
    ///
    /// One that argus can renew is left out until its last 3 days, unless `always`.
    func endWarning(always: Bool = false, in context: Context) async -> String? {
        if await session.isServedByKey {
            return
                "this sign-in has ended; its API key still works for events, cameras and pictures. "
                + "For the rest, run '\(renewingCommand)'"
        }
        guard let end = await context.secrets.end(of: self), always || end.isNear else {
            return nil
        }
        func text(_ moment: Timestamp) -> String { moment.displayText(in: context.timeZone) }
        let why =
            switch end.cause {
            case .renewableUntil(let last) where last <= end.until: ""
            case .renewableUntil(let last): " (and can be renewed until \(text(last)))"
            case .notRenewable: " (the server cannot renew it)"
            case .unproved: " (servers on SQLite cannot renew it)"
            case .broken: " (the server fails to renew it)"
            }
        return "this sign-in expires at \(text(end.until))\(why); then run "
            + "'\(renewingCommand)', best with --keep-alive"
    }
}
