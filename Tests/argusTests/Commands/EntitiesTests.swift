import ArgusCore
import ArgusTestSupport
import ArgusTransport
import Testing

@testable import argus

@Suite("argus entities")
struct EntitiesTests {
    private let test: TestSystem
    private static let entities = "/api/v1/context/entities"
    private static let id = "156ee2d2-3425-4f55-8779-ffecf5c62c41"

    init() async throws {
        test = try TestSystem()
        try await test.know()
    }

    private func stubList(_ body: String? = nil) throws {
        test.fake.stub(
            .get, Self.entities + "?limit=100", body: try body ?? Samples.text("entities-list"))
    }

    private func sent() -> String? {
        test.fake.requests.last { $0.method == .post || $0.method == .put }?.body.map {
            String(decoding: $0.bytes, as: UTF8.self)
        }
    }

    @Test("the list of a real server")
    func list() async throws {
        try stubList()
        #expect(
            await test.run(
                "entities", "--format", "ndjson", "--fields", "name,type,occurrences,vip") == .done)
        #expect(
            test.stdout
                == #"{"name":"Mail Carrier","type":"person","occurrences":1,"vip":false}"# + "\n")
    }

    @Test("a list of several pages has each entity once")
    func pages() async throws {
        func page(_ numbers: Range<Int>) -> String {
            let rows = numbers.map { #"{"id":"entity-\#($0)","name":"n\#($0)"}"# }
            return #"{"entities":[\#(rows.joined(separator: ","))],"total":150}"#
        }
        try stubList(page(0..<100))
        test.fake.stub(.get, Self.entities + "?limit=100&offset=100", body: page(99..<149))
        #expect(
            await test.run("entities", "--format", "tsv", "--no-header", "--fields", "id") == .done)
        #expect(test.stdout.split(separator: "\n").count == 149)
    }

    @Test("one is shown, renamed and marked by its name")
    func changes() async throws {
        try stubList()
        test.fake.stub(
            .get, "\(Self.entities)/\(Self.id)", body: try Samples.text("entity-detail"))
        #expect(
            await test.run("entities", "show", "mail carrier", "--json", "--fields", "notes")
                == .done)
        #expect(try test.printed()["notes"]?.string == "weekdays")
        for (words, body) in [
            (["rename", "Mail Carrier", "Bo"], #"{"name":"Bo"}"#),
            (["vip", "156ee2d2"], #"{"is_vip":true}"#),
            (["block", Self.id, "--off"], #"{"is_blocked":false}"#),
        ] {
            try stubList()
            test.fake.stub(
                .put, "\(Self.entities)/\(Self.id)", body: try Samples.text("entity-updated"))
            #expect(await test.run(["entities"] + words) == .done, "\(words)")
            #expect(sent() == body)
        }
        try stubList()
        #expect(await test.run("entities", "vip", "nobody") == .notFound)
    }

    @Test("a merge moves events; two names of one entity are none")
    func merge() async throws {
        let two = #"{"entities":[{"id":"aaaa1111","name":"Ann"},{"id":"bbbb2222"}],"total":2}"#
        try stubList(two)
        #expect(await test.run("entities", "merge", "aaaa1111", "ann", "--yes") == .usage)
        try stubList(two)
        test.fake.stub(
            .post, Self.entities + "/merge",
            body: #"{"success":true,"merged_entity_id":"aaaa1111","merged_entity_name":"Ann","#
                + #""events_moved":3,"deleted_entity_id":"bbbb2222","message":"ok"}"#)
        #expect(await test.run("entities", "merge", "bbbb2222", "ann", "--yes", "--json") == .done)
        #expect(
            sent() == #"{"primary_entity_id":"aaaa1111","secondary_entity_id":"bbbb2222"}"#)
        #expect(try test.printed()["moved_events"]?.int == 3)
    }

    @Test("deletion asks, and a picture is saved under the name")
    func deleteAndPicture() async throws {
        #expect(await test.run("entities", "delete", "Mail Carrier") == .usage)
        try stubList()
        test.fake.stub(.delete, "\(Self.entities)/\(Self.id)", status: 204)
        #expect(await test.run("entities", "delete", "Mail Carrier", "--yes") == .done)
        try stubList()
        test.fake.stub(.get, "\(Self.entities)/\(Self.id)/thumbnail", status: 404)
        #expect(await test.run("entities", "thumbnail", "Mail Carrier", "-o", "x.jpg") == .notFound)
    }
}
