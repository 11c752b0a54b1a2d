/// Events by the mobile API file.
enum MobileEventRoutes {
    private static let folder = "/api/v1/mobile/events"

    static func list(_ request: Request, _ state: inout State) throws(Refusal) -> Answer {
        try limitReads(request, &state)
        var input = Validation()
        let limit = input.integer(request.field("limit"), in: 1...100) ?? 20
        let offset = input.integer(request.field("offset"), in: 0...Int.max / 2) ?? 0
        let filter = try filter(request, &input)
        let page = try EventPage(of: state.events, filter, offset: offset, limit: limit)
        let hasMore = page.hasMore(after: offset)
        let body: JSON = [
            "events": .list(page.rows.map { MobileEventJSON.summary($0, state.events) }),
            "total_count": .integer(page.total), "has_more": .bool(hasMore),
            "next_offset": hasMore ? .integer(offset + page.rows.count) : nil,
        ]
        return .json(body.withoutNulls)
    }

    static func show(_ request: Request, _ state: inout State) throws(Refusal) -> Answer {
        try limitReads(request, &state)
        let event = try find(request, state)
        return .json(
            MobileEventJSON.detail(
                event, state.events, thumbnailsUnder: folder,
                kind: MobileEventJSON.mobileWord(event.kind)))
    }

    static func thumbnail(_ request: Request, _ state: inout State) throws(Refusal) -> Answer {
        try limitReads(request, &state)
        return try picture(request, &state)
    }

    static func picture(_ request: Request, _ state: inout State) throws(Refusal) -> Answer {
        let event = try find(request, state)
        guard event.marks.contains(.thumbnail) else {
            throw Refusal("Thumbnail not found", status: 404)
        }
        return MediaRoutes.picture(
            of: event, state, headers: [("cache-control", "public, max-age=86400")])
    }

    static func find(_ request: Request, _ state: State) throws(Refusal) -> Event {
        let index = state.events.index(of: request.parameter("event_id"))
        return state.events.rows[try index.orRefuse("Event not found")]
    }

    /// Parses the four filters of the file and the documents; any invalid parameter, including
    /// those read before, is a 400.
    static func filter(
        _ request: Request, _ input: inout Validation
    ) throws(Refusal) -> EventFilter {
        var filter = EventRoutes.basics(request, &input)
        try input.finish(or: MobileAuthRoutes.invalid)
        if let word = request.queryValue("smart_detection_type") {
            guard let kind = Event.Kind(rawValue: word), Event.Kind.documented.contains(kind) else {
                throw MobileAuthRoutes.invalid
            }
            filter.kinds = [kind]
        }
        return filter
    }

    private static func limitReads(_ request: Request, _ state: inout State) throws(Refusal) {
        try MobileAuthRoutes.limit("read \(request.peer)", 100, request, &state)
    }
}
