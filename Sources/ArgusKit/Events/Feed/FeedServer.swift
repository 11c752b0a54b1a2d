package import ArgusCore
package import ArgusTransport

/// A part of a server's list of events.
package struct FeedListing: Sendable {
    /// The events that are new, in any order.
    package var events: [Event] = []
    /// The ranges for which the server fails.
    package var gaps: [EventGap] = []
    /// The work that the server leaves to argus for this list.
    package var notices: [EventNotice] = []
    /// True if the server sent a row that is not an event.
    package var hasMalformedRow = false
    /// True if an event was left out that is to be looked at again in a moment.
    package var isUnsettled = false

    package init(events: [Event] = [], gaps: [EventGap] = []) {
        (self.events, self.gaps) = (events, gaps)
    }
}

/// A server as a feed uses it; tests simulate it.
package protocol FeedServer: Sendable {
    /// Learns what the other requests need, such as the ids of cameras; returns what the user may want
    /// to know about it.
    /// - Throws: `FilterError`.
    func prepare() async throws(FilterError) -> [UnresolvedFilter.Notice]

    /// Reads the events that match and were captured in a range, those of them that `isNew` accepts;
    /// nil if they are more than `limit`.
    ///
    /// - Throws: `APIError`; nothing is known of the range then.
    func events(
        since: Timestamp, until: Timestamp?, atMost limit: Int,
        where isNew: (String, Timestamp?) -> Bool
    ) async throws(APIError) -> FeedListing?

    /// Returns true if the server counts exactly `count` matching events captured since then and
    /// `isNew` accepts none of the newest; false if the server does not count.
    ///
    /// - Throws: `APIError`; nothing is known of the range then.
    func listsOnly(
        _ count: Int, since: Timestamp, where isNew: (String, Timestamp?) -> Bool
    ) async throws(APIError) -> Bool

    /// Reads one event; nil if there is none, `matches` false if it does not match yet.
    ///
    /// `isSettled` says that its entity and its alarm had time to come, whatever the clocks say.
    /// - Throws: `APIError`.
    func event(
        _ id: String, isSettled: Bool
    ) async throws(APIError) -> (event: Event, matches: Bool)?

    /// The time of the server's clock, calculated from its last answer and the time since.
    ///
    /// - Throws: `APIError` if the server has not answered yet, and does not answer now.
    func clock() async throws(APIError) -> Timestamp

    /// The time from which on the server still keeps events; nil if it keeps all, or is unknown.
    /// - Throws: `APIError`.
    func keptSince() async throws(APIError) -> Timestamp?
}

/// The pauses of a feed or a sync, and the signals that end them.
package protocol ServicePause: Sendable {
    /// The monotonic time, which runs on while the machine sleeps (clock_gettime(2),
    /// CLOCK_BOOTTIME).
    func now() async -> Duration

    /// True once a stop was requested.
    func isStopped() async -> Bool

    /// Waits until then, or for a signal; nil at the time.
    func wait(until deadline: Duration) async -> ServiceSignal?
}

/// A signal that a feed reacts to.
package enum ServiceSignal: Sendable, Equatable {
    /// The stream is open.
    case connected
    /// The stream has ended, for this reason.
    case disconnected(String)
    /// The stream announced an event.
    case announced(String)
    /// The stream announced more events than a run keeps.
    case overflow
    /// The stream reported a ring, whose event may be stored later.
    case ring
    /// The caller requested a stop.
    case stop
}

/// A change in a feed's situation.
package enum FeedNotice: Sendable {
    /// The server announces events again.
    case connected
    /// The server does not announce events any more, for this reason; passes find them.
    case disconnected(String)
    /// The feed begins to read: it knows what it has to ask for.
    case ready
    case filter(UnresolvedFilter.Notice)
    /// The work that the server leaves to argus for its lists, reported once each.
    case listing(EventNotice)
    /// The server gives no usable answers; the feed goes on trying.
    case retrying(FilterError)
    /// The server answers again.
    case reachable
    /// The server limits requests (429), so that passes are rarer for a while.
    case rateLimited
    /// The server answers requests again after a 429.
    case rateLimitEnded
    /// An announced event, by its id, is not there.
    case vanished(String)
    /// The ledger's file cannot be written: after a restart events may be handed over again.
    case notStored(FileSystemError)
}

extension APIError {
    /// True if no later try can succeed without the user.
    package var isFinal: Bool {
        switch kind {
        case .unauthorized, .forbidden, .renewalBroken, .unsupported, .rejected, .storeFailed: true
        case .transport(let error):
            // Only a proxy or a captive portal redirects: its fault is not the server's. A machine
            // that has no clock of its own gets the time soon after its start.
            error.redirectedTo == nil && !error.isByDates
                && [.identityRefused, .unusableFile, .libraryMissing, .invalidRequest]
                    .contains(error.kind)
        case .notFound, .rateLimited, .serverError, .malformedAnswer, .foreign, .unsteady: false
        }
    }
}
