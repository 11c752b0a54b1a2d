import Synchronization

/// What a signed-in user can do with events.
package struct EventService: Sendable {
    /// Events among which a prefix of an id is looked for.
    private static let recentEvents = 500
    /// The fewest characters of an id that name an event.
    private static let shortestPrefix = 8

    let session: Session

    package init(session: Session) {
        self.session = session
    }

    /// The events that match, newest first; `wanted` ends the walk (nil: all).
    ///
    /// `tell` hears once of each thing that the server leaves to this side. Without trust in the
    /// server's search, descriptions are matched here.
    package func list(
        _ filter: EventFilter, wanted: Int?, trustsSearch: Bool = true,
        notify: @escaping @Sendable (EventNotice) -> Void
    ) -> any EventCursor {
        cursor(filter, .newestFirst, wanted, trustsSearch, notify)
    }

    /// The events that match, oldest first, up to the one that is the newest now.
    package func listOldestFirst(
        _ filter: EventFilter, notify: @escaping @Sendable (EventNotice) -> Void
    ) -> any EventCursor {
        EventsOldestFirst(session: session, filter: filter) { filter, order in
            cursor(filter, order, nil, true, notify)
        }
    }

    private func cursor(
        _ filter: EventFilter, _ order: EventOrder, _ wanted: Int?, _ trustsSearch: Bool,
        _ notify: @escaping @Sendable (EventNotice) -> Void
    ) -> any EventCursor {
        var filter = filter
        filter.cameraIDs = filter.cameraIDs.distinct
        let notifyOnce = Once(notify)
        guard (2...EventMerge.mostCameras).contains(filter.cameraIDs.count) else {
            return EventPager(
                session: session, filter: filter, order: order, wanted: wanted,
                trustsSearch: trustsSearch, notify: notifyOnce.callAsFunction)
        }
        let walks = filter.cameraIDs.map { id in
            var own = filter
            own.cameraIDs = [id]
            return EventPager(
                session: session, filter: own, order: order, wanted: wanted,
                trustsSearch: trustsSearch, walks: filter.cameraIDs.count,
                notify: notifyOnce.callAsFunction)
        }
        return EventMerge(walks, order: order, wanted: wanted)
    }

    /// One event with its details, and the server's own words for it.
    ///
    /// The name is a full id, `latest`, or the first 8 or more characters of a recent id; ids seen
    /// lately (`known`) answer a prefix without a look at the server.
    /// - Throws: `EventLookupError`.
    package func find(
        _ name: String, known: [String]
    ) async throws(EventLookupError) -> (detail: EventDetail, view: JSONView) {
        let matches: [String]
        do throws(APIError) {
            if name == "latest" { return try await get(try await latestID()) }
            guard Self.fitsInPath(name) else { throw APIError(.notFound, "no id is written so") }
            if Self.isUUID(name) { return try await get(name.lowercased()) }
            do throws(APIError) {
                return try await get(name)
            } catch  where error.kind == .notFound && name.count >= Self.shortestPrefix {
                let start = name.lowercased()
                let seen = Set(known.filter { $0.hasPrefix(start) })
                if seen.count == 1, let id = seen.first, let event = try? await get(id) {
                    return event
                }
                matches = try await recentIDs(beginningWith: start)
                guard let id = matches.first else { throw error }
                if matches.count == 1 { return try await get(id) }
            }
        } catch {
            throw .api(error)
        }
        throw .ambiguous(matches)
    }

    /// The frames and the video of an event, each nil where the server cannot tell.
    package func extras(of id: String) async -> (frameCount: Int?, hasVideo: Bool?) {
        async let frames = Self.frameCount(id, session)
        async let video = Self.hasVideo(id, session)
        return await (frames, video)
    }

    /// The picture of an event as the server keeps it.
    ///
    /// - Throws: `APIError.notFound` when the event has none.
    package func thumbnail(_ detail: EventDetail) async throws(APIError) -> StoredBytes {
        let reference = detail.thumbnail
        if let text = reference.base64, let picture = Base64.decodeDataURI(text) {
            return StoredBytes(picture)
        }
        if let path = reference.storedPath {
            do throws(APIError) {
                return try await session.call(EventRoutes.storedThumbnail, path)
            } catch  where error.kind == .notFound {
                throw APIError(.notFound, "the server no longer has its file", status: error.status)
            }
        }
        guard detail.event.hasThumbnail != false else { throw Self.noThumbnail }
        do throws(APIError) {
            return try await session.call(EventRoutes.thumbnail, detail.event.id)
        } catch  where error.status == 422 {
            // Today's server signs this route's addresses and hands none out (backend-facts 5.2).
            throw Self.noThumbnail
        }
    }

    private static let noThumbnail = APIError(.notFound, "the event has no thumbnail")

    private func latestID() async throws(APIError) -> String {
        let pager = list(EventFilter(), wanted: 1, notify: { _ in })
        while let rows = try await pager.next() {
            if let row = rows.first { return row.id }
        }
        throw APIError(.notFound, "there are no events")
    }

    private func recentIDs(beginningWith prefix: String) async throws(APIError) -> [String] {
        let pager = list(EventFilter(), wanted: Self.recentEvents, notify: { _ in })
        var found: [String] = []
        while let rows = try await pager.next() {
            found += rows.map(\.id).filter { $0.hasPrefix(prefix) }
        }
        return found
    }

    private func get(
        _ id: String
    ) async throws(APIError) -> (detail: EventDetail, view: JSONView) {
        let view = try await session.call(EventRoutes.show, id)
        guard let detail = EventDetail(view) else {
            throw APIError(.malformedAnswer, "the answer is no event")
        }
        return (detail, view)
    }

    /// Whether a name can be one segment of a path; servers take `%2F` for the end of one, and an
    /// absent route would look like a server that knows no events.
    private static func fitsInPath(_ name: String) -> Bool {
        !["", ".", ".."].contains(name) && !name.contains("/")
    }

    /// Whether a name is a whole id as servers make them, and not the start of one.
    package static func isUUID(_ text: String) -> Bool {
        let groups = text.split(separator: "-", omittingEmptySubsequences: false)
        return groups.map(\.count) == [8, 4, 4, 4, 12] && groups.joined().allSatisfy(\.isHexDigit)
    }

    private static func frameCount(_ id: String, _ session: Session) async -> Int? {
        do throws(APIError) {
            return try await session.call(EventRoutes.frameCount, id)
        } catch {
            return nil
        }
    }

    private static func hasVideo(_ id: String, _ session: Session) async -> Bool? {
        do throws(APIError) {
            return try await session.call(EventRoutes.videoProbe, id)
        } catch {
            switch error.kind {
            case .notFound: return false
            // More than a byte came back from a server that ignores ranges: there is a video.
            case .transport(let cause) where cause.kind == .tooLarge: return true
            default: return nil
            }
        }
    }
}

/// Why an event that was named could not be had.
package enum EventLookupError: Error, Sendable {
    case api(APIError)
    /// Several recent events begin with what was given.
    case ambiguous([String])
}

/// Passes each notice on once, whichever page of whichever walk says it.
private final class Once: Sendable {
    private let seen = Mutex<Set<EventNotice>>([])
    private let notify: @Sendable (EventNotice) -> Void

    init(_ notify: @escaping @Sendable (EventNotice) -> Void) {
        self.notify = notify
    }

    func callAsFunction(_ notice: EventNotice) {
        if seen.withLock({ $0.insert(notice).inserted }) { notify(notice) }
    }
}
