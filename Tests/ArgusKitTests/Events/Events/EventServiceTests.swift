import ArgusAccount
import ArgusEvents
import ArgusTestSupport
import ArgusTransport
import Testing

@Suite("EventService")
struct EventServiceTests {
    private let fake = FakeTransport()
    private static let id = "8f85eda1-3922-436c-9153-a4cd5b4836f2"
    private static let path = "/api/v1/events/" + id
    private static let missing = #"{"detail":"Event x not found"}"#
    private static let list = "/api/v1/events?limit=500&per_page=100"

    private var service: EventService { EventService(session: .test(fake)) }

    private func found(_ name: String, known: [String] = []) async throws -> String {
        try await service.find(name, known: known).detail.event.id
    }

    private func lookupFailure(_ name: String) async -> EventLookupError? {
        await failure { () async throws(EventLookupError) in
            try await service.find(name, known: [])
        }
    }

    @Test("a full id is asked for as the server writes it")
    func fullID() async throws {
        fake.stub(.get, Self.path, body: try Samples.text("event-detail"))
        #expect(try await found(Self.id.uppercased()) == Self.id)
        fake.verify()
    }

    @Test("an id of any other shape is asked for as it is")
    func otherID() async throws {
        fake.stub(.get, "/api/v1/events/evt-1", body: #"{"id":"evt-1"}"#)
        fake.stub(.get, "/api/v1/events/EVT%3F..-12345", body: #"{"id":"odd"}"#)
        #expect(try await found("evt-1") == "evt-1")
        #expect(try await found("EVT?..-12345") == "odd")
        fake.verify()
    }

    @Test("a beginning that was seen lately needs no list, once it is known to be no id itself")
    func knownPrefix() async throws {
        fake.stub(.get, "/api/v1/events/8F85EDA1", status: 404, body: Self.missing)
        fake.stub(.get, Self.path, body: try Samples.text("event-detail"))
        #expect(try await found("8F85EDA1", known: [Self.id, "8f85ffff", Self.id]) == Self.id)
        fake.verify()
    }

    @Test("a beginning is looked for among the newest events")
    func recentPrefix() async throws {
        fake.stub(.get, "/api/v1/events/8f85eda1", status: 404, body: Self.missing)
        fake.stub(
            .get, Self.list, body: #"{"events":[{"id":"\#(Self.id)"},{"id":"x"}],"has_more":false}"#
        )
        fake.stub(.get, Self.path, body: try Samples.text("event-detail"))
        #expect(try await found("8f85eda1") == Self.id)
        fake.verify()
    }

    @Test("a beginning of several ids is ambiguous, of none not found")
    func ambiguous() async throws {
        let rows = #"{"events":[{"id":"abcdefgh1"},{"id":"abcdefgh2"}],"has_more":false}"#
        for name in ["abcdefgh", "zzzzzzzz"] {
            fake.stub(.get, "/api/v1/events/" + name, status: 404, body: Self.missing)
            fake.stub(.get, Self.list, body: rows)
        }
        guard case .ambiguous(let ids)? = await lookupFailure("abcdefgh") else {
            Issue.record("not ambiguous")
            return
        }
        #expect(ids == ["abcdefgh1", "abcdefgh2"])
        guard case .api(let error)? = await lookupFailure("zzzzzzzz") else {
            Issue.record("found")
            return
        }
        #expect(error.kind == .notFound)
        fake.verify()
    }

    @Test("fewer than eight characters are no beginning")
    func shortPrefix() async {
        fake.stub(.get, "/api/v1/events/8f85eda", status: 404, body: Self.missing)
        guard case .api(let error)? = await lookupFailure("8f85eda") else {
            Issue.record("found")
            return
        }
        #expect(error.kind == .notFound)
        fake.verify()
    }

    @Test("latest is the newest event, and a server may have none")
    func latest() async throws {
        let query = "/api/v1/events?limit=1&per_page=1"
        fake.stub(.get, query, body: #"{"events":[{"id":"\#(Self.id)"}],"has_more":true}"#)
        fake.stub(.get, Self.path, body: try Samples.text("event-detail"))
        #expect(try await found("latest") == Self.id)
        fake.stub(.get, query, body: try Samples.text("events-empty"))
        guard case .api(let error)? = await lookupFailure("latest") else {
            Issue.record("found")
            return
        }
        #expect(error.kind == .notFound)
        fake.verify()
    }

    @Test("frames are counted, and a video is known by its first byte")
    func extras() async throws {
        fake.stub(.get, Self.path + "/frames", body: try Samples.text("event-frames"))
        fake.stub(.get, Self.path + "/video/download", status: 206, body: "x")
        let extras = await service.extras(of: Self.id)
        #expect(extras.frameCount == 3)
        #expect(extras.hasVideo == true)
        let probe = fake.requests.first { $0.target.hasSuffix("download") }
        #expect(probe?.headers.contains { $0.name == "Range" } == true)
        fake.verify()
    }

    @Test("an event and its extras are asked for at once where the server has frames")
    func extrasAtOnce() async throws {
        let (event, frames) = (
            try Samples.text("event-detail"), try Samples.text("event-frames")
        )
        let isAsked = Signal()
        fake.stub(.get, Self.path) { _ in
            await isAsked.wait()
            return .success(HTTPResponse(status: 200, body: Array(event.utf8)))
        }
        fake.stub(.get, Self.path + "/frames") { _ in
            isAsked.raise()
            return .success(HTTPResponse(status: 200, body: Array(frames.utf8)))
        }
        fake.stub(.get, Self.path + "/video/download", status: 404, body: Self.missing)
        let session = Session.test(fake, knowledge: ["events.frames": "current"])
        let found = try await EventService(session: session)
            .find(Self.id, known: [], withExtras: true)
        #expect(found.detail.frameCount == 3)
        #expect(found.detail.hasVideo == false)
        fake.verify()
    }

    @Test("unknown members stay nil; an absent video is known to be absent")
    func unknownExtras() async {
        fake.stub(.get, Self.path + "/frames", status: 404, body: #"{"detail":"Not Found"}"#)
        fake.stub(.get, Self.path + "/video/download", status: 404, body: Self.missing)
        var extras = await service.extras(of: Self.id)
        #expect(extras.frameCount == nil)
        #expect(extras.hasVideo == false)
        fake.stub(.get, Self.path + "/frames", status: 500)
        fake.stub(
            .get, Self.path + "/video/download", error: TransportError(.tooLarge, "too large"))
        extras = await service.extras(of: Self.id)
        #expect(extras.hasVideo == true)
        fake.verify()
    }
}
