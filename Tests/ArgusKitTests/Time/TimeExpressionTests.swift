import ArgusKit
import Testing

@Suite("Times and durations as people write them")
struct TimeExpressionTests {
    private static let now = Timestamp(microseconds: 1_795_217_487_006_718)

    @Test(
        "a time is resolved as a start and as an end",
        arguments: [
            ("now", "2026-11-20T23:31:27.006718Z", "2026-11-20T23:31:27.006718Z"),
            ("90s", "2026-11-20T23:29:57.006718Z", "2026-11-20T23:29:57.006718Z"),
            ("15m", "2026-11-20T23:16:27.006718Z", "2026-11-20T23:16:27.006718Z"),
            ("2h", "2026-11-20T21:31:27.006718Z", "2026-11-20T21:31:27.006718Z"),
            ("1.5h", "2026-11-20T22:01:27.006718Z", "2026-11-20T22:01:27.006718Z"),
            ("3d", "2026-11-17T23:31:27.006718Z", "2026-11-17T23:31:27.006718Z"),
            ("1w", "2026-11-13T23:31:27.006718Z", "2026-11-13T23:31:27.006718Z"),
            // It is 2026-11-21, 00:31 in Berlin.
            ("today", "2026-11-20T23:00:00.000000Z", "2026-11-21T22:59:59.999999Z"),
            ("yesterday", "2026-11-19T23:00:00.000000Z", "2026-11-20T22:59:59.999999Z"),
            ("08:15", "2026-11-21T07:15:00.000000Z", "2026-11-21T07:15:00.000000Z"),
            ("2026-03-29", "2026-03-28T23:00:00.000000Z", "2026-03-29T21:59:59.999999Z"),
            ("2026-03-29T02:30", "2026-03-29T01:30:00.000000Z", "2026-03-29T01:30:00.000000Z"),
            ("2026-10-25T02:30:15", "2026-10-25T00:30:15.000000Z", "2026-10-25T00:30:15.000000Z"),
            ("2026-10-25 12:00:00.5", "2026-10-25T11:00:00.500000Z", "2026-10-25T11:00:00.500000Z"),
            ("2026-10-25T12:00Z", "2026-10-25T12:00:00.000000Z", "2026-10-25T12:00:00.000000Z"),
            (
                "2026-10-25T12:00+05:30", "2026-10-25T06:30:00.000000Z",
                "2026-10-25T06:30:00.000000Z"
            ),
            (
                "2026-10-25T12:00:00.123456-01:00", "2026-10-25T13:00:00.123456Z",
                "2026-10-25T13:00:00.123456Z"
            ),
            ("15000000w", "0001-01-01T00:00:00.000000Z", "0001-01-01T00:00:00.000000Z"),
        ])
    func resolved(text: String, start: String, end: String) throws {
        let berlin = LocalZone.find(environment: ["TZ": "Europe/Berlin"]).rules
        let expression = try TimeExpression(text)
        #expect(expression.resolve(asEnd: false, now: Self.now, zone: berlin).utcText == start)
        #expect(expression.resolve(asEnd: true, now: Self.now, zone: berlin).utcText == end)
    }

    @Test(
        "everything else is refused with what is accepted",
        arguments: [
            "", "5", "90", "100ms", "-2h", "2x", "h", "1 h", "tomorrow", "Today", "24:00", "12:60",
            "8:15",
            "12:30:00", "2026-11", "2026-02-29", "2026-11-20T", "2026-11-20T25:00", "2026-11-20Z",
            "2026-11-20T12:00:00+25:00", "1795212000", "99999999999999999999s", "1e3s",
            "2026-11-20T12:00 Z",
        ])
    func refused(text: String) {
        #expect(throws: TimeExpressionError()) { try TimeExpression(text) }
        #expect(TimeExpressionError().description.contains("yesterday"))
    }

    @Test("durations have a unit or are seconds")
    func durations() throws {
        let expected: [(String, Duration)] = [
            ("500ms", .milliseconds(500)), ("90", .seconds(90)), ("90s", .seconds(90)),
            ("0", .zero),
            ("2m", .seconds(120)), ("1h", .seconds(3600)), ("3d", .seconds(259_200)),
            ("1w", .seconds(604_800)), ("0.25s", .milliseconds(250)), ("1.5m", .seconds(90)),
            ("2.5", .milliseconds(2500)), ("9223372036854ms", .microseconds(9_223_372_036_854_000)),
        ]
        for (text, duration) in expected { #expect(try DurationText.parse(text) == duration) }
        for text in [
            "", "-1", "-1s", "+1s", "s", "1 s", "1S", "1.s", ".5", "1e3", "1y", "9999999999999s",
            "9223372036854775808", "∞",
        ] {
            #expect(throws: DurationTextError(), "\(text)") { try DurationText.parse(text) }
        }
    }

    @Test("durations read short")
    func shortTexts() {
        let expected: [(Duration, String)] = [
            (.zero, "0 s"), (.microseconds(300), "0 s"), (.milliseconds(850), "850 ms"),
            (.seconds(1), "1 s"), (.milliseconds(2540), "2.5 s"), (.milliseconds(59_999), "59 s"),
            (.seconds(60), "1 min"), (.seconds(150), "2 min 30 s"), (.seconds(3900), "1 h 5 min"),
            (.seconds(7200), "2 h"), (.seconds(266_400), "3 d 2 h"), (.seconds(-5), "0 s"),
            (.milliseconds(-5), "0 s"),
        ]
        for (duration, text) in expected { #expect(DurationText.short(duration) == text) }
    }
}
