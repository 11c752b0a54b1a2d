/// Events and pictures as in the design documents.
enum DocumentedEventRoutes {
    private static let folder = "/api/v1/events"

    static func list(_ request: Request, _ state: inout State) throws(Refusal) -> Answer {
        var input = Validation()
        let page = input.integer(request.field("page"), in: 1...Int.max / 200) ?? 1
        let size = input.integer(request.field("per_page"), in: 1...100) ?? 20
        let filter = try MobileEventRoutes.filter(request, &input)
        let offset = (page - 1) * size
        let events = try EventPage(of: state.events, filter, offset: offset, limit: size)
        return .json([
            "events": .list(events.rows.map { detail($0, state) }),
            "pagination": [
                "page": .integer(page), "per_page": .integer(size),
                "total": .integer(events.total),
                "has_next": .bool(events.hasMore(after: offset)),
            ],
        ])
    }

    static func show(_ request: Request, _ state: inout State) throws(Refusal) -> Answer {
        .json(detail(try MobileEventRoutes.find(request, state), state))
    }

    private static func detail(_ event: Event, _ state: State) -> JSON {
        MobileEventJSON.detail(
            event, state.events, thumbnailsUnder: folder, kind: event.kind?.rawValue)
    }
}
