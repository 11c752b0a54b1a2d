/// The entities of today's server.
enum EntityRoutes {
    static func list(_ request: Request, _ state: inout State) throws(Refusal) -> Answer {
        let type = request.queryValue("entity_type")
        let search = request.queryValue("search")?.lowercased()
        var input = Validation()
        let isNamedOnly = input.flag(request.field("named_only")) ?? false
        let (limit, offset) = page(request, &input)
        try input.finish()
        let found = newest(state) { entity in
            (type ?? "").isEmpty || entity.type == type
        }.filter { !isNamedOnly || $0.name != nil }.filter { entity in
            guard let search, !search.isEmpty else { return true }
            return entity.name?.lowercased().contains(search) ?? false
        }
        return .json([
            "entities": .list(found.dropFirst(offset).prefix(limit).map(\.json)),
            "total": .integer(found.count),
        ])
    }

    /// Lists the entities of one standing, with fewer members than the list of all.
    static func list(where isListed: @escaping @Sendable (Entity) -> Bool) -> Route.Handler {
        { request, state throws(Refusal) in
            var input = Validation()
            let (limit, offset) = page(request, &input)
            try input.finish()
            let found = newest(state, isListed)
            let rows = found.dropFirst(offset).prefix(limit).map { entity in
                entity.json.keeping(
                    "id", "entity_type", "name", "first_seen_at", "last_seen_at",
                    "occurrence_count", "is_vip", "is_blocked")
            }
            return .json([
                "entities": .list(Array(rows)), "total": .integer(found.count),
                "limit": .integer(limit), "offset": .integer(offset),
            ])
        }
    }

    static func create(_ request: Request, _ state: inout State) throws(Refusal) -> Answer {
        var body = try BodyReader(request)
        let type = body.required("entity_type")
        let name = body.optional("name", length: 0...255)
        let notes = body.optional("notes")
        let (isVIP, isBlocked) = (body.flag("is_vip") ?? false, body.flag("is_blocked") ?? false)
        let color = body.optional("vehicle_color", length: 0...50)
        let make = body.optional("vehicle_make", length: 0...50)
        let model = body.optional("vehicle_model", length: 0...50)
        try body.finish()
        if type == "vehicle", make == nil || (color ?? model) == nil {
            throw Refusal(
                "Vehicle entities require at least color+make or make+model", status: 400)
        }
        var entity = Entity(type: type, name: name, now: request.now)
        (entity.notes, entity.isVIP, entity.isBlocked) = (notes, isVIP, isBlocked)
        state.entities.all.append(entity)
        return .created(detail(entity, events: []))
    }

    static func show(_ request: Request, _ state: inout State) throws(Refusal) -> Answer {
        var input = Validation()
        let limit = input.integer(request.field("event_limit"), in: 1...50) ?? 10
        try input.finish()
        let entity = state.entities.all[try find(request, state)]
        let events = events(of: entity, state).prefix(limit).map { summary($0, state) }
        return .json(detail(entity, events: events))
    }

    static func update(_ request: Request, _ state: inout State) throws(Refusal) -> Answer {
        var body = try BodyReader(request)
        let name = body.optional("name", length: 0...255)
        let hasType = body["entity_type"].map { $0 != .null } ?? false
        let type =
            hasType ? body.word("entity_type", oneOf: ["person", "vehicle", "unknown"]) : nil
        let notes = body.optional("notes", length: 0...2000)
        let (isVIP, isBlocked) = (body.flag("is_vip"), body.flag("is_blocked"))
        try body.finish()
        let index = try find(request, state)
        var entity = state.entities.all[index]
        entity.name = name ?? entity.name
        entity.type = type ?? entity.type
        entity.notes = notes ?? entity.notes
        entity.isVIP = isVIP ?? entity.isVIP
        entity.isBlocked = isBlocked ?? entity.isBlocked
        entity.updatedAt = request.now
        state.entities.all[index] = entity
        return .json(entity.json)
    }

    static func delete(_ request: Request, _ state: inout State) throws(Refusal) -> Answer {
        let entity = state.entities.remove(at: try find(request, state))
        // The database clears the references to the row.
        for index in state.rules.indices where state.rules[index].entityID == entity.id.text {
            state.rules[index].entityID = nil
        }
        return .noContent
    }

    static func merge(_ request: Request, _ state: inout State) throws(Refusal) -> Answer {
        var body = try BodyReader(request)
        let first = body.required("primary_entity_id")
        let second = body.required("secondary_entity_id")
        try body.finish()
        guard first != second else {
            throw Refusal("Cannot merge an entity with itself", status: 400)
        }
        let kept = try state.entities.index(of: first)
            .orRefuse("Primary entity not found: \(first)")
        let gone = try state.entities.index(of: second)
            .orRefuse("Secondary entity not found: \(second)")
        let names = (state.entities.all[kept].name, state.entities.all[gone].name)
        let moved = state.entities.merge(gone, into: kept, now: request.now)
        return .json([
            "success": true, "merged_entity_id": .text(first), "merged_entity_name": JSON(names.0),
            "events_moved": .integer(moved), "deleted_entity_id": .text(second),
            "deleted_entity_name": JSON(names.1),
            "message": .text("Merged \(moved) event(s) into \(names.0 ?? "entity")"),
        ])
    }

