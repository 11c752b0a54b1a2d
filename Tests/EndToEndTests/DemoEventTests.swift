import Testing

@testable import argus_demo

/// The events of today's server.
@Suite(.waitsForPrograms)
struct DemoEventTests {
    private let fixture: DemoFixture
    private let token: String

    init() throws {
        fixture = try DemoFixture()
        token = fixture.token()
    }

    private func list(_ query: String) -> DemoFixture.Reply {
        fixture.ask(.GET, "/api/v1/events?\(query)", token: token)
    }

    private func events(_ query: String) -> [JSON] { list(query).json["events"]?.elements ?? [] }

    private func total(_ query: String) -> Int? { list(query).json["total_count"]?.int }

    private func texts(_ query: String, _ name: String) -> [String] {
        events(query).compactMap { $0[name]?.string }
    }

    @Test("a cursor of times meets every event, ties included")
    func cursorMeetsEveryEvent() {
        var seen: Set<String> = []
        var cursor = ""
        for _ in 0..<100 where seen.count < 240 {
            let page = events("limit=7" + cursor)
            seen.formUnion(page.compactMap { $0["id"]?.string })
            cursor = "&end_time=\(page.last?["timestamp"]?.string ?? "")"
        }
        #expect(seen.count == 240)
    }

    @Test("offsets and sort orders cut the same list")
    func offsetsCutTheList() {
        let all = texts("limit=500", "id")
        #expect(all.count == 240)
        #expect(texts("limit=10&offset=230", "id") == Array(all.suffix(10)))
        #expect(texts("limit=500&sort_order=asc", "id") == all.reversed())
        let middle = list("limit=10&offset=20").json
        #expect(middle["has_more"] == true)
        #expect(middle["next_offset"] == 30)
        let last = list("limit=10&offset=230").json
        #expect(last["has_more"] == false)
        #expect(last["next_offset"] == .null)
        #expect(events("offset=9999") == [])
        #expect(list("sort_order=DESC").status == 422)
        #expect(list("limit=0").status == 422)
    }

    @Test("history holds whole seconds and fractions, ties and unknown words")
    func historyIsVaried() {
        let times = texts("limit=500", "timestamp")
        #expect(times.contains { $0.count == 20 })
        #expect(times.contains { $0.count == 27 })
        #expect(Set(times).count < times.count)
        let kinds = texts("limit=500", "smart_detection_type")
        #expect(kinds.contains("licensePlate"))
        #expect(kinds.contains("ring"))
        #expect(kinds.count < 240)
        #expect(times == times.sorted().reversed() || Set(times).count > 1)
    }

