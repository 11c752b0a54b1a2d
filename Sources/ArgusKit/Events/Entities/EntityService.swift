package import ArgusAccount
package import ArgusCore
package import ArgusTransport

/// The routes of entities; only today's server has them.
package enum EntityRoutes {
    private static let entities = "/api/v1/context/entities"

    /// A page of entities, and the number of all.
    package typealias Page = (rows: ListedRows<Entity>, total: Int?)

    /// Lists entities, those seen last first.
    package static let list = Operation<(limit: Int, offset: Int), Page>(
        "entities.list", feature: "recognised people and vehicles",
        Route(.current) { input in
            RouteRequest(
                .get, entities,
                query: [
                    ("limit", String(input.limit)),
                    ("offset", input.offset > 0 ? String(input.offset) : nil),
                ])
        } decode: { answer throws(APIError) in
            let body = try ResponseBody.parse(answer)
            guard let list = body["entities"], list.kind == .array else {
                throw .malformed("the list of entities has no entities", answer)
            }
            return (
                ListedRows(Array(list.elements), read: Entity.init), body["total"]?.count
            )
        })

    /// Reads one entity.
    package static let show = Operation<String, JSONView>(
        "entities.show", feature: "recognised people and vehicles",
        Route(.current, ResponseBody.parse) { RouteRequest(.get, entities, $0) })

    /// Changes the parts of an entity that are set.
    package static let update = Operation<(id: String, change: EntityChange), JSONView>(
        "entities.update", feature: "changes of recognised people and vehicles",
        Route(.current, ResponseBody.parse) { input in
            RouteRequest(.put, entities, input.id).sending(input.change.write)
        })

    /// Deletes an entity; its events stay.
    package static let delete = Operation<String, Void>(
        "entities.delete", feature: "changes of recognised people and vehicles",
        Route(.current, ResponseBody.expectDone) { RouteRequest(.delete, entities, $0) })

    /// Moves the events of an entity to another one, and deletes it.
    package static let merge = Operation<(kept: String, merged: String), EntityMerge>(
        "entities.merge", feature: "merging of recognised people and vehicles",
        Route(.current) { input in
            RouteRequest(.post, entities, "merge").sending {
                $0.member("primary_entity_id", input.kept)
                $0.member("secondary_entity_id", input.merged)
            }
        } decode: { answer throws(APIError) in
            let body = try ResponseBody.parse(answer)
            guard body["success"]?.bool == true, let id = body["merged_entity_id"]?.string,
                let merged = body["deleted_entity_id"]?.string
            else { throw .malformed("the answer does not report a merge", answer) }
            return EntityMerge(
                id: id, name: body["merged_entity_name"]?.string, mergedID: merged,
                mergedName: body["deleted_entity_name"]?.string,
                movedEvents: body["events_moved"]?.count)
        })

    /// Reads the picture of an entity.
    package static let thumbnail = Operation<String, [UInt8]>(
        "entities.thumbnail", feature: "pictures of recognised people and vehicles",
        Route(.current, \.body) { .image(entities, $0, "thumbnail") })
}

/// Lists and changes recognised people and vehicles, as the signed-in user.
package struct EntityService: Sendable {
    /// The most rows that the server sends at once.
    private static let pageSize = 100
    /// The most entities that a list may have.
    private static let maxEntities = 100_000

    private let session: Session

    package init(session: Session) { self.session = session }

    /// Lists every entity with the server's own object, each once.
    /// - Throws: `APIError`.
    package func list() async throws(APIError) -> ListedRows<Entity> {
        var views: [JSONView] = []
        var seen: Set<String> = []
        var offset = 0
        while offset < Self.maxEntities {
            let page = try await session.call(
                EntityRoutes.list, (limit: Self.pageSize, offset: offset))
            let count = page.rows.count + page.rows.unreadableRows
            // Entities move to the front of the list while it is read.
            views += page.rows.filter { seen.insert($0.value.id).inserted }.map(\.view)
            views += repeatElement(.null, count: page.rows.unreadableRows)
            offset += count
            guard count > 0, page.total.map({ offset < $0 }) ?? (count >= Self.pageSize) else {
                break
            }
        }
        return ListedRows(views, read: Entity.init)
    }

    /// Reads one entity, and the server's own object of it.
    /// - Throws: `APIError`.
    package func show(_ id: String) async throws(APIError) -> (entity: Entity, view: JSONView) {
        try Self.entity(try await session.call(EntityRoutes.show, id))
    }

    /// Changes an entity and returns it as the server stored it.
    /// - Throws: `APIError`.
    package func update(
        _ id: String, _ change: EntityChange
    ) async throws(APIError) -> (entity: Entity, view: JSONView) {
        try Self.entity(try await session.call(EntityRoutes.update, (id, change)))
    }

    /// Deletes an entity; false if it was gone already.
    /// - Throws: `APIError`.
    @discardableResult
    package func delete(_ id: String) async throws(APIError) -> Bool {
        do throws(APIError) {
            try await session.call(EntityRoutes.delete, id)
            return true
        } catch  where error.kind == .notFound {
            return false
        }
    }

    /// Moves the events of an entity to another one, and deletes it.
    /// - Throws: `APIError`.
    package func merge(
        _ id: String, into kept: String
    ) async throws(APIError) -> EntityMerge {
        try await session.call(EntityRoutes.merge, (kept, id))
    }

    /// Reads the picture of an entity.
    /// - Throws: `APIError.notFound` when it has none.
    package func thumbnail(_ id: String) async throws(APIError) -> [UInt8] {
        try await session.call(EntityRoutes.thumbnail, id)
    }

    private static func entity(
        _ view: JSONView
    ) throws(APIError) -> (entity: Entity, view: JSONView) {
        (try Entity(view).orMalformed("the answer is not an entity"), view)
    }
}
