import ArgusTestSupport
import CommandLineKit
import Testing

@testable import argus

@Suite("the conditions of a state as text")
struct ConditionTextTests {
    @Test("the conditions of a watch are read as they were typed")
    func read() throws {
        let options = try #require(
            EventFilterOptions(
                conditionText: "--camera Front Door --camera Garage,Porch --type person,ring "
                    + "--search a white van --min-confidence 80 --alerts --source rtsp"))
        #expect(options.cameras.map(\.text) == ["Front Door", "Garage,Porch"])
        #expect(options.types.flatMap(\.values) == ["person", "ring"])
        #expect(options.search?.text == "a white van" && options.minConfidence == 80)
        #expect(options.isAlertsOnly && options.source?.rawValue == "rtsp")
        #expect(EventFilterOptions(conditionText: "") == EventFilterOptions())
    }

    @Test(
        "other texts are no conditions",
        arguments: ["push dispatch", "--min-confidence many", "--camera", "--nope x"])
    func unreadable(text: String) { #expect(EventFilterOptions(conditionText: text) == nil) }
}
