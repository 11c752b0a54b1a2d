package import ArgusCore

/// A person or a vehicle that the server has recognised.
///
///     {"id":"156ee2d2-…","entity_type":"person","name":"Mail Carrier","notes":"weekdays",
///      "first_seen_at":"2026-11-26T12:24:00.109345","last_seen_at":"2026-11-26T12:23:42",
///      "occurrence_count":1,"is_vip":false,"is_blocked":false}
package struct Entity: Sendable, Equatable {
    package var id: String
    /// `person`, `vehicle` or `unknown`.
    package var type: String?
    /// Nil if it has no name.
    package var name: String?
    package var notes: String?
    package var hasThumbnail: Bool?
    package var firstSeenAt: Timestamp?
    package var lastSeenAt: Timestamp?
    /// The number of events.
    package var occurrences: Int?
    package var isVIP: Bool?
    package var isBlocked: Bool?

    /// Decodes an entity; nil without an id.
    package init?(_ view: JSONView) {
        guard let id = view["id"]?.string, !id.isEmpty else { return nil }
        self.id = id
        type = view["entity_type"]?.string
        name = view["name"]?.string.flatMap { $0.isEmpty ? nil : $0 }
        notes = view["notes"]?.string
        hasThumbnail = view["thumbnail_path"].map { $0.kind == .string }
        firstSeenAt = view["first_seen_at"]?.timestamp
        lastSeenAt = view["last_seen_at"]?.timestamp
        occurrences = view["occurrence_count"]?.count
        isVIP = view["is_vip"]?.bool
        isBlocked = view["is_blocked"]?.bool
    }

    /// The name, else the type and the beginning of the id.
    package var title: String { name ?? "\(type ?? "entity") \(id.prefix(8))" }
}

/// A change of an entity; nil leaves a part as it is.
package struct EntityChange: Sendable, Equatable {
    package var name: String?
    package var isVIP: Bool?
    package var isBlocked: Bool?

    package init(name: String? = nil, isVIP: Bool? = nil, isBlocked: Bool? = nil) {
        (self.name, self.isVIP, self.isBlocked) = (name, isVIP, isBlocked)
    }

    func write(to writer: inout JSONWriter) {
        if let name { writer.member("name", name) }
        if let isVIP { writer.member("is_vip", isVIP) }
        if let isBlocked { writer.member("is_blocked", isBlocked) }
    }
}

/// The result of merging one entity into another.
package struct EntityMerge: Sendable, Equatable {
    /// The entity that was kept.
    package var id: String
    package var name: String?
    /// The entity that is gone.
    package var mergedID: String
    package var mergedName: String?
    package var movedEvents: Int?
}
