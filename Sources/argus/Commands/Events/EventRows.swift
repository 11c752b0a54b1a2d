import ArgusKit
import CommandLineKit

extension EventRow {
    /// The event as the server wrote it.
    ///
    /// - Throws: `Failure` 1 when the file in which it is cannot be read.
    func readView() throws(Failure) -> JSONView {
        try attempt(view)
    }

    /// The whole event.
    ///
    /// - Throws: as `readView`.
    func readEvent() throws(Failure) -> Event { event(in: try readView()) }
}

extension EventCursor {
    /// - Throws: `Failure` 12 when rows were no events, at the end of a walk.
    func expectNoUnreadableRows(of server: SignedInServer) throws(Failure) {
        try server.expectNoUnreadableRows(unreadableRows, of: ("event", "events"))
    }
}
