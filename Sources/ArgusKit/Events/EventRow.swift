/// A row of a list of events: what a walk needs of it, and the server's own words.
///
/// The rest of the event is read when it is asked for, because `--raw` never does.
package struct EventRow: Sendable {
    package let id: String
    package let timestamp: Timestamp?
    /// The event as the server wrote it.
    package let view: JSONView
    private var known: Event?

    /// Finds id and time, which stand among the first members; nil for a value without an id.
    init?(_ view: JSONView) {
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
        self.view = view
    }

    /// The whole event.
    package var event: Event { known ?? Event(view) ?? Event(id: id) }

    /// The same row with its event at hand, for those who look at it more than once.
    func read() -> EventRow {
        var row = self
        row.known = event
        return row
    }
}
