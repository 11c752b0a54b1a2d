import ArgusCore
import ArgusTestSupport
import ArgusTransport
import Testing

@testable import argus

/// The verb that docs/development.md builds step by step.
@Suite("argus events count")
struct EventsCountTests {
    @Test("the events of a list are counted")
    func run() async throws {
        let test = try TestSystem()
        try await test.know()
        test.fake.stub(
            .get, "/api/v1/events?limit=500&per_page=100",
            body: #"{"events":[{"id":"e2"},{"id":"e1"}],"has_more":false}"#)
        var globals = GlobalOptions()
        globals.format = .json
        let context = Context(globals: globals, system: test.system)
        try await EventsCount.invocation(EventsCount.defaults).work(context)
        test.fake.verify()
        #expect(try test.printed()["count"]?.int == 2)
    }
}
