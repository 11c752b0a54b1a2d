package import ArgusAccount
package import ArgusCore
package import ArgusTransport

/// Lists and finds events, as the signed-in user.
package struct EventService: Sendable {
    /// Events among which a prefix of an id is looked for.
    private static let recentEvents = 500
    /// The fewest characters of an id that name an event.
    package static let shortestPrefix = 8

    /// The canonical fields that the server's own export has.
    package static let exportedFields: Set<String> = [
        "id", "camera_id", "timestamp", "objects", "confidence", "description", "alert_triggered",
    ]

    /// The sign-in by which it asks.
    package let session: Session

    package init(session: Session) { self.session = session }

    /// Lists the events that match, `wanted` of them (nil: all).
    ///
    /// `notify` gets each notice once. Without `trustsSearch`, argus matches the descriptions.
    package func list(
        _ filter: EventFilter, _ order: EventOrder = .newestFirst, wanted: Int?,
        trustsSearch: Bool = true, notify: @escaping @Sendable (EventNotice) -> Void
    ) -> any EventCursor {
        let (ids, seen) = (filter.cameraIDs.distinct, SeenSet<EventNotice>())
        let isMerge = (2...EventMerge.maxCameras).contains(ids.count)
        let pagers = (isMerge ? ids.map { [$0] } : [ids]).map { own in
            var filter = filter
            filter.cameraIDs = own
            let limit = filter.needsLocalMatching ? 500 : min(wanted ?? 500, 500)
            var query = EventQuery(filter: filter, limit: limit)
            query.order = order
            query.searchesOnServer = query.searchesOnServer && trustsSearch
            return EventPager(session, query, wanted: wanted) { if seen.insert($0) { notify($0) } }
        }
        return isMerge ? EventMerge(pagers, order: order, wanted: wanted) : pagers[0]
    }

    /// Lists the events that match, oldest first, up to the one that is the newest now.
    package func listOldestFirst(
        _ filter: EventFilter, notify: @escaping @Sendable (EventNotice) -> Void
    ) -> any EventCursor {
        EventsOldestFirst(self, filter, notify: notify)
    }

    /// Returns true if the server has events of a camera with this id, which may be gone itself.
    /// - Throws: `APIError`.
    package func hasEvents(ofCamera id: String) async throws(APIError) -> Bool {
        var filter = EventFilter()
        filter.cameraIDs = [id]
        return try await !list(filter, wanted: 1, notify: { _ in }).rest().isEmpty
    }

    /// Returns true if the server finds an event of this type; one that does not know the type, and
    /// lists all events instead or refuses the request, finds none.
    /// - Throws: `APIError`.
    package func hasEvents(ofType type: String) async throws(APIError) -> Bool {
        var query = EventQuery(filter: EventFilter(), limit: 1)
        query.type = type
        do throws(APIError) {
            let page = try await session.call(EventRoutes.list, query)
            return page.rows.first?.event.isOfType(type) ?? false
        } catch  where [.rejected, .serverError].contains(error.kind) {
            return false
        }
    }

    /// Finds one event with its details, and the server's own object.
    ///
    /// The name is a full id, `latest`, or the first 8 or more characters of a recent id; ids seen
    /// lately (`known`) answer a prefix without a list from the server. `withExtras` adds what the
    /// routes of frames and videos reveal.
    /// - Throws: `EventLookupError`.
    package func find(
        _ name: String, known: [String], latestOf filter: EventFilter = EventFilter(),
        withExtras: Bool = false
    ) async throws(EventLookupError) -> (detail: EventDetail, view: JSONView) {
        func get(_ id: String) async throws(APIError) -> (detail: EventDetail, view: JSONView) {
            try await event(id, withExtras)
        }
        func get(ifAny id: String?) async -> (detail: EventDetail, view: JSONView)? {
            guard let id else { return nil }
            return try? await get(id)
        }
        let matches: [String]
        do throws(APIError) {
            if name == "latest" { return try await get(try await latestID(filter)) }
            guard Self.fitsInPath(name) else { throw APIError(.notFound, "not an event's id") }
            if name.isUUID { return try await get(name.lowercased()) }
            let start = name.lowercased()
            let isPrefix = name.count >= Self.shortestPrefix
            let seen = isPrefix ? Set(known.filter { $0.hasPrefix(start) }).only : nil
            // Beside the name itself, which is hardly ever a whole id.
            async let found = get(ifAny: seen)
            do throws(APIError) {
                return try await get(name)
            } catch  where error.kind == .notFound && isPrefix {
                if let event = await found { return event }
                let recent = list(EventFilter(), wanted: Self.recentEvents) { _ in }
                matches = try await recent.rest().map(\.id).filter { $0.hasPrefix(start) }
                guard let id = matches.first else { throw error }
                if matches.count == 1 { return try await get(id) }
            }
        } catch {
            throw .api(error)
        }
        throw .ambiguous(matches)
    }

    /// Reads the picture of an event as the server keeps it.
    /// - Throws: `APIError.notFound` when the event has none.
    package func thumbnail(_ detail: EventDetail) async throws(APIError) -> [UInt8] {
        try await thumbnail(of: detail.event, at: detail.thumbnail)
    }

    /// Reads the picture of an event at a place that its object named.
    /// - Throws: `APIError.notFound` when the event has none.
    package func thumbnail(
        of event: Event, at reference: ThumbnailReference
    ) async throws(APIError) -> [UInt8] {
        if let text = reference.base64, let picture = Base64.decodeDataURI(text) {
            return picture
        }
        if let path = reference.storedPath {
            do throws(APIError) {
                return try await session.call(EventRoutes.storedThumbnail, path)
            } catch  where error.kind == .notFound {
                throw APIError(.notFound, "the server no longer has its file", status: error.status)
            }
        }
        guard event.hasThumbnail != false else { throw Self.noThumbnail }
        do throws(APIError) {
            return try await session.call(EventRoutes.thumbnail, event.id)
        } catch  where error.status == 422 {
            // Today's server signs this route's addresses and hands none out
            // (docs/compatibility.md, trap 21).
            throw Self.noThumbnail
        }
    }

    private static let noThumbnail = APIError(.notFound, "the event has no thumbnail")

    private func latestID(_ filter: EventFilter) async throws(APIError) -> String {
        let cursor = list(filter, wanted: 1, notify: { _ in })
        let rows = try await cursor.rest()
        // A later event than that is the latest.
        if let gap = cursor.gaps.last {
            throw APIError(.unsteady, "the server fails to list the events \(gap.utcText)")
        }
        if let row = rows.first { return row.id }
        let reason = filter == EventFilter() ? "there are no events" : "no event matches"
        throw APIError(.notFound, reason)
    }

    /// Reads one event; its extras are asked for at once where the server is known to have them.
    private func event(
        _ id: String, _ withExtras: Bool
    ) async throws(APIError) -> (detail: EventDetail, view: JSONView) {
        let isEarly =
            withExtras && id.isUUID && session.client.knowledge.has(EventMediaRoutes.frames)
        async let early = isEarly ? extras(of: id) : nil
        let view = try await session.call(EventRoutes.show, id)
        var detail = try EventDetail(view).orMalformed("the answer is not an event")
        if withExtras {
            let extras =
                if let early = await early { early } else { await extras(of: detail.event.id) }
            (detail.frameCount, detail.hasVideo) = extras
        }
        return (detail, view)
    }

    /// Returns true for a name that can be one segment of a path; servers take `%2F` for the end of
    /// one, and an absent route would look like a server without events.
    private static func fitsInPath(_ name: String) -> Bool {
        !["", ".", ".."].contains(name) && !name.contains("/")
    }
}

/// The failure to find a named event.
package enum EventLookupError: Error, Sendable {
    case api(APIError)
    /// Several recent events begin with the given text; these are their ids.
    case ambiguous([String])
}
