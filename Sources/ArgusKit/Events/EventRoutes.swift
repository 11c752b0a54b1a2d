/// One page of events as it is asked for.
package struct EventQuery: Sendable {
    package var filter = EventFilter()
    /// Rows wanted, at least 1; a route asks for no more than its server gives.
    package var limit: Int
    /// In which order the rows are wanted; servers that do not know of it send the newest first.
    package var order = EventOrder.newestFirst
    /// The oldest instant of the page, inclusive; replaces the filter's `since`.
    package var since: Timestamp?
    /// The newest instant of the page, inclusive; replaces the filter's `until`.
    package var until: Timestamp?
    /// Rows to leave out before the page.
    package var offset = 0
    /// Whether the server is asked to search, where it can.
    package var searchesOnServer: Bool
    /// Bytes of the answer that may be held in memory.
    var held = 4 << 20

    package init(filter: EventFilter, limit: Int) {
        self.filter = filter
        self.limit = limit
        since = filter.since
        until = filter.until
        searchesOnServer = filter.searchPhrase != nil
    }
}

/// One page of events as a server answered it.
package struct EventPage: Sendable {
    /// The rows that are events, newest first.
    package var rows: [EventRow]
    /// How many rows are none.
    package var unreadableRows: Int
    /// Bytes of the answer, which its rows keep in memory or in a file.
    var byteCount: Int
    /// Whether the server says that more follow; nil when it does not say.
    package var hasMore: Bool?
    /// The most rows that this server puts on a page.
    package var largestPage: Int
    /// Whether the server counts pages and not rows, so that a page begins at a multiple of its size.
    package var countsPages = false
    /// The conditions by which the server filters when it is asked to.
    package var knownConditions: [EventCondition]
    /// Whether the server searched, so that its rows need no matching here.
    package var isSearched: Bool

    /// All rows, events or not.
    var rowCount: Int { rows.count + unreadableRows }
}

