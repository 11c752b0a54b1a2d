/// Events by the mobile API file.
enum MobileEventRoutes {
    private static let folder = "/api/v1/mobile/events"

    static func list(_ request: Request, _ state: inout State) throws(Refusal) -> Answer {
        try limitReads(request, &state)
        let limit = try number(request, "limit", in: 1...100, default: 20)
        let offset = try number(request, "offset", in: 0...Int.max / 2, default: 0)
        let page = EventPage(
            of: state.events, try filter(request), offset: offset, limit: limit)
        var body: JSON = [
            "events": .list(page.rows.map { PlainRow.summary($0, state.events) }),
            "total_count": .integer(page.total), "has_more": .bool(page.hasMore(after: offset)),
        ]
        if page.hasMore(after: offset) {
            body = body.setting("next_offset", .integer(offset + page.rows.count))
        }
        return .json(body)
    }

    static func recent(_ request: Request, _ state: inout State) throws(Refusal) -> Answer {
        try limitReads(request, &state)
        let limit = try number(request, "limit", in: 1...10, default: 5)
        let page = EventPage(of: state.events, EventFilter(), offset: 0, limit: limit)
        return .json(["events": .list(page.rows.map { PlainRow.summary($0, state.events) })])
    }

    static func show(_ request: Request, _ state: inout State) throws(Refusal) -> Answer {
        try limitReads(request, &state)
        let event = try find(request, state)
        return .json(
            PlainRow.detail(
                event, state.events, thumbnailsUnder: folder,
                kind: PlainRow.mobileWord(event.kind)))
    }

    static func thumbnail(_ request: Request, _ state: inout State) throws(Refusal) -> Answer {
        try limitReads(request, &state)
        return try picture(request, state)
    }

    /// The thumbnail of the event that the path names.
    static func picture(_ request: Request, _ state: State) throws(Refusal) -> Answer {
        let event = try find(request, state)
        guard event.marks.contains(.thumbnail) else {
            throw Refusal("Thumbnail not found", status: 404)
        }
        return ThumbnailRoutes.picture(
            of: event, state, headers: [("cache-control", "public, max-age=86400")])
    }

    static func find(_ request: Request, _ state: State) throws(Refusal) -> Event {
        guard let index = state.events.index(of: request.parameter("event_id")) else {
            throw Refusal("Event not found", status: 404)
        }
        return state.events.rows[index]
    }

    /// The four filters that the file and the documents have; a word they do not know is a 400.
    static func filter(_ request: Request) throws(Refusal) -> EventFilter {
        var filter = EventFilter()
        filter.camera = request.queryValue("camera_id")
        filter.start = try moment(request, "start_time")
        filter.end = try moment(request, "end_time")
        if let word = request.queryValue("smart_detection_type") {
            guard let kind = Event.Kind(rawValue: word), Event.Kind.documented.contains(kind) else {
                throw MobileAuthRoutes.invalid
            }
            filter.kinds = [kind]
        }
        return filter
    }

    /// A number of the query; the file answers one out of range with a 400.
    static func number(
        _ request: Request, _ name: String, in range: ClosedRange<Int>, default standard: Int
    ) throws(Refusal) -> Int {
        guard let text = request.queryValue(name) else { return standard }
        guard let number = Int(text), range.contains(number) else {
            throw MobileAuthRoutes.invalid
        }
        return number
    }

    private static func moment(_ request: Request, _ name: String) throws(Refusal) -> Moment? {
        guard let text = request.queryValue(name) else { return nil }
        guard let moment = Moment(text) else { throw MobileAuthRoutes.invalid }
        return moment
    }

    private static func limitReads(_ request: Request, _ state: inout State) throws(Refusal) {
        try MobileAuthRoutes.limit("read \(request.peer)", 100, request, &state)
    }
}
