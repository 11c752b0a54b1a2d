import ArgusCore
import ArgusEvents

/// The canonical fields of recognised people and vehicles (docs/scripting.md, "Fields").
enum EntityView {
    static let fields: [Field<Entity>] = [
        .column("id", "the id") { $0.id }.shortened,
        .column("name", "the name; null for one that nobody has named") { $0.name }.shrinking(1)
            .asHeadline,
        .column("type", "person, vehicle or unknown") { $0.type }.withTypeColors,
        .column("occurrences", "how many events show it") { $0.occurrences }.headed("seen"),
        .hidden("first_seen_at", "when it was first seen") { $0.firstSeenAt },
        .column("last_seen_at", "when it was last seen") { $0.lastSeenAt },
        .column("vip", "whether the server pushes its events first") { $0.isVIP }
            .coloringYes(.green),
        .column("blocked", "whether the server suppresses its pushes") { $0.isBlocked }
            .coloringYes(.yellow),
        .hidden("notes", "the notes about it; lists of today's server have none") { $0.notes },
        .hidden("has_thumbnail", "whether there is a picture") { $0.hasThumbnail },
    ]

    static let detailFields: [Field<Entity>] = fields.reading(asColumns: true) { $0 }
}

extension EntityMerge {
    static let fields: [Field<EntityMerge>] = [
        .column("id", "the id of the one that was kept") { $0.id },
        .column("name", "its name") { $0.name },
        .column("merged_id", "the id of the one that is gone") { $0.mergedID },
        .column("merged_name", "its name") { $0.mergedName },
        .column("moved_events", "how many events were moved") { $0.movedEvents },
    ]
}
