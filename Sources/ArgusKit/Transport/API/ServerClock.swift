package import ArgusCore
internal import Synchronization

/// The clock of a server, as its answers of this run tell.
package final class ServerClock: Sendable {
    private let reading = Mutex<(date: String, at: ContinuousClock.Instant)?>(nil)

    /// Notes the date of an answer that the server itself gave.
    func note(_ answer: HTTPResponse) {
        guard let date = answer.headers["Date"] else { return }
        reading.withLock { $0 = (date, .now) }
    }

    /// The server's time now; nil if no answer had a usable date.
    package var now: Timestamp? {
        guard let (date, moment) = reading.withLock({ $0 }) else { return nil }
        return HTTPDate.parse(date).map { $0 + (ContinuousClock.now - moment) }
    }
}
