import ArgusCore
import ArgusTestSupport
import Testing

@testable import ArgusEvents
@testable import ArgusKit

@Suite("a silence that lasts")
struct LastingSilenceTests {
    private static let hour: Int64 = 3600
    /// The beginning of a Wednesday.
    private static let today = Timestamp(seconds: 20_782 * 86400)

    /// A camera with three events an hour from 6 to 22 o'clock for four weeks, and today until noon.
    private static var house: HouseActivity {
        var house = HouseActivity()
        for day in Int64(-28)...0 {
            for minutes in stride(from: Int64(6 * 60), to: day == 0 ? 12 * 60 : 22 * 60, by: 20) {
                let time = today + .seconds(day * 86400 + minutes * 60)
                house.add([Event(id: "1", cameraID: "a", timestamp: time)], until: time, in: .utc)
            }
        }
        return house
    }

    private func finding(after hours: Double) -> LearntSilence.Finding? {
        let now = Self.today + .seconds(Int64(hours * Double(Self.hour)))
        let silence = LearntSilence(
            Self.house, of: [.init(id: "a", source: nil)], at: now, in: .utc)
        return silence.findings(Self.house, at: now).first
    }

    @Test("is reported in the afternoon, and neither the night nor the next days take it back")
    func lasts() {
        #expect(finding(after: 12.5)?.state == .usual)
        let found = (26...144).map { finding(after: Double($0) / 2) }
        let first = found.firstIndex { $0?.state == .silent }
        #expect(first.map { $0 < 10 } == true)
        #expect(found[(first ?? 0)...].allSatisfy { $0?.state == .silent })
        // What was usual in the afternoon, not in the night.
        #expect(found.last??.longest == .seconds(20 * 60))
    }

    @Test("a camera that died is not well again when its good days are forgotten")
    func weeks() {
        for days in [10, 27, 28, 29, 30, 60] {
            #expect(finding(after: Double(days * 24))?.state == .silent, "\(days) days")
        }
    }

    @Test("a night is no silence")
    func night() {
        var house = Self.house
        let evening = Self.today + .seconds(21 * Self.hour + 2400)
        house.add([Event(id: "2", cameraID: "a", timestamp: evening)], until: evening, in: .utc)
        for hour in Int64(22)...29 {
            let now = Self.today + .seconds(hour * Self.hour)
            let silence = LearntSilence(
                house, of: [.init(id: "a", source: nil)], at: now, in: .utc)
            #expect(silence.findings(house, at: now).map(\.state) == [.usual], "\(hour)")
        }
    }
}
