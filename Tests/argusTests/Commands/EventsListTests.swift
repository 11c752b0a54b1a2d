import ArgusCore
import ArgusTestSupport
import ArgusTransport
import Testing

@testable import argus

@Suite("argus events list")
struct EventsListTests {
    private let test: TestSystem
    private static let list = "/api/v1/events?limit=20&per_page=20"

    init() async throws {
        test = try TestSystem()
        try await test.know()
    }

    private static let two = """
        {"events":[
        {"id":"e2","camera_id":"c1","camera_name":"Front \\u001b[2JDoor","timestamp":"2026-11-20T22:00:00Z",
         "smart_detection_type":"person","objects_detected":["person","package"],"confidence":87,
         "description":"=A \\"person\\"","is_doorbell_ring":false,"alert_triggered":true,
         "delivery_carrier":"ups","source_type":"protect","has_thumbnail":true,"extra":[1, 2.50]},
        {"id":"e1","timestamp":"2026-11-20T21:00:00.5Z"}],"has_more":false}
        """

    @Test("a list that ends at its usual length names the option that lists the rest")
    func hint() {
        var options = EventsList.Options()
        #expect(options.count(of: 20, total: nil).hint != nil)
        #expect(options.count(of: 19, total: nil).hint == nil)
        options.isUnlimited = true
        #expect(options.count(of: 20, total: nil).hint == nil)
    }

