import NIOCore

/// The reading of events on today's server.
enum EventRoutes {
    static func list(_ request: Request, _ state: inout State) throws(Refusal) -> Answer {
        var input = Validation()
        let filter = try filter(request, &input)
        let limit = input.integer(request.field("limit"), in: 1...500) ?? 50
        let offset = input.integer(request.field("offset"), in: 0...Int.max / 2) ?? 0
        let order = input.word(request.field("sort_order"), oneOf: ["asc", "desc"])
        try input.finish()
        let store = state.events
        let page = try EventPage(
            of: store, filter, offset: offset, limit: limit, isAscending: order == "asc")
        var body = ByteBuffer()
        body.reserveCapacity(page.rows.count * 3400 + 200)
        body.writeStaticString("{\"events\":[")
        for (index, event) in page.rows.enumerated() {
            if index > 0 { body.writeStaticString(",") }
            let feedback = event.marks.contains(.feedback) ? state.feedback[event.id] : nil
            CurrentRow.write(
                event, of: store, feedback: feedback,
                entity: state.entityMembers(of: event, inList: true), to: &body)
        }
        let hasMore = page.hasMore(after: offset)
        let next = hasMore ? String(offset + page.rows.count) : "null"
        body.writeString(
            "],\"total_count\":\(page.total),\"has_more\":\(hasMore),\"next_offset\":\(next),"
                + "\"limit\":\(limit),\"offset\":\(offset)}")
        return Answer(body: .bytes(body))
    }

    static func show(_ request: Request, _ state: inout State) throws(Refusal) -> Answer {
        let index = try find(request, state)
        let event = state.events.rows[index]
        try event.expectReadable("Failed to get event")
        var body = ByteBuffer()
        CurrentRow.write(
            event, of: state.events, feedback: state.feedback[event.id],
            correlated: correlated(with: event, state.events),
            entity: state.entityMembers(of: event, inList: false), to: &body)
        return Answer(body: .bytes(body))
    }

    /// The other events of an event's group; nil if there are none.
    private static func correlated(with event: Event, _ store: EventStore) -> JSON? {
        guard event.marks.contains(.correlated) else { return nil }
        let range = store.indices(from: event.time, through: event.time)
        return .list(
            store.rows[range].filter { $0.id != event.id }.map { other in
                let path = other.thumbnailPath.map { "/api/v1/thumbnails/\($0)" }
                return [
                    "id": .text(other.id.text), "camera_name": .text(store.label(of: other).name),
                    "thumbnail_url": JSON(path), "timestamp": .text(other.time.text),
                ]
            })
    }

    /// The index of the event in the path.
    static func find(_ request: Request, _ state: State) throws(Refusal) -> Int {
        let id = request.parameter("event_id")
        return try state.events.index(of: id).orRefuse("Event \(id) not found")
    }

    /// Parses the camera and the times, which all routes take.
    static func basics(
        _ request: Request, _ input: inout Validation, from start: String = "start_time",
        through end: String = "end_time"
    ) -> EventFilter {
        var filter = EventFilter()
        filter.camera = request.queryValue("camera_id")
        filter.start = input.moment(request.field(start))
        filter.end = input.moment(request.field(end))
        return filter
    }

    private static func filter(
        _ request: Request, _ input: inout Validation
    ) throws(Refusal) -> EventFilter {
        var filter = basics(request, &input)
        filter.minimumConfidence = input.integer(request.field("min_confidence"), in: 0...100)
        filter.objects = request.queryValue("object_types").map { list in
            list.lowercased().split(separator: ",").map(\.trimmed)
        }
        filter.isAlert = input.flag(request.field("alert_triggered"))
        filter.sources = EventFilter.known(request.queryValue("source_type")) {
            Camera.Source(rawValue: $0)
        }
        filter.kinds = EventFilter.known(request.queryValue("smart_detection_type")) {
            Event.Kind(rawValue: $0).flatMap { Event.Kind.documented.contains($0) ? $0 : nil }
        }
        if let search = request.queryValue("search_query") {
            input.length(of: search, at: ["query", "search_query"], in: 1...500)
            try input.finish()
            filter.search = try FullTextQuery(search).orRefuse("Failed to list events", status: 500)
        }
        return filter
    }
}

extension Event.Kind {
    /// The types that the API's filters accept.
    static let documented: Set<Event.Kind> = [
        .person, .vehicle, .package, .animal, .motion, .ring,
    ]
}
