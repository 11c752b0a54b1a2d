import ArgusCore
import ArgusEvents
import ArgusTestSupport
import Testing

@Suite("Event")
struct EventTests {
    private func event(_ json: String) throws -> Event? {
        Event(try JSONView.parse(Array(json.utf8)))
    }

    @Test("an event of today's server is read whole")
    func current() throws {
        let detail = try #require(EventDetail(Samples.json("event-detail")))
        let event = detail.event
        #expect(event.id == "8f85eda1-3922-436c-9153-a4cd5b4836f2")
        #expect(event.cameraID == "7323d311-eb43-4837-9f08-07f69d4ce47d")
        #expect(event.cameraName == "Front Door")
        #expect(event.timestamp?.utcText == "2026-11-20T22:00:00.000000Z")
        #expect(event.type == "ring")
        #expect(event.objects == ["person"])
        #expect(event.confidence == 45)
        #expect(event.description == "Two people passed the Front Door talking.")
        #expect(event.isDoorbellRing == true)
        #expect(event.alertTriggered == true)
        #expect(event.carrier == nil)
        #expect(event.source == "protect")
        #expect(event.hasThumbnail == true)
        #expect(detail.analysisMode == "single_frame")
        #expect(detail.provider == "openai")
        #expect(detail.createdAt?.utcText == "2026-11-20T23:31:27.006718Z")
        #expect(
            detail.thumbnail.path
                == "2026-11-20/event_8f85eda1-3922-436c-9153-a4cd5b4836f2.jpg")
    }

    @Test(
        "every event of every recorded answer is read",
        arguments: [
            "events-page", "events-page-last", "event-created", "event-detail-correlated",
            "event-detail-unknown-type", "event-detail-with-feedback",
        ])
    func samples(name: String) throws {
        let answer = try Samples.json(name)
        let views = answer["events"].map { Array($0.elements) } ?? [answer]
        try #require(!views.isEmpty)
        for view in views {
            let event = try #require(Event(view))
            #expect(event.id == view["id"]?.string)
            #expect(event.timestamp != nil)
            #expect(event.confidence != nil)
            #expect(event.alertTriggered != nil)
        }
    }

    @Test("feedback and the events of other cameras belong to the details")
    func details() throws {
        let rated = try #require(EventDetail(Samples.json("event-detail-with-feedback")))
        #expect(rated.feedback?.rating != nil)
        #expect(rated.feedback?.createdAt != nil)
        let correlated = try #require(EventDetail(Samples.json("event-detail-correlated")))
        #expect(correlated.correlatedEventIDs?.isEmpty == false)
        #expect(try #require(EventDetail(Samples.json("event-detail"))).correlatedEventIDs == nil)
    }

    @Test("unknown words pass through")
    func unknownWords() throws {
        let event = try event(
            """
            {"id":"evt-1","smart_detection_type":"licensePlate","objects_detected":["drone"],
             "source_type":"carrier pigeon","delivery_carrier":"owl","camera_id":"nope"}
            """)
        #expect(event?.type == "licensePlate")
        #expect(event?.objects == ["drone"])
        #expect(event?.source == "carrier pigeon")
        #expect(event?.carrier == "owl")
        #expect(event?.cameraID == "nope")
    }

    @Test("the type is the smart one, else the first object, else motion")
    func type() throws {
        #expect(
            try event(#"{"id":"e","objects_detected":["package","person"]}"#)?.type == "package")
        #expect(try event(#"{"id":"e","objects_detected":[]}"#)?.type == "motion")
        #expect(try event(#"{"id":"e"}"#)?.type == "motion")
    }

    @Test("the mobile API's aliases mean the same")
    func aliases() throws {
        #expect(try event(#"{"event_id":"e1","has_thumbnail":true}"#)?.hasThumbnail == true)
        #expect(try event(#"{"id":"e","thumbnail_url":"/t"}"#)?.hasThumbnail == true)
        #expect(try event(#"{"id":"e","thumbnail_path":null}"#)?.hasThumbnail == false)
        #expect(try event(#"{"id":"e"}"#)?.hasThumbnail == nil)
        let reported = try event(#"{"id":"e","thumbnail_path":"x","has_thumbnail":false}"#)
        #expect(reported?.hasThumbnail == false)
    }

    @Test("members of a wrong type say nothing, and cost none of the others")
    func wrongTypes() throws {
        let event = try event(
            """
            {"id":"e","timestamp":true,"objects_detected":"person","confidence":"high",
             "description":["a"],"is_doorbell_ring":"no","alert_triggered":1,"camera_name":{},
             "smart_detection_type":false,"source_type":null,"camera_id":"c"}
            """)
        var expected = try self.event(#"{"id":"e","camera_id":"c"}"#)
        expected?.objects = nil
        #expect(event == expected)
        #expect(try self.event(#"{"id":"e","confidence":87.0}"#)?.confidence == 87)
        #expect(try self.event(#"{"id":"e","confidence":87.5}"#)?.confidence == nil)
        #expect(try self.event(#"{"id":"e","confidence":1e30}"#)?.confidence == nil)
        #expect(
            try self.event(#"{"id":"e","objects_detected":["person",7,null]}"#)?.objects
                == ["person"])
    }

    @Test("what has no id is no event")
    func noEvent() throws {
        for json in [#"{"id":7}"#, #"{"id":""}"#, #"{"timestamp":"2026-11-20"}"#, "[]", "7"] {
            #expect(try event(json) == nil)
        }
    }
}
