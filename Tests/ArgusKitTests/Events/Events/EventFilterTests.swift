import ArgusCore
import ArgusEvents
import ArgusTestSupport
import ArgusTransport
import Testing

@Suite("EventFilter")
struct EventFilterTests {
    typealias Row = EventServer.Row

    private let rows = [
        Row(
            "a", at: 90,
            """
            ,"camera_id":"c1","smart_detection_type":"person","objects_detected":["person","animal"],\
            "confidence":80,"alert_triggered":true,"source_type":"protect",\
            "description":"A Person with a dog"
            """),
        Row(
            "b", at: 80,
            """
            ,"camera_id":"c2","smart_detection_type":null,"objects_detected":[],\
            "confidence":40,"alert_triggered":false,"source_type":"rtsp","description":"Leaves"
            """),
        Row(
            "c", at: 70,
            """
            ,"camera_id":"c3","smart_detection_type":"ring","is_doorbell_ring":true,\
            "objects_detected":["Vehicle"],"confidence":60,"alert_triggered":null,\
            "source_type":"USB","description":null
            """),
    ]

    private func ids(_ change: (inout EventFilter) -> Void) async throws -> [String] {
        var filter = EventFilter()
        change(&filter)
        return try await PagerRun(EventServer(rows), filter).ids
    }

    @Test("another word for a type leads to a known one")
    func meantTypes() {
        for word in ["People", "car", "parcel", "dog", "doorbell"] {
            let meant = EventFilter.type(meantBy: word)
            #expect(meant.map(EventFilter.knownTypes.contains) == true, "\(word)")
        }
        #expect(EventFilter.type(meantBy: "person") == nil)
    }

    @Test("types match by the smart type, by any object, by the ring and by their absence")
    func types() async throws {
        #expect(try await ids { $0.types = ["person"] } == ["a"])
        #expect(try await ids { $0.types = ["animal"] } == ["a"])
        #expect(try await ids { $0.types = ["vehicle"] } == ["c"])
        #expect(try await ids { $0.types = ["ring"] } == ["c"])
        #expect(try await ids { $0.types = ["motion"] } == ["b"])
        #expect(try await ids { $0.types = ["motion", "animal"] } == ["a", "b"])
        #expect(try await ids { $0.types = ["package"] } == [])
    }

    @Test("conditions that this server ignores are applied to its answer")
    func others() async throws {
        #expect(try await ids { $0.cameraIDs = ["c2"] } == ["b"])
        #expect(try await ids { $0.cameraIDs = ["c1", "c3"] } == ["a", "c"])
        #expect(try await ids { $0.minConfidence = 60 } == ["a", "c"])
        #expect(try await ids { $0.alertsOnly = true } == ["a"])
        #expect(try await ids { $0.source = "usb" } == ["c"])
    }

    @Test("both ends of a span of time belong to it")
    func times() async throws {
        let inside = try await ids {
            $0.since = Timestamp(seconds: 80)
            $0.until = Timestamp(seconds: 90)
        }
        #expect(inside == ["a", "b"])
        #expect(try await ids { $0.since = Timestamp(microseconds: 80_000_001) } == ["a"])
        #expect(try await ids { $0.until = Timestamp(microseconds: 79_999_999) } == ["c"])
    }

