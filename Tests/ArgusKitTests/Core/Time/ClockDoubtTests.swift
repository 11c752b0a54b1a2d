import ArgusCore
import Testing

@Suite("ClockDoubt")
struct ClockDoubtTests {
    private static let now = Timestamp(seconds: 1_795_262_400)

    private func doubt(_ reference: Timestamp?) -> String? {
        do {
            try ClockDoubt.check(Self.now, against: reference, of: "'home' says")
            return nil
        } catch {
            return "\(error)"
        }
    }

    @Test("a clock is believed up to an hour on either side, and named with the other beyond")
    func tolerance() {
        for seconds in [-3600, -1, 0, 3600] {
            #expect(doubt(Self.now + .seconds(seconds)) == nil)
        }
        #expect(doubt(nil) == nil)
        #expect(
            doubt(Self.now + .seconds(-3601))
                == "the clock of this machine says 2026-11-21 12:00:00 UTC, but 'home' says "
                + "2026-11-21 10:59:59 UTC")
        for time in [Self.now + .seconds(3601), .earliestText, .latestText] {
            #expect(doubt(time) != nil)
        }
        #expect(doubt(Timestamp(microseconds: .min)) != nil)
        #expect(doubt(Timestamp(microseconds: .max)) != nil)
    }
}
