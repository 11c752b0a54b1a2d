import Testing

@testable import argus_demo

/// The demo's answers against those of a real server.
@Suite(.waitsForPrograms)
struct DemoShapeTests {
    @Test("every recorded answer is either reproduced or known to be out of scope")
    func coversAllSamples() {
        let samples = Set(DemoSamples.all().map(\.name))
        #expect(samples.count > 80)
        let made = Set(DemoRecorded.requests.keys)
        #expect(samples.subtracting(made).subtracting(DemoRecorded.notServed) == [])
        #expect(made.subtracting(samples) == [])
        #expect(made.intersection(DemoRecorded.notServed) == [])
    }

    @Test(
        "an answer has the status, headers, keys and types of the recorded one",
        arguments: DemoSamples.all().map(\.name).filter { DemoRecorded.requests[$0] != nil })
    func answersAsRecorded(_ name: String) throws {
        let sample = try #require(DemoSamples.all().first { $0.name == name })
        let ask = try #require(DemoRecorded.requests[name])
        let fixture = try DemoFixture()
        let reply = try ask(fixture, fixture.token())
        #expect(reply.status == sample.status)
        #expect(Shape.differences(sample.body, reply.json) == [])
        if case .null = sample.body {
            // Bodies that are no JSON have tests of their own.
        } else {
            #expect(reply.json != .null)
        }
        let written = ["content-length", "transfer-encoding"]
        // The real server's browser permissions are of no use to anybody here.
        for header in sample.headers
        where !written.contains(header) && !header.hasPrefix("access-control-") {
            #expect(reply.header(header) != nil, "header \(header)")
        }
    }

    @Test("a difference in keys, order or type is found")
    func findsDifferences() {
        let sample: JSON = ["a": 1, "b": [["c": "x"]], "cameras": ["id": ["d": 1]]]
        #expect(Shape.differences(sample, sample) == [])
        #expect(!Shape.differences(sample, sample.setting("a", "1")).isEmpty)
        #expect(!Shape.differences(sample, sample.setting("z", 1)).isEmpty)
        #expect(!Shape.differences(sample, sample.setting("b", [["c": 1]])).isEmpty)
        #expect(!Shape.differences(sample, sample.setting("cameras", ["x": ["e": 1]])).isEmpty)
        #expect(!Shape.differences(["a": 1, "b": 2], ["b": 2, "a": 1]).isEmpty)
    }
}
