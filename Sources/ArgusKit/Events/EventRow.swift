/// A row of a list of events: what a walk needs of it, and the server's own words.
///
/// The rest of the event is read when it is asked for, because `--raw` never does.
package struct EventRow: Sendable {
    /// The most bytes of an id: walks keep those of many rows, and servers make 36.
    private static let longestID = 256

    package let id: String
    package let timestamp: Timestamp?
    private let source: Source
    private var known: Event?

    private enum Source: Sendable {
        case view(JSONView)
        /// In a file, from which it is read each time.
        case stored(StoredRow)
    }

    /// Finds id and time, which stand among the first members; nil for a value without an id, or
    /// with one that is longer than any server's.
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
        guard let id, !id.isEmpty, id.utf8.count <= Self.longestID else { return nil }
        self.id = id
        self.timestamp = timestamp
        source = place.map(Source.stored) ?? .view(view)
    }

    /// The event as the server wrote it.
    ///
    /// - Throws: `FileSystemError` when its file cannot be read any more.
    package var view: JSONView {
        get throws(FileSystemError) {
            switch source {
            case .view(let view): return view
            case .stored(let place): return try place.read()
            }
        }
    }

    /// The whole event.
    ///
    /// - Throws: as `view`.
    package var event: Event {
        get throws(FileSystemError) { event(in: try view) }
    }

    /// The whole event, of which `view` has been read.
    package func event(in view: JSONView) -> Event {
        // Of two ids the last may be none.
        known ?? Event(view) ?? Event(id: id)
    }

    /// The same row with its event at hand, for those who look at it more than once; a long one
    /// stays in its file.
    func keeping(_ event: Event) -> EventRow {
        guard case .view = source else { return self }
        var row = self
        row.known = event
        return row
    }
}