    static func picture(_ request: Request, _ state: inout State) throws(Refusal) -> Answer {
        guard let entity = state.entities[request.parameter("entity_id")], entity.hasPicture else {
            throw Refusal("Entity not found or has no thumbnail", status: 404)
        }
        let kind: Event.Kind? = entity.type == "vehicle" ? .vehicle : .person
        return .jpeg(headers: [("cache-control", "max-age=3600")]) {
            Scene.thumbnail(
                kind, camera: Int(entity.id.low % 12), name: "ENTITY", at: entity.createdAt)
        }
    }

    static func rules(_ request: Request, _ state: inout State) -> Answer {
        let id = request.parameter("entity_id")
        let rules = state.rules.reversed().filter { $0.entityID == id }
        let entities = state.entities
        return .json([
            "rules": .list(
                rules.map { rule in
                    rule.json(entities).keeping(
                        "id", "name", "is_enabled", "entity_match_mode", "cooldown_minutes",
                        "last_triggered_at", "trigger_count", "created_at")
                }), "total": .integer(rules.count),
        ])
    }
}

extension EntityRoutes {
    static func listEvents(_ request: Request, _ state: inout State) throws(Refusal) -> Answer {
        var input = Validation()
        let page = input.integer(request.field("page"), in: 1...1_000_000) ?? 1
        let limit = input.integer(request.field("limit"), in: 1...50) ?? 20
        try input.finish()
        let entity = state.entities.all[try find(request, state)]
        let all = events(of: entity, state)
        let rows = all.dropFirst((page - 1) * limit).prefix(limit).map { summary($0, state) }
        return .json([
            "entity_id": .text(entity.id.text), "events": .list(rows),
            "total": .integer(all.count), "page": .integer(page), "limit": .integer(limit),
            "has_more": .bool((page - 1) * limit + rows.count < all.count),
        ])
    }

    static func assign(_ request: Request, _ state: inout State) throws(Refusal) -> Answer {
        var body = try BodyReader(request)
        let id = body.required("entity_id")
        try body.finish()
        let event = request.parameter("event_id")
        let place = try state.events.index(of: event).orRefuse("Event not found: \(event)")
        let index = try state.entities.index(of: id).orRefuse("Entity not found: \(id)")
        let row = state.events.rows[place]
        let action = state.entities.assign(row, to: index, now: request.now)
        let entity = state.entities.all[index]
        let message =
            switch action {
            case "none": "Event already linked to \(entity.name ?? "this entity")"
            case "move": "Event moved to \(entity.shownName)"
            default: "Event added to \(entity.shownName)"
            }
        return .json([
            "success": true, "message": .text(message), "action": .text(action),
            "entity_id": .text(id), "entity_name": JSON(entity.name),
        ])
    }

    static func unlink(_ request: Request, _ state: inout State) throws(Refusal) -> Answer {
        let index = try find(request, state)
        let event = Identifier(request.parameter("event_id"))
        guard let event, state.entities.links[event]?.entity == state.entities.all[index].id else {
            throw Refusal("Event not linked to this entity", status: 404)
        }
        state.entities.links[event] = nil
        state.entities.all[index].count = max(0, state.entities.all[index].count - 1)
        return .json(["success": true, "message": "Event removed from entity"])
    }

    private static func page(
        _ request: Request, _ input: inout Validation
    ) -> (limit: Int, offset: Int) {
        (
            input.integer(request.field("limit"), in: 1...100) ?? 50,
            input.integer(request.field("offset"), in: 0...Int.max / 2) ?? 0
        )
    }

    /// The entities that meet a condition, the one seen last first.
    private static func newest(
        _ state: State, _ isListed: (Entity) -> Bool
    ) -> [Entity] {
        state.entities.all.filter(isListed).sorted { $0.lastSeenAt > $1.lastSeenAt }
    }

    /// The events of an entity, newest first.
    private static func events(of entity: Entity, _ state: State) -> [Event] {
        state.events.rows.reversed().filter { state.entities.links[$0.id]?.entity == entity.id }
    }

    private static func summary(_ event: Event, _ state: State) -> JSON {
        [
            "id": .text(event.id.text), "timestamp": .text(event.time.naiveText),
            "description": .text(state.events.text(of: event)),
            "thumbnail_url": JSON(event.thumbnailPath),
            "camera_id": .text(state.events.label(of: event).id),
            "similarity_score": .number(state.entities.links[event.id]?.similarity ?? 0),
        ]
    }

    private static func detail(_ entity: Entity, events: [JSON]) -> JSON {
        entity.json.merging([
            "created_at": .text(entity.createdAt.naiveText),
            "updated_at": .text(entity.updatedAt.naiveText), "recent_events": .list(events),
        ])
    }

    private static func find(_ request: Request, _ state: State) throws(Refusal) -> Int {
        try state.entities.index(of: request.parameter("entity_id")).orRefuse("Entity not found")
    }
}
