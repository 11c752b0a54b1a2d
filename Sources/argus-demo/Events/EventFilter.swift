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
    static func known<Word>(
        _ list: String?, _ word: (String) -> Word?
    ) -> Set<Word>? {
        let words = (list ?? "").lowercased().split(separator: ",").compactMap { part in
            word(part.trimmed)
        }
        return words.isEmpty ? nil : Set(words)
    }

    /// The positions of the matching rows, oldest first.
    func matches(in store: EventStore) -> [Int] {
        var cameras: Set<Int32>?
        if let camera {
            cameras = Set(
                store.cameras.indices.filter { store.cameras[$0].id == camera }.map(Int32.init))
        }
        let descriptions = search.map { search in
            Set(
                store.descriptions.indices.filter {
                    search.matches(store.descriptions[$0].text)
                }.map(Int32.init))
        }
        return store.indices(from: start, through: end).filter { index in
            let event = store.rows[index]
            return cameras?.contains(event.camera) ?? true
                && descriptions?.contains(event.description) ?? true && matches(event)
        }
    }

    /// Matches an event against all conditions but the times.
    private func matches(_ event: Event) -> Bool {
        if let minimumConfidence, Int(event.confidence) < minimumConfidence { return false }
        if let kinds {
            guard let kind = event.kind, kinds.contains(kind) else { return false }
        }
        if let sources, !sources.contains(event.source) { return false }
        if let isAlert, event.marks.contains(.alert) != isAlert { return false }
        if let objects {
            let names = event.objects.names
            guard
                objects.contains(where: { pattern in
                    pattern == "%" || names.contains { $0.contains(pattern) }
                })
            else { return false }
        }
        return true
    }
}

extension StringProtocol {
    /// The text without blanks at its ends.
    var trimmed: String {
        String(
            drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }
}
