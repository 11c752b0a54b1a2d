import Testing

@testable import argus_demo

/// The people and vehicles that today's server recognises.
@Suite(.waitsForPrograms)
struct DemoEntityTests {
    private let fixture: DemoFixture
    private let token: String

    init() throws {
        fixture = try DemoFixture()
        token = fixture.token()
    }

    private func ask(_ method: Method, _ path: String, _ body: JSON? = nil) -> DemoFixture.Reply {
        fixture.ask(method, "/api/v1/context/\(path)", body, token: token)
    }

    private func list(_ query: String = "") -> [JSON] {
        ask(.GET, "entities?\(query)").json["entities"]?.elements ?? []
    }

    private func id(_ name: String) throws -> String {
        try #require(list().first { $0["name"]?.string == name }?["id"]?.string)
    }

    private func events(_ query: String = "limit=500") -> [JSON] {
        fixture.ask(.GET, "/api/v1/events?\(query)", token: token).json["events"]?.elements ?? []
    }

    @Test("events are linked: id and name in lists, the entity in the answer for one")
    func links() throws {
        let linked = events().filter { $0["entity_id"] != .null }
        #expect((20...100).contains(linked.count))
        #expect(linked.contains { $0["entity_name"] == "Person entity" })
        #expect(linked.allSatisfy { $0["matched_entity"] == .null })
        let row = try #require(linked.first { $0["entity_name"] == "Anna" })
        let path = "/api/v1/events/\(row["id"]?.string ?? "")"
        let one = fixture.ask(.GET, path, token: token).json
        #expect(one["entity_id"] == .null && one["entity_name"] == .null)
        guard case .object(let members) = one["matched_entity"] else {
            Issue.record("no matched_entity")
            return
        }
        #expect(
            members.map(\.name) == [
                "id", "entity_type", "name", "first_seen_at", "occurrence_count",
                "similarity_score",
            ])
        #expect(one["matched_entity"]?["id"] == row["entity_id"])
        let count = linked.count { $0["entity_name"] == "Anna" }
        #expect(one["matched_entity"]?["occurrence_count"] == .integer(count))
    }

    @Test("a list can be cut, filtered and searched")
    func lists() throws {
        #expect(list().count == 5)
        let times = list().compactMap { $0["last_seen_at"]?.string }
        #expect(times == times.sorted(by: >) && times.allSatisfy { !$0.hasSuffix("Z") })
        #expect(list("named_only=true").count == 3)
        #expect(list("entity_type=vehicle").count == 2)
        #expect(list("search=VAN").count == 1)
        #expect(list("limit=2&offset=4").count == 1)
        #expect(ask(.GET, "entities?limit=101").status == 422)
        #expect(ask(.GET, "entities/vip").json["total"] == 1)
        #expect(ask(.GET, "entities/blocked").json["entities"]?.elements?.count == 1)
        let none = try DemoFixture { $0.entities = 0 }
        let reply = none.ask(.GET, "/api/v1/context/entities", token: none.token())
        #expect(reply.json["total"] == 0)
    }

    @Test("an event is assigned, moved and released")
    func assigns() throws {
        let event = try #require(
            events().first { $0["entity_id"] == .null }?["id"]?.string)
        let (anna, carrier) = (try id("Anna"), try id("Mail Carrier"))
        func count(_ id: String) -> Int? {
            ask(.GET, "entities/\(id)").json["occurrence_count"]?.int
        }
        func assign(_ id: String) -> String? {
            let reply = ask(.POST, "events/\(event)/entity", ["entity_id": .text(id)])
            return reply.json["action"]?.string
        }
        let (hers, others) = (count(anna) ?? 0, count(carrier) ?? 0)
        #expect(assign(anna) == "assign" && assign(anna) == "none")
        #expect(count(anna) == hers + 1)
        #expect(assign(carrier) == "move")
        #expect(count(anna) == hers && count(carrier) == others + 1)
        let link = "entities/\(carrier)/events/\(event)"
        #expect(ask(.DELETE, link).json["message"] == "Event removed from entity")
        #expect(ask(.DELETE, link).detail == "Event not linked to this entity")
        #expect(ask(.POST, "events/x/entity", ["entity_id": "y"]).detail == "Event not found: x")
        let absent = ask(.POST, "events/\(event)/entity", ["entity_id": "y"])
        #expect(absent.detail == "Entity not found: y")
    }

    @Test("a merge moves all events, a deletion releases them")
    func mergesAndDeletes() throws {
        let (anna, carrier) = (try id("Anna"), try id("Mail Carrier"))
        func total(_ id: String) -> Int? {
            ask(.GET, "entities/\(id)/events?limit=1").json["total"]?.int
        }
        func merge(_ first: String, _ second: String) -> DemoFixture.Reply {
            ask(
                .POST, "entities/merge",
                ["primary_entity_id": .text(first), "secondary_entity_id": .text(second)])
        }
        let (hers, others) = (try #require(total(anna)), try #require(total(carrier)))
        #expect(merge(anna, anna).status == 400)
        let merged = merge(anna, carrier).json
        #expect(merged["events_moved"] == .integer(others))
        #expect(merged["deleted_entity_name"] == "Mail Carrier")
        #expect(merged["message"]?.string == "Merged \(others) event(s) into Anna")
        #expect(total(anna) == hers + others)
        #expect(merge(anna, carrier).detail == "Secondary entity not found: \(carrier)")
        #expect(ask(.DELETE, "entities/\(anna)").status == 204)
        #expect(!events().contains { $0["entity_name"] == "Anna" })
        #expect(ask(.GET, "entities/\(anna)").detail == "Entity not found")
    }

    @Test("an entity is made, changed and shown")
    func changes() throws {
        let made = ask(.POST, "entities", ["entity_type": "person", "name": "New"])
        #expect(made.status == 201)
        let path = "entities/\(try #require(made.json["id"]?.string))"
        let changed = ask(.PUT, path, ["name": nil, "notes": "n", "is_blocked": true]).json
        #expect(changed["name"] == "New" && changed["notes"] == "n")
        #expect(changed["is_blocked"] == true)
        #expect(ask(.PUT, path, ["entity_type": "dog"]).status == 422)
        #expect(ask(.GET, "\(path)/thumbnail").status == 404)
        let picture = ask(.GET, "entities/\(try id("Anna"))/thumbnail")
        #expect(picture.bytes.starts(with: [0xFF, 0xD8]))
        #expect(ask(.POST, "entities", ["entity_type": "vehicle", "name": "v"]).status == 400)
        let vehicle = ask(
            .POST, "entities",
            ["entity_type": "vehicle", "vehicle_make": "a", "vehicle_model": "b"])
        #expect(vehicle.status == 201)
    }
}
