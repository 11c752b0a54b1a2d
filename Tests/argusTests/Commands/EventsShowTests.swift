import ArgusCore
import ArgusEvents
import ArgusTestSupport
import ArgusTransport
import Testing

@testable import argus

@Suite("argus events show and thumbnail")
struct EventsShowTests {
    private let test: TestSystem
    private static let id = "8f85eda1-3922-436c-9153-a4cd5b4836f2"
    private static let path = "/api/v1/events/" + id
    private static let missing = #"{"detail":"Event x not found"}"#
    private static let stored = "/api/v1/thumbnails/2026-11-20/event_\(id).jpg"

    init() async throws {
        test = try TestSystem()
        try await test.know()
    }

    private func stubEvent() throws {
        test.fake.stub(.get, Self.path, body: try Samples.text("event-detail"))
    }

    private func stubPicture(_ bytes: [UInt8]) {
        test.fake.stub(.get, Self.stored) { _ in
            .success(HTTPResponse(status: 200, body: bytes))
        }
    }

    @Test("one event is one object, with the members of other routes")
    func json() async throws {
        try stubEvent()
        test.fake.stub(.get, Self.path + "/frames", body: try Samples.text("event-frames"))
        test.fake.stub(
            .get, Self.path + "/video/download", status: 404, body: Self.missing)
        #expect(await test.run("events", "show", Self.id, "--format", "ndjson") == .done)
        #expect(
            test.stdout == """
                {"id":"8f85eda1-3922-436c-9153-a4cd5b4836f2",\
                "camera_id":"7323d311-eb43-4837-9f08-07f69d4ce47d","camera_name":"Front Door",\
                "timestamp":"2026-11-20T22:00:00.000000Z","type":"ring","objects":["person"],\
                "confidence":45,"description":"Two people passed the Front Door talking.",\
                "is_doorbell_ring":true,"alert_triggered":true,"carrier":null,"source":"protect",\
                "has_thumbnail":true,"entity_id":null,"entity_name":null,"analysis_mode":"single_frame","provider":"openai",\
                "created_at":"2026-11-20T23:31:27.006718Z","correlated_event_ids":null,\
                "feedback":null,"frame_count":3,"has_video":false}

                """)
    }

    @Test("--raw prints the answer of the event's own route, and asks no other")
    func raw() async throws {
        test.fake.stub(.get, Self.path, body: #"{"id":"x","n":1.0}"#)
        #expect(await test.run("events", "show", Self.id, "--raw", "--format=ndjson") == .done)
        #expect(test.stdout == "{\"id\":\"x\",\"n\":1.0}\n")
    }

    @Test("several events of which some are missing are an array, and status 11")
    func partial() async throws {
        try stubEvent()
        test.fake.stub(.get, Self.path + "/frames", status: 500)
        test.fake.stub(.get, Self.path + "/video/download", status: 500)
        test.fake.stub(.get, "/api/v1/events/x", status: 404, body: Self.missing)
        #expect(
            await test.run("events", "show", Self.id, "x", "--json", "--fields", "id") == .partial)
        #expect(try test.printed().elements.map { $0["id"]?.string } == [Self.id])
        let item = try test.errorObject()["items"]?.elements.first { _ in true }
        #expect(item?["id"]?.string == "x")
        #expect(item?["kind"]?.string == "not_found")
    }

    @Test("an event that is not there is status 3, with the advice to give more of the id")
    func missing() async throws {
        test.fake.stub(.get, "/api/v1/events/x", status: 404, body: Self.missing)
        #expect(await test.run("events", "show", "x") == .notFound)
        #expect(test.stdout == "")
        #expect(test.stderr.hasSuffix("hint: give at least 8 characters of the id\n"))
    }

    @Test("lists alone know csv")
    func csv() async throws {
        #expect(await test.run("events", "show", "x", "--format", "csv") == .usage)
    }

    @Test(
        "a thumbnail is written whole, printed with its size and checksum, and never replaces another"
    )
    func thumbnail() async throws {
        let picture = try Samples.bytes("thumbnail.jpg")
        let path = test.folder.file("p.jpg")
        try stubEvent()
        stubPicture(picture)
        #expect(await test.run("events", "thumbnail", Self.id, "-o", path, "--json") == .done)
        let printed = try test.printed()
        #expect(printed["event_id"]?.string == Self.id)
        #expect(printed["path"]?.string == path)
        #expect(printed["bytes"]?.int == picture.count)
        #expect(printed["sha256"]?.string == Checksum.sha256(picture))
        #expect(printed["captured_at"]?.string == "2026-11-20T22:00:00.000000Z")
        #expect(try permissions(path) & 0o077 == 0o044)
        #expect(await test.run("events", "thumbnail", Self.id, "-o", path) == .failed)
        #expect(test.stderr.hasSuffix("hint: overwrite it with --force\n"))
        try stubEvent()
        stubPicture(picture)
        #expect(await test.run("events", "thumbnail", Self.id, "-o", path, "--force") == .done)
    }

    @Test("a file in a folder is named after camera and time, and is made once")
    func thumbnailName() async throws {
        test.environment["TZ"] = "CET-1"
        for _ in 1...2 {
            try stubEvent()
            stubPicture(try Samples.bytes("thumbnail.jpg"))
            let folder = test.folder.file("pictures/")
            #expect(await test.run("events", "thumbnail", Self.id, "-o", folder) == .done)
        }
        #expect(try test.folder.names(in: "pictures") == ["Front-Door-20261120T230000.jpg"])
    }

    @Test("what is no whole picture leaves no file", arguments: [0, 100, 1990])
    func brokenPicture(count: Int) async throws {
        try stubEvent()
        stubPicture(Array(try Samples.bytes("thumbnail.jpg").prefix(count)))
        let folder = test.folder.file("pictures/")
        #expect(await test.run("events", "thumbnail", Self.id, "-o", folder) == .serverError)
        #expect(try !test.folder.names().contains("pictures"))
    }
}