    @Test("an unknown filter value is dropped, and an empty filter returns everything")
    func dropsUnknownValues() {
        #expect(total("smart_detection_type=licensePlate") == 240)
        #expect(
            total("smart_detection_type=licensePlate,person")
                == total("smart_detection_type=PERSON"))
        #expect(
            Set(texts("limit=500&smart_detection_type=ring,animal", "smart_detection_type"))
                == ["ring", "animal"])
        #expect(total("source_type=nonsense") == 240)
        #expect(Set(texts("limit=500&source_type=usb", "source_type")) == ["usb"])
        #expect(total("object_types=nonsense") == 0)
        #expect(total("object_types=%25") == 240)
        #expect(total("anomaly_severity=high&per_page=3") == 240)
    }

    @Test("a camera is one exact id in lower case")
    func cameraIsExact() {
        let id = fixture.camera("Driveway")
        #expect((total("camera_id=\(id)") ?? 0) > 10)
        #expect(total("camera_id=\(id.uppercased())") == 0)
        #expect(Set(texts("limit=500&camera_id=\(id)", "camera_name")) == ["Driveway"])
    }

    @Test("times are inclusive, lose their offset and must be readable")
    func timesAreInclusive() throws {
        let times = texts("limit=500&sort_order=asc", "timestamp")
        let time = try #require(times.first { $0.count == 27 })
        #expect(texts("start_time=\(time)&end_time=\(time)", "timestamp") == [time])
        let offset = time.dropLast() + "%2B02:00"
        #expect(texts("start_time=\(offset)&end_time=\(time)", "timestamp") == [time])
        #expect(total("end_time=\(time.prefix(23))Z") == times.firstIndex(of: time))
        #expect(list("start_time=yesterday").status == 422)
        // A raw plus is a blank.
        #expect(list("start_time=2026-11-20T10:00:00+02:00").status == 422)
    }

    @Test("numbers and flags are checked")
    func checksNumbers() throws {
        let confident = try #require(total("min_confidence=90"))
        #expect(confident > 0 && confident < 240)
        let alerts = try #require(total("alert_triggered=true"))
        #expect(alerts + (total("alert_triggered=false") ?? 0) == 240)
        #expect(list("min_confidence=101").status == 422)
        #expect(list("alert_triggered=perhaps").status == 422)
        #expect(list("limit=ten").json["detail"]?.elements?.first?["type"] == "int_parsing")
    }

    @Test(
        "a search that is no query of the database's fails",
        arguments: ["front-door", "it's", "%22open", "*", "NOT", "person:", "%25", "a.b", "()"])
    func searchFails(_ query: String) {
        #expect(list("search_query=\(query)").status == 500)
    }

    @Test("a search knows words, phrases and prefixes")
    func searches() throws {
        let fox = try #require(total("search_query=FOX"))
        let cat = try #require(total("search_query=tabby+cat"))
        #expect(fox > 0 && cat > 0)
        #expect(total("search_query=fox+cat") == 0)
        #expect(total("search_query=%22red+fox%22") == fox)
        #expect(total("search_query=%22fox+red%22") == 0)
        #expect(total("search_query=hedge*") == total("search_query=hedgehog"))
        #expect(total("search_query=%22a+%22%22red%22%22+fo%22*") == fox)
        #expect(list("search_query=").status == 422)
    }

    @Test("a created event is listed and announced")
    func createsEvents() throws {
        let description = String(repeating: "é\u{1B}[31m", count: 60)
        let made = fixture.ask(
            .POST, "/api/v1/events",
            [
                "camera_id": "nope", "timestamp": "2001-02-03T04:05:06.5+02:00", "confidence": 7,
                "description": .text(description), "objects_detected": ["package", "person"],
                "smart_detection_type": "package",
            ], token: token)
        #expect(made.status == 201)
        #expect(made.json["camera_name"] == .null)
        #expect(made.json["smart_detection_type"] == .null)
        #expect(made.json["description"]?.string == description)
        let oldest = try #require(events("sort_order=asc&limit=1").first)
        #expect(oldest["id"] == made.json["id"])
        #expect(oldest["camera_name"] == "Camera nope")
        #expect(oldest["timestamp"] == "2001-02-03T04:05:06.500000Z")
    }

    @Test("a deleted event is gone, one or several")
    func deletesEvents() {
        let ids = texts("limit=3", "id")
        let path = "/api/v1/events/\(ids[0])"
        #expect(fixture.ask(.DELETE, path, token: token).status == 204)
        #expect(fixture.ask(.GET, path, token: token).status == 404)
        let query = "event_ids=\(ids[1])&event_ids=\(ids[2])&event_ids=\(ids[0])"
        let several = fixture.ask(.DELETE, "/api/v1/events/bulk?\(query)", token: token)
        #expect(several.json["deleted_count"] == 2)
        #expect(several.json["not_found_count"] == 1)
        #expect(fixture.ask(.DELETE, "/api/v1/events/bulk?\(query)", token: token).status == 404)
        #expect(total("") == 237)
    }

    @Test("exports are lines of JSON, or CSV as Python writes it")
    func exports() throws {
        _ = fixture.ask(
            .POST, "/api/v1/events",
            [
                "camera_id": "c", "timestamp": "2001-02-03", "confidence": 7,
                "description": "=1+1, \"two\"\nlines \u{2603}", "objects_detected": ["unknown"],
            ], token: token)
        let target = "/api/v1/events/export?end_date=2001-02-03&format="
        let csv = String(
            decoding: fixture.ask(.GET, target + "csv", token: token).bytes, as: UTF8.self)
        #expect(csv.hasPrefix("id,camera_id,timestamp,description,"))
        #expect(csv.contains(",\"=1+1, \"\"two\"\"\nlines \u{2603}\",7,unknown,,False,"))
        let json = String(
            decoding: fixture.ask(.GET, target + "json", token: token).bytes, as: UTF8.self)
        #expect(json.contains("\"=1+1, \\\"two\\\"\\nlines \\u2603\", \"confidence\": 7, "))
        #expect(json.hasSuffix("}\n"))
        let all = fixture.ask(.GET, "/api/v1/events/export?format=json", token: token)
        #expect(all.bytes.count { $0 == UInt8(ascii: "\n") } == 241)
        #expect(fixture.ask(.GET, "/api/v1/events/export", token: token).status == 422)
    }

    @Test("the same seed makes the same cameras and events, another seed others")
    func seedDecides() throws {
        let again = try DemoFixture()
        let first = texts("limit=500", "id")
        let second = again.ask(.GET, "/api/v1/events?limit=500", token: again.token())
        #expect(second.json["events"]?.elements?.compactMap { $0["id"]?.string } == first)
        var options = try Options(["--seed", "2"])
        options.settings.events = 1
        let other = try Service(options, now: fixture.now)
        let id = other.withState { $0.events.rows.first?.id.text }
        #expect(id != nil && !first.contains(id ?? ""))
    }

    @Test("any page is JSON, and every row has its 64 keys")
    func rowsAreComplete() {
        for event in events("limit=500") {
            guard case .object(let members) = event else {
                Issue.record("a row is no object")
                continue
            }
            #expect(members.count == 64)
        }
    }
}