/// The routes of events, by generation of server.
package enum EventRoutes {
    /// Pages of events; today's server and the documents share the path and differ in the answer.
    package static let list = Operation<EventQuery, EventPage>(
        "events.list", purpose: "a list of events",
        routes: [
            Route(.current) { query in
                var request = RouteRequest(.get, "/api/v1/events")
                request.query = times(query) + currentFilters(query)
                request.limits = .list(held: query.held)
                // `per_page` and `page` are the documents' names, which today's server ignores. The
                // documents name no maximum; 100 is that of the mobile file.
                let size = min(query.limit, documentedPage)
                request.query.append(("per_page", String(size)))
                if query.offset > 0 {
                    request.query.append(("page", String(query.offset / size + 1)))
                }
                return request
            } decode: { answer throws(APIError) in
                try page(
                    answer, largestPage: 500, filtersBy: [.camera, .confidence, .alerts, .source],
                    isSearched: true)
            },
            Route(.mobile) { query in
                var request = RouteRequest(.get, "/api/v1/mobile/events")
                request.query = times(query)
                request.limits = .list(held: query.held)
                request.query.append(("limit", String(min(query.limit, 100))))
                if query.offset > 0 { request.query.append(("offset", String(query.offset))) }
                if query.filter.cameraIDs.count == 1 {
                    request.query.append(("camera_id", query.filter.cameraIDs[0]))
                }
                return request
            } decode: { answer throws(APIError) in
                try page(answer, largestPage: 100, filtersBy: [.camera], isSearched: false)
            },
        ])

    /// One event with its details.
    package static let show = Operation<String, JSONView>(
        "events.show", purpose: "details of an event",
        routes: [
            Route(.current) { id in
                RouteRequest(.get, "/api/v1/events", id)
            } decode: { answer throws(APIError) in
                try object(answer)
            },
            Route(.mobile) { id in
                RouteRequest(.get, "/api/v1/mobile/events", id)
            } decode: { answer throws(APIError) in
                try object(answer)
            },
        ])

    /// The number of frames kept of an event.
    package static let frameCount = Operation<String, Int?>(
        "events.frames", purpose: "frames of an event",
        routes: [
            Route(.current) { id in
                RouteRequest(.get, "/api/v1/events", id, "frames")
            } decode: { answer throws(APIError) in
                let body = try object(answer)
                return (body["total_count"]?.int).flatMap(Int.init(exactly:))
                    ?? body["frames"].map { $0.elements.count { _ in true } }
            }
        ])

    /// The first byte of an event's video, to learn whether there is one.
    package static let videoProbe = Operation<String, Bool>(
        "events.video", purpose: "video of an event",
        routes: [
            Route(.current) { id in
                var request = RouteRequest(.get, "/api/v1/events", id, "video", "download")
                request.accept = "video/*"
                request.range = 0...0
                request.limits.body = 64 << 10
                return request
            } decode: { _ in
                true
            }
        ])

    /// A picture by the path that the event names; public on today's server.
    package static let storedThumbnail = Operation<ThumbnailReference.StoredPath, StoredBytes>(
        "events.thumbnail.stored", purpose: "stored thumbnails",
        routes: [
            Route(.current) { path in
                var request = RouteRequest.image("/api/v1/thumbnails", path.day, path.file)
                request.isPublic = true
                return request
            } decode: {
                $0.stored
            }
        ])

    /// A picture by the event's id.
    package static let thumbnail = Operation<String, StoredBytes>(
        "events.thumbnail", purpose: "thumbnails of events",
        routes: [
            Route(.documented) { id in
                .image("/api/v1/events", id, "thumbnail")
            } decode: {
                $0.stored
            },
            Route(.mobile) { id in
                .image("/api/v1/mobile/events", id, "thumbnail")
            } decode: {
                $0.stored
            },
        ])

    private static let documentedPage = 100

    private static func times(_ query: EventQuery) -> [(name: String, value: String)] {
        var items: [(name: String, value: String)] = []
        if let since = query.since { items.append(("start_time", since.utcText)) }
        if let until = query.until { items.append(("end_time", until.utcText)) }
        return items
    }

    private static func currentFilters(_ query: EventQuery) -> [(name: String, value: String)] {
        let filter = query.filter
        var items: [(name: String, value: String)] = [("limit", String(min(query.limit, 500)))]
        if query.offset > 0 { items.append(("offset", String(query.offset))) }
        if query.order == .oldestFirst { items.append(("sort_order", "asc")) }
        if filter.cameraIDs.count == 1 { items.append(("camera_id", filter.cameraIDs[0])) }
        if let percent = filter.minConfidence { items.append(("min_confidence", String(percent))) }
        if filter.alertsOnly { items.append(("alert_triggered", "true")) }
        if let source = filter.source { items.append(("source_type", source)) }
        if query.searchesOnServer, let phrase = filter.searchPhrase {
            items.append(("search_query", phrase))
        }
        return items
    }

    /// The most rows that a page may have, whatever was asked for.
    private static let mostRows = 20_000
    /// The most of all rows, events or not, so that a list of nothing comes to an end.
    private static let mostElements = 1 << 20

    private static func page(
        _ answer: HTTPResponse, largestPage: Int, filtersBy knownConditions: [EventCondition],
        isSearched: Bool
    ) throws(APIError) -> EventPage {
        let found = try list(answer)
        var rows: [EventRow] = []
        var unreadableRows = 0
        var elements = found.makeRows()
        while let row = try elements.nextWithPlace() {
            if let row = EventRow(row.view, storedAt: row.place) {
                rows.append(row)
            } else {
                unreadableRows += 1
            }
            guard rows.count <= mostRows, rows.count + unreadableRows <= mostElements else {
                throw .malformed("a page of events has more than \(mostRows) rows", answer)
            }
        }
        let body = found.answer
        let pagination = body["pagination"]
        return EventPage(
            rows: rows, unreadableRows: unreadableRows, byteCount: answer.stored.count,
            hasMore: body["has_more"]?.bool ?? pagination?["has_next"]?.bool,
            largestPage: pagination == nil ? largestPage : documentedPage,
            countsPages: pagination != nil,
            // Of these the documents know one camera only.
            knownConditions: pagination == nil ? knownConditions : [.camera],
            isSearched: isSearched && pagination == nil)
    }

    /// Makes sure that an answer is a list of events.
    static func expectList(_ answer: HTTPResponse) throws(APIError) {
        _ = try list(answer)
    }

    private static func list(_ answer: HTTPResponse) throws(APIError) -> ListResponse {
        let found = try ListResponse(answer) { body in
            if body.kind == .array { return .wholeAnswer }
            let name = body["events"] != nil ? "events" : "data"
            return body[name]?.kind == .array ? .member(name) : nil
        }
        guard let found else { throw .malformed("the list of events has no events", answer) }
        return found
    }

    private static func object(_ answer: HTTPResponse) throws(APIError) -> JSONView {
        let body = try ResponseBody.parse(answer)
        guard body.kind == .object else { throw .malformed("the event is not an object", answer) }
        return body
    }
}
