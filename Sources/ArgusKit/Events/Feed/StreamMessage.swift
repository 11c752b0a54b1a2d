/// A text of a server's stream, as far as a feed needs it (backend-facts 9).
///
///     {"type":"NEW_EVENT","data":{"event_id":"8f85eda1-…","camera_id":"7323d311-…"}}
package enum StreamMessage: Sendable, Equatable {
    /// An event was stored or changed.
    case event(String)
    /// A doorbell was rung.
    case ring
    case other

    /// The longest id of an event.
    private static let longestID = 256

    /// Reads a text; what is no message of this server is `other`.
    package init(_ text: [UInt8]) {
        self = .other
        guard let view = try? JSONView.parse(text), let kind = view["type"]?.string else { return }
        let data = view["data"]
        switch kind {
        case "NEW_EVENT", "EVENT_CREATED", "notification":
            // Of a notification `id` is its own.
            let own = kind == "notification" ? nil : data?["id"]?.string
            let id = data?["event_id"]?.string ?? own
            if let id, !id.isEmpty, id.utf8.count <= Self.longestID { self = .event(id) }
        case "DOORBELL_RING": self = .ring
        default: break
        }
    }
}
