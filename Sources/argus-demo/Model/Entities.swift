/// A person or a vehicle that the server recognises.
struct Entity: Sendable {
    var id = Identifier.random()
    /// `person`, `vehicle` or `unknown`.
    var type: String
    var name: String?
    var notes: String?
    var isVIP = false
    var isBlocked = false
    /// True if there is a picture of it.
    var hasPicture = false
    var count = 0
    var firstSeenAt: Moment
    var lastSeenAt: Moment
    var createdAt: Moment
    var updatedAt: Moment

    init(type: String, name: String?, now: Moment) {
        (self.type, self.name) = (type, name)
        (firstSeenAt, lastSeenAt, createdAt, updatedAt) = (now, now, now, now)
    }

    /// The name in event lists and messages.
    var shownName: String { name ?? "\(shownType) entity" }

    /// The name in rules.
    var nameInRules: String { name ?? "\(shownType) #\(id.text.prefix(8))" }

    private var shownType: String { "\(type.prefix(1).uppercased())\(type.dropFirst())" }

    /// The members of lists.
    var json: JSON {
        [
            "id": .text(id.text), "entity_type": .text(type), "name": JSON(name),
            "notes": JSON(notes),
            "thumbnail_path": hasPicture ? .text("entities/\(id.text).jpg") : nil,
            "first_seen_at": .text(firstSeenAt.naiveText),
            "last_seen_at": .text(lastSeenAt.naiveText), "occurrence_count": .integer(count),
            "is_vip": .bool(isVIP), "is_blocked": .bool(isBlocked),
        ]
    }
}

/// The entities and their events.
struct Entities: Sendable {
    struct Link: Sendable {
        var entity: Identifier
        var similarity: Double
    }

    var all: [Entity] = []
    /// The entity of an event, by the event's id.
    var links: [Identifier: Link] = [:]
    /// The entities that the server recognised itself; only rules look at them, and no route
    /// returns them.
    private(set) var recognized: [Identifier: Identifier] = [:]

    /// Makes so many entities; each seed has its own.
    init(_ count: Int, seed: UInt64, now: Moment) {
        var generator = SeededGenerator(seed: seed ^ 0xE7717)
        let known: [(type: String, name: String?)] = [
            ("person", "Mail Carrier"), ("person", "Anna"), ("vehicle", "White Van"),
            ("person", nil), ("vehicle", nil), ("person", "Jürgen (gardener)"),
        ]
        all = (0..<count).map { number in
            let (type, name) =
                number < known.count ? known[number] : ("person", "Visitor \(number + 1)")
            var entity = Entity(type: type, name: name, now: now + -15 * 86_400)
            entity.id = Identifier(&generator)
            entity.hasPicture = true
            entity.isVIP = number == 1
            entity.isBlocked = number == 2
            return entity
        }
    }

    subscript(id: Identifier) -> Entity? { all.first { $0.id == id } }

    subscript(id: String) -> Entity? { all.first { $0.id.text == id } }

    func index(of id: String) -> Int? { all.firstIndex { $0.id.text == id } }

    /// Recognises an entity in each third event with a person or a vehicle.
    mutating func recognize(_ event: Event) {
        let type =
            switch event.kind {
            case .person, .ring: "person"
            case .vehicle, .licensePlate: "vehicle"
            default: ""
            }
        guard event.id.high % 3 == 0 else { return }
        let candidates = all.indices.filter { all[$0].type == type }
        guard !candidates.isEmpty else { return }
        let index = candidates[Int(event.id.low >> 8) % candidates.count]
        let isFirst = all[index].count == 0
        let (first, last) = (all[index].firstSeenAt, all[index].lastSeenAt)
        all[index].firstSeenAt = isFirst ? event.time : min(first, event.time)
        all[index].lastSeenAt = isFirst ? event.time : max(last, event.time)
        all[index].count += 1
        let similarity = Double(80 + event.id.low % 20) / 100
        links[event.id] = Link(entity: all[index].id, similarity: similarity)
        recognized[event.id] = all[index].id
    }

    /// Links an event with an entity, and returns what that was: `assign`, `move` or `none`.
    mutating func assign(_ event: Event, to index: Int, now: Moment) -> String {
        let old = links[event.id]?.entity
        guard old != all[index].id else { return "none" }
        if let place = all.firstIndex(where: { $0.id == old }) {
            all[place].count = max(0, all[place].count - 1)
            all[place].updatedAt = now
        }
        links[event.id] = Link(entity: all[index].id, similarity: 1)
        all[index].count += 1
        all[index].lastSeenAt = event.time
        all[index].updatedAt = now
        return old == nil ? "assign" : "move"
    }

    /// Removes an entity with its links.
    @discardableResult
    mutating func remove(at index: Int) -> Entity {
        let entity = all.remove(at: index)
        links = links.filter { $0.value.entity != entity.id }
        return entity
    }

    /// Moves everything from one entity to another, and returns the number of events moved.
    mutating func merge(_ second: Int, into first: Int, now: Moment) -> Int {
        let (kept, gone) = (all[first], all[second])
        let moved = links.filter { $0.value.entity == gone.id }
        for event in moved.keys { links[event]?.entity = kept.id }
        all[first].count += gone.count
        all[first].firstSeenAt = min(kept.firstSeenAt, gone.firstSeenAt)
        all[first].lastSeenAt = max(kept.lastSeenAt, gone.lastSeenAt)
        all[first].updatedAt = now
        all.remove(at: second)
        return moved.count
    }
}

extension State {
    /// The members of an event's row about its entity; nil if it has none.
    ///
    /// Lists have its id and name, the answer for a single event has all about it instead.
    func entityMembers(of event: Event, inList: Bool) -> JSON? {
        guard let link = entities.links[event.id], let entity = entities[link.entity] else {
            return nil
        }
        let matched: JSON = [
            "id": .text(entity.id.text), "entity_type": .text(entity.type),
            "name": JSON(entity.name), "first_seen_at": .text(entity.firstSeenAt.text),
            "occurrence_count": .integer(entity.count),
            "similarity_score": .number(link.similarity),
        ]
        return [
            "matched_entity": inList ? nil : matched,
            "entity_id": inList ? .text(entity.id.text) : nil,
            "entity_name": inList ? .text(entity.shownName) : nil,
        ]
    }
}