    @Test("a program gets canonical objects, null where the server says nothing")
    func json() async throws {
        test.fake.stub(.get, Self.list, body: Self.two)
        #expect(await test.run("events", "--format", "ndjson") == .done)
        #expect(
            test.stdout == """
                {"id":"e2","camera_id":"c1","camera_name":"Front \\u001b[2JDoor",\
                "timestamp":"2026-11-20T22:00:00.000000Z","type":"person",\
                "objects":["person","package"],"confidence":87,"description":"=A \\"person\\"",\
                "is_doorbell_ring":false,"alert_triggered":true,"carrier":"ups",\
                "source":"protect","has_thumbnail":true,"entity_id":null,"entity_name":null}
                {"id":"e1","camera_id":null,"camera_name":null,\
                "timestamp":"2026-11-20T21:00:00.500000Z","type":"motion","objects":null,\
                "confidence":null,"description":null,"is_doorbell_ring":null,\
                "alert_triggered":null,"carrier":null,"source":null,"has_thumbnail":null,\
                "entity_id":null,"entity_name":null}

                """)
        #expect(test.stderr == "")
    }

    @Test("--fields chooses and orders, --reverse prints the same events oldest first")
    func fieldsAndOrder() async throws {
        test.fake.stub(.get, Self.list, body: Self.two)
        #expect(
            await test.run("events", "--format", "ndjson", "--fields", "type,id", "--reverse")
                == .done)
        #expect(
            test.stdout
                == "{\"type\":\"motion\",\"id\":\"e1\"}\n{\"type\":\"person\",\"id\":\"e2\"}\n")
    }

    @Test("--raw prints the server's own objects")
    func raw() async throws {
        test.fake.stub(.get, Self.list, body: #"{"events":[{"z":1.50,"id":"e1","a":"\/"}]}"#)
        #expect(await test.run("events", "--raw", "--format", "ndjson") == .done)
        #expect(test.stdout == #"{"z":1.50,"id":"e1","a":"\/"}"# + "\n")
    }

    @Test("a table shows controls, local times, and no more than its columns")
    func table() async throws {
        test.environment["TZ"] = "CET-1"
        test.fake.stub(.get, Self.list, body: Self.two)
        #expect(await test.run("events") == .done)
        let lines = test.stdout.split(separator: "\n")
        #expect(
            lines.first?.split(separator: " ") == [
                "ID", "CAMERA", "NAME", "TIMESTAMP", "TYPE", "DESCRIPTION",
            ])
        #expect(lines.count == 3)
        #expect(test.stdout.contains(#"Front \x1b[2JDoor"#))
        #expect(test.stdout.contains("2026-11-20 23:00:00"))
        #expect(!test.stdout.contains("\u{1B}"))
    }

    @Test("csv disarms formulas")
    func csv() async throws {
        test.fake.stub(.get, Self.list, body: Self.two)
        #expect(
            await test.run("events", "--format=csv", "--fields=id,description,objects") == .done)
        #expect(
            test.stdout
                == "id,description,objects\ne2,\"'=A \"\"person\"\"\",person;package\ne1,,\n")
    }

    @Test(
        "--local-times prints times as spreadsheets import them, and json has none",
        arguments: ["csv", "tsv"])
    func local(format: String) async throws {
        test.environment["TZ"] = "CET-1"
        test.fake.stub(.get, Self.list, body: Self.two)
        let words = ["events", "--local-times", "--fields", "timestamp", "--no-header", "--format"]
        #expect(await test.run(words + [format]) == .done, "\(test.stderr)")
        #expect(test.stdout == "2026-11-20 23:00:00\n2026-11-20 22:00:00\n")
        #expect(await test.run(words + ["ndjson"]) == .usage)
        #expect(await test.run(words + [format, "--utc"]) == .usage)
        let export = [
            "events", "export", "--resume", "-o", test.folder.file("x.csv"), "--local-times",
        ]
        #expect(await test.run(export) == .usage)
    }

    @Test("--raw repairs what is no UTF-8, and says so once")
    func rawRepaired() async throws {
        var body = Array(#"{"events":[{"id":"e2","é":"😀"#.utf8) + [0xFF, 0xC3]
        body += Array(#""},{"id":"e1","x":""#.utf8) + [0xE2, 0x82] + Array(#""}]}"#.utf8)
        let answer = HTTPResponse(status: 200, body: body)
        test.fake.stub(.get, Self.list) { _ in .success(answer) }
        #expect(await test.run("events", "--raw", "--format", "ndjson") == .done)
        #expect(
            test.stdout
                == "{\"id\":\"e2\",\"é\":\"😀\u{FFFD}\u{FFFD}\"}\n"
                + "{\"id\":\"e1\",\"x\":\"\u{FFFD}\"}\n")
        #expect(
            test.stderr
                == "argus: warning: the server sent invalid UTF-8; U+FFFD stands in its place\n")
    }

    @Test("a list without events is success: [] for a program, a sentence for a person")
    func empty() async throws {
        test.fake.stub(.get, Self.list, body: try Samples.text("events-empty"))
        #expect(await test.run("events", "--json") == .done)
        #expect(test.stdout == "[]\n")
        test.terminal.isOutputTerminal = true
        test.fake.stub(.get, Self.list, body: try Samples.text("events-empty"))
        #expect(await test.run("events") == .done)
        #expect(test.stdout == "[]\n")
        #expect(test.stderr == "no events match\n")
    }

    @Test("recorded pages of a real server are printed whole")
    func recorded() async throws {
        let answer = try Samples.text("events-page")
        test.fake.stub(.get, "/api/v1/events?limit=4&per_page=4", body: answer)
        #expect(await test.run("events", "-n4", "--json") == .done)
        let ids = try Samples.json("events-page")["events"]?.elements.map { $0["id"]?.string }
        #expect(try test.printed().elements.map { $0["id"]?.string } == ids)
    }

    @Test("conditions reach the server as it understands them")
    func conditions() async throws {
        test.fake.stub(.get, "/api/v1/cameras", body: try Samples.text("cameras-list"))
        test.fake.stub(
            .get,
            "/api/v1/events?start_time=2026-11-20T00%3A00%3A00.000000Z"
                + "&end_time=2026-11-20T23%3A59%3A59.999999Z&limit=20"
                + "&camera_id=7323d311-eb43-4837-9f08-07f69d4ce47d&min_confidence=50"
                + "&alert_triggered=true&source_type=rtsp&search_query=%22a%20dog%22%2A&per_page=20",
            body: try Samples.text("events-empty"))
        // A search that finds nothing is believed only when the newest event can be found.
        test.fake.stub(
            .get, "/api/v1/events?limit=1&per_page=1", body: try Samples.text("events-empty"))
        #expect(
            await test.run(
                "events", "list", "--camera", "front door", "--since", "yesterday", "--until",
                "yesterday", "--min-confidence", "50", "--alerts", "--source", "rtsp", "--search",
                "a dog") == .done)
    }

    @Test("an invalid time is answered with the valid one, and where all forms are")
    func invalidTime() async {
        for (text, hint) in [
            ("2days", "did you mean '2d'?"), ("20.11.2026", "did you mean '2026-11-20'?"),
            ("2 hours ago", "did you mean '2h'?"), ("mondays", "did you mean 'monday'?"),
            ("tomorow", "such as 2h, 'yesterday 22:00' or 2026-11-20;"),
        ] {
            let fresh = try? TestSystem()
            #expect(await fresh?.run("events", "list", "--since", text) == .usage)
            #expect(
                fresh?.stderr == "argus: --since: invalid time '\(text)'\n"
                    + "hint: \(hint) 'argus help times' lists all forms\n")
        }
    }

    @Test("a span that ends before it begins is a usage error before anything is sent")
    func emptySpan() async {
        #expect(await test.run("events", "list", "--since", "1d", "--until", "2d") == .usage)
        #expect(test.stderr.contains("--since is later than --until"))
        #expect(test.stderr.hasSuffix("\nhint: swap them: --since 2d --until 1d\n"))
        #expect(test.fake.requests.isEmpty)
    }

    @Test("a camera that is not known, and one name of two")
    func cameraNames() async throws {
        let cameras = #"[{"id":"abcd1","name":"Door"},{"id":"abcd2","name":"door"}]"#
        for (name, status) in [("nowhere", ExitKind.notFound), ("door", .usage), ("abcd", .usage)] {
            test.fake.stub(.get, "/api/v1/cameras", body: cameras)
            if status == .notFound {
                // It may be the id of a camera that is gone.
                test.fake.stub(
                    .get, "/api/v1/events?limit=1&camera_id=\(name)&per_page=1",
                    body: #"{"events":[],"has_more":false}"#)
            }
            #expect(await test.run("events", "--camera", name) == status)
        }
        #expect(test.stderr.contains("'door' names several cameras: abcd1 (Door), abcd2 (door)"))
    }

    @Test("malformed rows are a gap, reported after all the others are printed")
    func gap() async throws {
        test.fake.stub(.get, Self.list, body: #"{"events":[{"id":7},{"id":"e1"}]}"#)
        #expect(await test.run("events", "--format", "ndjson", "--fields", "id") == .gap)
        #expect(test.stdout == "{\"id\":\"e1\"}\n")
        #expect(try test.errorObject()["kind"]?.string == "gap")
    }

    private static let ofType = "/api/v1/events?limit=500&per_page=100"
    private static let withoutObjects = """
        {"events":[
        {"id":"e2","timestamp":"2026-11-20T22:00:00Z","smart_detection_type":"person"},
        {"id":"e1","timestamp":"2026-11-20T21:00:00Z"}],"has_more":false}
        """

    @Test("a list without objects finds main detections, with a warning that -q leaves out")
    func mainDetections() async throws {
        test.fake.stub(.get, Self.ofType, body: Self.withoutObjects)
        let words = ["events", "--type", "person", "--format", "ndjson", "--fields", "id"]
        #expect(await test.run(words + ["-q"]) == .done)
        #expect(test.stderr == "")
        test.fake.stub(.get, Self.ofType, body: Self.withoutObjects)
        #expect(await test.run(words) == .done)
        #expect(test.stdout == "{\"id\":\"e2\"}\n{\"id\":\"e2\"}\n")
        #expect(
            test.stderr == """
                argus: warning: the server lists only the main detection of each event; events in \
                which the type was seen beside another are missing

                """)
    }

    @Test(
        "a type that the list cannot decide is status 14, not an empty list",
        arguments: ["ring", "motion"])
    func untoldType(type: String) async throws {
        test.fake.stub(.get, Self.ofType, body: Self.withoutObjects)
        #expect(await test.run("events", "--type", type) == .unsupported)
        #expect(test.stdout == "")
        #expect(
            test.stderr.contains("'home' does not offer the type \(type) in its list of events"))
    }

    @Test("-v names the conditions that are applied here")
    func leftHere() async throws {
        test.fake.stub(.get, Self.ofType, body: Self.two)
        #expect(await test.run("events", "-v", "--type", "person", "--fields", "id") == .done)
        #expect(
            test.stderr.contains(
                "argus: the server does not filter by type; argus does\n"))
    }

    @Test("a failure midway leaves the array open")
    func midway() async throws {
        let page = #"{"events":[{"id":"e1","timestamp":"2026-11-20T22:00:00Z"}],"has_more":true}"#
        test.fake.stub(.get, "/api/v1/events?limit=500&per_page=100", body: page)
        test.fake.stub(
            .get,
            "/api/v1/events?end_time=2026-11-20T22%3A00%3A00.000001Z&limit=500&per_page=100",
            status: 500, body: #"{"detail":"Failed to list events"}"#)
        test.fake.stub(
            .get,
            "/api/v1/events?start_time=2100-01-01T00%3A00%3A00.000000Z"
                + "&end_time=2100-01-01T00%3A00%3A00.000000Z&limit=1&per_page=1",
            status: 500, body: #"{"detail":"Failed to list events"}"#)
        #expect(await test.run("events", "--all", "--json", "--fields", "id") == .serverError)
        #expect(test.stdout.contains("e1"))
        #expect(!test.stdout.contains("]"))
        #expect(try test.errorObject()["http_status"]?.int == 500)
    }

    @Test("what a list showed is offered to TAB")
    func completion() async throws {
        test.fake.stub(.get, Self.list, body: Self.two)
        #expect(await test.run("events", "-q", "--fields", "id", "--no-header") == .done)
        #expect(await test.run("__complete", "events", "show", "E") == .done)
        let offered = test.stdout.split(separator: "\n").suffix(2).map { $0.split(separator: "\t") }
        #expect(offered.map(\.first) == ["e2", "e1"])
        #expect(offered.allSatisfy { $0.count == 2 && $0[1].contains("  ") }, "\(test.stdout)")
        #expect(await test.run("__complete", "events", "show", "lat") == .done)
        #expect(test.stdout.hasSuffix("values\nlatest\tthe last event\n"))
    }
}