    @Test("a span of time is asked for with microseconds, in UTC")
    func query() async throws {
        var filter = EventFilter()
        filter.since = Timestamp(microseconds: 123_456)
        filter.until = Timestamp(seconds: 100)
        filter.cameraIDs = ["c1"]
        filter.minConfidence = 7
        filter.alertsOnly = true
        filter.source = "rtsp"
        let server = EventServer([])
        _ = try await PagerRun(server, filter)
        #expect(
            server.queries == [
                [
                    "start_time": "1970-01-01T00:00:00.123456Z",
                    "end_time": "1970-01-01T00:01:40.000000Z", "limit": "500", "per_page": "100",
                    "camera_id": "c1", "min_confidence": "7", "alert_triggered": "true",
                    "source_type": "rtsp",
                ]
            ])
    }

    @Test("a search goes to the server as one phrase, whatever is in it")
    func phrase() async throws {
        var filter = EventFilter()
        filter.search = "say \"hi\" NOT"
        let server = EventServer(rows)
        let cursor = try await PagerRun(server, filter)
        #expect(server.queries.first?["search_query"] == "\"say%20\"\"hi\"\"%20not\"%2A")
        #expect(cursor.ids == ["a", "b", "c"], "the server is trusted to have searched")
        #expect(cursor.notices == [])
    }

    @Test("a server whose search fails is walked, and descriptions are matched here")
    func failingSearch() async throws {
        var habits = EventServer.Behavior()
        habits.failsToSearch = true
        habits.largestPage = 1
        var filter = EventFilter()
        filter.search = "a person"
        let server = EventServer(rows, habits)
        let cursor = try await PagerRun(server, filter)
        #expect(cursor.ids == ["a"])
        #expect(
            cursor.notices.first
                == "the server cannot search for this; argus searches the descriptions itself")
        #expect(server.queries.count { $0["search_query"] != nil } == 1)
    }

    @Test("a condition on a member that no row has is unsupported, not an empty list")
    func untold() async throws {
        let server = EventServer([Row("a", at: 1)])
        var alerts = EventFilter()
        alerts.alertsOnly = true
        var source = EventFilter()
        source.source = "usb"
        for (filter, lack) in [
            (alerts, "alert flags in its list of events"),
            (source, "sources in its list of events"),
        ] {
            let error = await #expect(throws: APIError.self) { try await PagerRun(server, filter) }
            #expect(error?.kind == .unsupported(lack))
        }
    }

    @Test("a list without objects finds main detections and says so, but no motion and no ring")
    func untoldObjects() async throws {
        var habits = EventServer.Behavior()
        habits.largestPage = 1
        let server = EventServer(
            [
                Row("a", at: 90, #","smart_detection_type":"person""#),
                Row("b", at: 80, #","smart_detection_type":"motion""#), Row("c", at: 70),
            ], habits)
        var people = EventFilter()
        people.types = ["person"]
        let cursor = try await PagerRun(server, people)
        #expect(cursor.ids == ["a"])
        #expect(
            cursor.notices.filter { $0.contains("main detection") } == [
                """
                the server lists only the main detection of each event; events in which the type \
                was seen beside another are missing
                """
            ])
        for (types, lack) in [
            (["person", "motion"], "the type motion in its list of events"),
            (["ring", "person"], "the type ring in its list of events"),
        ] {
            var filter = EventFilter()
            filter.types = types
            let error = await #expect(throws: APIError.self) { try await PagerRun(server, filter) }
            #expect(error?.kind == .unsupported(lack))
        }
    }

    @Test("a list with objects and rings answers for every type without a word")
    func seenTypes() async throws {
        for type in ["person", "vehicle", "package", "animal", "motion", "ring"] {
            var filter = EventFilter()
            filter.types = [type]
            let notices = try await PagerRun(EventServer(rows), filter).notices
            #expect(notices == ["the server does not filter by type; argus does"])
        }
    }

    @Test(
        "conditions that the server ignores are reported once",
        arguments: [(false, "type"), (true, "type, confidence and source")])
    func leftHere(usesPages: Bool, conditions: String) async throws {
        var habits = EventServer.Behavior()
        habits.usesPages = usesPages
        if !usesPages { habits.largestPage = 1 }
        var filter = EventFilter()
        filter.types = ["person", "animal"]
        filter.minConfidence = 50
        filter.source = "protect"
        filter.cameraIDs = ["c1"]
        let cursor = try await PagerRun(EventServer(Array(rows.prefix(2)), habits), filter)
        #expect(cursor.ids == ["a"])
        #expect(cursor.notices == ["the server does not filter by \(conditions); argus does"])
        // Each of a few cameras is asked for by itself, so that the server filters by them.
        filter.cameraIDs = ["c1", "c2"]
        let both = try await PagerRun(EventServer(rows, habits), filter)
        #expect(both.notices == cursor.notices)
        var camera = EventFilter()
        camera.cameraIDs = ["c1"]
        #expect(try await PagerRun(EventServer(rows, habits), camera).notices == [])
    }

    @Test("a local condition asks for large pages, and the list still ends at its limit")
    func localLimit() async throws {
        var filter = EventFilter()
        filter.types = ["person"]
        let rows = (1...1500).map { number in
            let type = number % 100 == 0 ? "person" : "animal"
            return Row(
                "e\(number)", at: 10_000 - Int64(number), #","smart_detection_type":"\#(type)""#)
        }
        let server = EventServer(rows)
        let cursor = try await PagerRun(server, filter, wanted: 7)
        #expect(cursor.ids == (1...7).map { "e\($0 * 100)" })
        #expect(server.queries.map { $0["limit"] } == ["500", "500"])
    }
}
