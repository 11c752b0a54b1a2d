/// The filter of an event list, with the gaps of the real server.
struct EventFilter: Sendable {
    var camera: String?
    var start: Moment?
    var end: Moment?
    var minimumConfidence: Int?
    /// Nil matches everything: the parameter is missing or names no known type.
    var kinds: Set<Event.Kind>?
    var sources: Set<Camera.Source>?
    /// SQL LIKE patterns, one of which must match the list of objects.
    var objects: [String]?
    var isAlert: Bool?
    var search: FullTextQuery?

    /// True if the filter has only times, so rows need not be inspected.
    var isTimeOnly: Bool {
        camera == nil && minimumConfidence == nil && kinds == nil && sources == nil
            && objects == nil && isAlert == nil && search == nil
    }

    /// The known words of a comma-separated list; nil, which matches everything, if there are none.
    static func known<Word>(_ list: String?, _ word: (String) -> Word?) -> Set<Word>? {
        let parts = (list ?? "").lowercased().split(separator: ",")
        let words = Set(parts.compactMap { word($0.trimmed) })
        return words.isEmpty ? nil : words
    }

    /// The positions of the matching rows, oldest first.
    func matches(in store: EventStore) -> [Int] {
        let cameras = store.cameras.map { camera == nil || $0.id == camera }
        let descriptions = store.descriptions.map { search?.matches($0.text) ?? true }
        return store.indices(from: start, through: end).filter { index in
            let event = store.rows[index]
            return cameras[Int(event.camera)] && descriptions[Int(event.description)]
                && matches(event)
        }
    }

    /// Matches an event against all conditions but the times.
    private func matches(_ event: Event) -> Bool {
        if let minimumConfidence, Int(event.confidence) < minimumConfidence { return false }
        if let kinds, event.kind.map({ kinds.contains($0) }) != true { return false }
        if let sources, !sources.contains(event.source) { return false }
        if let isAlert, event.marks.contains(.alert) != isAlert { return false }
        guard let objects else { return true }
        let names = event.objects.names
        return objects.contains { pattern in
            pattern == "%" || names.contains { $0.contains(pattern) }
        }
    }
}

struct EventPage {
    /// The number of matching events.
    var total: Int
    /// The rows of this page in the requested order.
    var rows: [Event]

    /// Selects the page after `offset` matching events, newest first unless `isAscending`.
    /// - Throws: `Refusal` 500 if one of its rows is unreadable.
    init(
        of store: EventStore, _ filter: EventFilter, offset: Int, limit: Int,
        isAscending: Bool = false
    ) throws(Refusal) {
        let range = store.indices(from: filter.start, through: filter.end)
        let matches = filter.isTimeOnly ? nil : filter.matches(in: store)
        let count = matches?.count ?? range.count
        total = count
        rows = (offset..<max(offset, min(count, offset + limit))).map { place in
            let index = isAscending ? place : count - 1 - place
            return store.rows[matches?[index] ?? range.lowerBound + index]
        }
        for row in rows { try row.expectReadable("Failed to list events") }
    }

    /// True if there are events after a page that begins at `offset`.
    func hasMore(after offset: Int) -> Bool { offset + rows.count < total && !rows.isEmpty }
}

extension StringProtocol {
    /// The text without blanks at its ends.
    var trimmed: String {
        String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }
}
