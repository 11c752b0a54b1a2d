package import ArgusAccount
import ArgusCore
package import ArgusEvents
package import ArgusTransport
import Synchronization

/// A server as a drill uses it; tests simulate it.
package protocol DrillServer: Sendable {
    /// Follows the stream of announcements until the task is cancelled or the stream ends, and returns
    /// the reason of its end.
    func followAnnouncements(
        whenOpen: @Sendable () -> Void, _ announced: @Sendable (String) -> Void
    ) async -> String

    /// Stores an event.
    /// - Throws: `APIError`; the event may be stored all the same if no usable answer came.
    func store(_ event: NewEvent) async throws(APIError) -> Event

    /// Returns true if the list of events has the event.
    /// - Throws: `APIError`; `.transport` once the drill has stopped.
    func lists(_ event: Event) async throws(APIError) -> Bool

    /// The id of the stored event whose answer was lost; nil if there is none.
    /// - Throws: `APIError`.
    func find(_ event: NewEvent) async throws(APIError) -> String?

    /// Deletes an event, which may be gone.
    /// - Throws: `APIError`.
    func delete(_ id: String) async throws(APIError)
}

/// A server as a drill uses it, by the requests of a session.
package struct SessionDrillServer: DrillServer {
    private let events: EventService
    /// The same for requests that end with the drill.
    private let cancellableEvents: EventService

    package init(_ session: Session, endedBy stop: DrillStop) {
        events = EventService(session: session)
        cancellableEvents = EventService(
            session: session.over { CancellableTransport($0, stop.cancellation) })
    }

    package func followAnnouncements(
        whenOpen: @Sendable () -> Void, _ announced: @Sendable (String) -> Void
    ) async -> String {
        do throws(TransportError) {
            let stream = try await events.session.client.stream()
            whenOpen()
            while let text = try await stream.next() {
                if case .announced(let id) = ServiceSignal(streamText: text) { announced(id) }
            }
            return "the server closed the stream"
        } catch {
            return error.detail
        }
    }

    package func store(_ event: NewEvent) async throws(APIError) -> Event {
        try await events.session.call(EventChangeRoutes.create, event)
    }

    package func lists(_ event: Event) async throws(APIError) -> Bool {
        try await Self.list(ofCamera: event.cameraID, at: event.timestamp, by: cancellableEvents)
            .contains { $0.id == event.id }
    }

    package func find(_ event: NewEvent) async throws(APIError) -> String? {
        try await Self.list(ofCamera: event.cameraID, at: event.timestamp, by: events)
            .first { $0.event.description == event.description }?.id
    }

    /// The events of a camera that were captured at a time.
    private static func list(
        ofCamera id: String?, at time: Timestamp?, by events: EventService
    ) async throws(APIError) -> [EventRow] {
        var filter = EventFilter()
        filter.cameraIDs = id.map { [$0] } ?? []
        (filter.since, filter.until) = (time, time)
        return try await events.list(filter, wanted: nil, notify: { _ in }).rest()
    }

    package func delete(_ id: String) async throws(APIError) {
        var tally = EventChangeRoutes.Deleted()
        try await events.delete([id], tally: &tally, progress: { _ in })
    }
}

/// The end of a drill before its time, from any task; its event is deleted all the same.
package final class DrillStop: Sendable {
    /// Cancels the requests that only look.
    package let cancellation = RequestCancellation()
    private let state = Mutex(false)

    package init() {}

    package var isRequested: Bool { state.withLock(\.self) }

    package func request() {
        state.withLock { $0 = true }
        cancellation.cancel()
    }
}
