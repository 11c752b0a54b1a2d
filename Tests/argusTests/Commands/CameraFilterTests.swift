import ArgusTestSupport
import ArgusTransport
import Testing

@testable import argus

@Suite("events of cameras that are named")
struct CameraFilterTests {
    private let test: TestSystem
    private static let cameras = """
        [{"id":"abcd1","name":"Garage"},{"id":"efgh2","name":"Front Door"}]
        """

    init() async throws {
        test = try TestSystem()
        try await test.know()
        test.fake.stub(.get, "/api/v1/cameras", body: Self.cameras)
    }

    private func stub(_ id: String, _ rows: String) {
        test.fake.stub(
            .get, "/api/v1/events?limit=20&camera_id=\(id)&per_page=20",
            body: #"{"events":[\#(rows)],"has_more":false}"#)
    }

    private func list(_ cameras: String...) async -> ExitKind {
        await test.run(
            ["events", "--format", "csv", "--no-header", "--fields", "id"]
                + cameras.flatMap { ["--camera", $0] })
    }

    @Test("a camera that is named three times is requested once")
    func repeated() async {
        stub("abcd1", #"{"id":"e1","camera_id":"abcd1","timestamp":"2026-11-20T22:00:00Z"}"#)
        #expect(await list("Garage", "garage", "abcd") == .done)
        #expect(test.stdout == "e1\n")
    }

    @Test("a value may be a list, of which a name with a comma is one entry")
    func lists() async {
        for (id, hour) in [("abcd1", 22), ("efgh2", 21)] {
            stub(
                id,
                #"{"id":"of-\#(id)","camera_id":"\#(id)","timestamp":"2026-11-20T\#(hour):00:00Z"}"#
            )
        }
        #expect(await list("garage,front door") == .done)
        #expect(test.stdout == "of-abcd1\nof-efgh2\n")
        test.fake.stub(
            .get, "/api/v1/cameras",
            body: """
                [{"id":"abcd1","name":"Garage"},{"id":"efgh2","name":"left"},
                {"id":"ijkl3","name":"Garage, left"}]
                """)
        stub("ijkl3", #"{"id":"e3","camera_id":"ijkl3","timestamp":"2026-11-20T22:00:00Z"}"#)
        #expect(await list("garage, left") == .done)
        #expect(test.stdout.hasSuffix("\ne3\n"))
    }

    @Test("an event that two cameras' lists hold comes once, with and without a time")
    func twice() async {
        for id in ["abcd1", "efgh2"] {
            stub(
                id,
                """
                {"id":"e2","camera_id":"\(id)","timestamp":"2026-11-20T22:00:00Z"},
                {"id":"\(id)","camera_id":"\(id)","timestamp":"2026-11-20T22:00:00Z"},
                {"id":"e1","camera_id":"\(id)"}
                """)
        }
        #expect(await list("Garage", "front door") == .done)
        let ids = test.stdout.split(separator: "\n").sorted()
        #expect(ids == ["abcd1", "e1", "e2", "efgh2"])
    }

    @Test("a camera that is gone is named by the id that its events carry, any other is status 3")
    func goneCamera() async {
        let row = #"{"id":"e1","camera_id":"nope","timestamp":"2026-11-20T22:00:00Z"}"#
        let probe = "/api/v1/events?limit=1&camera_id="
        test.fake.stub(.get, probe + "nope&per_page=1", body: #"{"events":[\#(row)]}"#)
        stub("nope", row)
        #expect(await list("nope") == .done)
        #expect(test.stdout == "e1\n")
        test.fake.stub(.get, "/api/v1/cameras", body: Self.cameras)
        test.fake.stub(.get, probe + "none&per_page=1", body: #"{"events":[],"has_more":false}"#)
        #expect(await list("none") == .notFound)
    }

    @Test("a name that was looked up is offered to TAB")
    func completion() async {
        stub("abcd1", "")
        #expect(await list("Garage") == .done)
        #expect(await test.run("__complete", "cameras", "show", "") == .done)
        #expect(test.stdout == "values\nGarage\tabcd1\nFront Door\tefgh2\n")
    }
}
