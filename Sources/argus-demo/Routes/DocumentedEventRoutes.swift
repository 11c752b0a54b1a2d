/// Events and pictures by the relay and push documents.
enum DocumentedEventRoutes {
    private static let folder = "/api/v1/events"

    static func list(_ request: Request, _ state: inout State) throws(Refusal) -> Answer {
        let page = try MobileEventRoutes.number(
            request, "page", in: 1...Int.max / 200, default: 1)
        let size = try MobileEventRoutes.number(request, "per_page", in: 1...100, default: 20)
        let offset = (page - 1) * size
        let events = EventPage(
            of: state.events, try MobileEventRoutes.filter(request), offset: offset, limit: size)
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

    static func thumbnail(_ request: Request, _ state: inout State) throws(Refusal) -> Answer {
        try MobileEventRoutes.picture(request, state)
    }

    static func snapshot(_ request: Request, _ state: inout State) throws(Refusal) -> Answer {
        try MobileCameraRoutes.livePicture(request, state)
    }

    private static func detail(_ event: Event, _ state: State) -> JSON {
        PlainRow.detail(
            event, state.events, thumbnailsUnder: folder, kind: event.kind?.rawValue)
    }
}
