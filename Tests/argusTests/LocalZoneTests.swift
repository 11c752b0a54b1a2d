import ArgusTestSupport
import ArgusTransport
import Testing

@testable import argus

@Suite("a time zone that this machine does not have")
struct LocalZoneTests {
    private static let words = "TZ is 'Nowhere/City', which is no time zone here; times are in UTC"

    @Test("local times warn once, and what shows none does not")
    func warns() async throws {
        let test = try TestSystem()
        try await test.know()
        test.environment["TZ"] = "Nowhere/City"
        let row = #"{"id":"e1","timestamp":"2026-11-20T22:00:00Z"}"#
        test.fake.stub(
            .get, "/api/v1/events?limit=20&per_page=20",
            body: #"{"events":[\#(row)],"has_more":false}"#)
        #expect(await test.run("events", "list") == .done)
        #expect(test.stderr == "argus: warning: \(Self.words)\n")
        #expect(test.stdout.contains("2026-11-20 22:00:00"))
        #expect(await test.run("version") == .done)
        #expect(test.stderr == "argus: warning: \(Self.words)\n")
    }

    @Test("the doctor names it")
    func doctor() async throws {
        let test = try TestSystem()
        test.environment["TZ"] = "Nowhere/City"
        let context = Context(globals: GlobalOptions(), system: test.system)
        let findings = MachineChecks(context: context).before.filter { $0.check == "environment" }
        #expect(findings.map(\.message) == [Self.words])
        #expect(findings.map(\.state) == [.warning])
    }
}
