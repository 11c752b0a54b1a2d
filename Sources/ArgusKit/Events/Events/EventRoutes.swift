package import ArgusCore
package import ArgusTransport

/// The routes of events, by generation of server.
package enum EventRoutes {
    private static let events = "/api/v1/events"
    private static let mobile = "/api/v1/mobile/events"

    /// Reads a page of events; today's server and the documents differ in the answer only.
    package static let list = Operation<EventQuery, EventPage>(
        "events.list", feature: "a list of events",
        Route(.current) { query in
            let filter = query.filter
            // `per_page` and `page` are the documents' names, which today's server ignores. The
            // documents name no maximum; 100 is that of the mobile file.
            let size = min(query.limit, documentedPage)
            return RouteRequest(
                .get, events,
                query: [
                    ("start_time", query.since?.utcText), ("end_time", query.until?.utcText),
                    ("limit", String(min(query.limit, 500))),
                    ("offset", query.offset > 0 ? String(query.offset) : nil),
                    ("sort_order", query.order == .oldestFirst ? "asc" : nil),
                    ("camera_id", filter.cameraIDs.only),
                    ("min_confidence", filter.minConfidence.map { String($0) }),
                    ("alert_triggered", filter.alertsOnly ? "true" : nil),
                    ("source_type", filter.source), ("smart_detection_type", query.type),
                    ("search_query", query.searchesOnServer ? filter.searchPhrase : nil),
                    ("per_page", String(size)),
                    ("page", query.offset > 0 ? String(query.offset / size + 1) : nil),
                ])
        } decode: { answer throws(APIError) in
            try page(
                answer, largestPage: 500, filtersBy: [.camera, .confidence, .alerts, .source],
                isSearched: true)
        },
        Route(.mobile) { query in
            RouteRequest(
                .get, mobile,
                query: [
                    ("start_time", query.since?.utcText), ("end_time", query.until?.utcText),
                    ("limit", String(min(query.limit, 100))),
                    ("offset", query.offset > 0 ? String(query.offset) : nil),
                    ("camera_id", query.filter.cameraIDs.only),
                    ("smart_detection_type", query.type),
                ])
        } decode: { answer throws(APIError) in
            try page(answer, largestPage: 100, filtersBy: [.camera], isSearched: false)
        })

    /// Reads one event with its details.
    package static let show = Operation<String, JSONView>(
        "events.show", feature: "details of an event",
        Route(.current, object) { RouteRequest(.get, events, $0) },
        Route(.mobile, object) { RouteRequest(.get, mobile, $0) })

    /// Reads a picture by the path that the event names; public on today's server.
    package static let storedThumbnail = Operation<ThumbnailReference.StoredPath, [UInt8]>(
        "events.thumbnail.stored", feature: "stored thumbnails",
        Route(.current, \.body) { path in
            .image("/api/v1/thumbnails", path.day, path.file).with { request in
                request.isPublic = true
                request.isForStoredFile = true
            }
        })

    /// Reads a picture by the event's id.
    package static let thumbnail = Operation<String, [UInt8]>(
        "events.thumbnail", feature: "thumbnails of events",
        Route(.documented, \.body) { .image(events, $0, "thumbnail") },
        Route(.mobile, \.body) { .image(mobile, $0, "thumbnail") })

    private static let documentedPage = 100

    /// The most rows that a page may have, whatever its limit was.
    private static let maxRows = 20_000

    private static func page(
        _ answer: HTTPResponse, largestPage: Int, filtersBy knownConditions: [EventCondition],
        isSearched: Bool
    ) throws(APIError) -> EventPage {
        let body = try ResponseBody.parse(answer)
        var rows: [EventRow] = []
        var unreadableRows = 0
        for element in try list(in: body, answer).elements {
            if let row = EventRow(element) { rows.append(row) } else { unreadableRows += 1 }
            guard rows.count <= maxRows else {
                throw .malformed("a page of events has more than \(maxRows) rows", answer)
            }
        }
        let pagination = body["pagination"]
        return EventPage(
            rows: rows, unreadableRows: unreadableRows, byteCount: answer.body.count,
            hasMore: body["has_more"]?.bool ?? pagination?["has_next"]?.bool,
            largestPage: pagination == nil ? largestPage : documentedPage,
            total: body["total_count"]?.count ?? pagination?["total"]?.count,
            countsPages: pagination != nil,
            // Of these the documents know one camera only.
            knownConditions: pagination == nil ? knownConditions : [.camera],
            isSearched: isSearched && pagination == nil,
            serverTime: answer.headers["date"].flatMap(HTTPDate.parse))
    }

    /// Finds the list of events, which is the whole body or a member of it.
    private static func list(
        in body: JSONView, _ answer: HTTPResponse
    ) throws(APIError) -> JSONView {
        if body.kind == .array { return body }
        guard let list = body["events"] ?? body["data"], list.kind == .array else {
            throw .malformed("the list of events has no events", answer)
        }
        return list
    }

    private static func object(_ answer: HTTPResponse) throws(APIError) -> JSONView {
        let body = try ResponseBody.parse(answer)
        guard body.kind == .object else { throw .malformed("the event is not an object", answer) }
        return body
    }
}
