/// A row of a list of events: what a walk needs of it, and the server's own words.
///
/// The rest of the event is read when it is asked for, because `--raw` never does.
package struct EventRow: Sendable {
    package let id: String
    package let timestamp: Timestamp?
    private let source: Source
    private var known: Event?

    private enum Source: Sendable {
        case view(JSONView)
        /// In a file, from which it is read each time.
        case stored(StoredRow)
    }

    /// Finds id and time, which stand among the first members; nil for a value without an id.
    init?(_ view: JSONView, storedAt place: StoredRow? = nil) {
        var id: String?
        var timestamp: Timestamp?
        view.scanMembers { key, value in
            switch key {
            case "id", "event_id": id = value.string
            case "timestamp": timestamp = value.timestamp
            default: break
            }
            return id == nil || timestamp == nil
        }
        guard let id, !id.isEmpty else { return nil }
        self.id = id
        self.timestamp = timestamp
        source = place.map(Source.stored) ?? .view(view)
    }

    /// The event as the server wrote it; `null` where its file cannot be read any more.
    package var view: JSONView {
        switch source {
        case .view(let view): view
        case .stored(let place): (try? place.read()) ?? .null
        }
    }

    /// The whole event.
    package var event: Event { known ?? Event(view) ?? Event(id: id) }

    /// The same row with its event at hand, for those who look at it more than once; a long one
    /// stays in its file.
    func read() -> EventRow {
        guard case .view = source else { return self }
        var row = self
        row.known = event
        return row
    }
}
