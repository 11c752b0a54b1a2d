import ArgusCore
import ArgusTestSupport
import Testing

@testable import ArgusKit

@Suite("the activity that checks learn from")
struct HouseActivityTests {
    @Test("a first check reads the first day that it learns from, from its beginning")
    func firstDay() {
        let now = ManualClock.origin
        let since = HouseActivity().since(at: now)
        let today = TimeZoneRules.utc.fields(of: now).date.daysSinceEpoch
        let first = TimeZoneRules.utc.fields(of: since).date.daysSinceEpoch
        #expect(first < today - LearntSilence.memory)
    }
}
