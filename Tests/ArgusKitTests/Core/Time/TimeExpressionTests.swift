import ArgusCore
import Testing

@Suite("Times and durations as people write them")
struct TimeExpressionTests {
    /// Saturday, 2026-11-21, 00:31:27 in Berlin.
    private static let now = Timestamp(microseconds: 1_795_217_487_006_718)

    private func calendar(at now: Timestamp = now) -> LocalCalendar {
        LocalCalendar(now: now, zone: LocalZone.find(environment: ["TZ": "Europe/Berlin"]).rules)
    }

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
            ("today", "2026-11-20T23:00:00.000000Z", "2026-11-21T22:59:59.999999Z"),
            ("Yesterday", "2026-11-19T23:00:00.000000Z", "2026-11-20T22:59:59.999999Z"),
            ("yesterday 22:00", "2026-11-20T21:00:00.000000Z", "2026-11-20T21:00:00.000000Z"),
            ("saturday", "2026-11-20T23:00:00.000000Z", "2026-11-21T22:59:59.999999Z"),
            ("sun", "2026-11-14T23:00:00.000000Z", "2026-11-15T22:59:59.999999Z"),
            ("friday", "2026-11-19T23:00:00.000000Z", "2026-11-20T22:59:59.999999Z"),
            // It is half past midnight, so that Saturday's evening was a week ago.
            ("sat 18:30", "2026-11-14T17:30:00.000000Z", "2026-11-14T17:30:00.000000Z"),
            ("Fri 18:30:05", "2026-11-20T17:30:05.000000Z", "2026-11-20T17:30:05.000000Z"),
            ("last-night", "2026-11-20T21:00:00.000000Z", "2026-11-21T05:00:00.000000Z"),
            ("00:15", "2026-11-20T23:15:00.000000Z", "2026-11-20T23:15:00.000000Z"),
            ("08:15", "2026-11-20T07:15:00.000000Z", "2026-11-20T07:15:00.000000Z"),
            ("2026-03-29", "2026-03-28T23:00:00.000000Z", "2026-03-29T21:59:59.999999Z"),
            ("2026-03-29T02:30", "2026-03-29T01:30:00.000000Z", "2026-03-29T01:30:00.000000Z"),
            // The hour from 2 to 3 was shown twice: a span has all of it.
            ("2026-10-25T02:30:15", "2026-10-25T00:30:15.000000Z", "2026-10-25T01:30:15.000000Z"),
            ("2026-10-25t12:00z", "2026-10-25T12:00:00.000000Z", "2026-10-25T12:00:00.000000Z"),
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
        let expression = try TimeExpression(text)
        #expect(expression.resolve(asEnd: false, on: calendar()).utcText == start)
        #expect(expression.resolve(asEnd: true, on: calendar()).utcText == end)
    }

    @Test("an end in the repeated hour is the later one, a start the earlier, none lies ahead")
    func repeatedHour() throws {
        // 02:20 in Berlin for the second time.
        let now = try #require(Timestamp(serverText: "2026-10-25T01:20:00Z"))
        func resolved(
            _ text: String, at now: Timestamp, after start: Timestamp? = nil
        ) throws -> [String] {
            try [false, true].map {
                let time = try TimeExpression(text)
                    .resolve(asEnd: $0, on: calendar(at: now), after: start)
                return String(time.utcText.dropFirst(11).prefix(5))
            }
        }
        #expect(try resolved("02:10", at: now) == ["00:10", "01:10"])
        // Half past two has been shown once so far.
        #expect(try resolved("02:30", at: now) == ["00:30", "00:30"])
        #expect(try resolved("today 02:59", at: now) == ["00:59", "01:59"])
        #expect(try resolved("sun 02:10", at: now) == ["00:10", "01:10"])
        let noon = try #require(Timestamp(serverText: "2026-10-25T11:00:00Z"))
        let evening = try #require(Timestamp(serverText: "2026-10-24T20:00:00Z"))
        #expect(try resolved("02:59", at: noon, after: evening)[1] == "01:59")
        var nights = calendar(at: noon)
        nights.night = try #require(Night("22:00-02:30"))
        #expect(
            NamedPeriod.lastNight.range(on: nights).upperBound.utcText
                == "2026-10-25T01:30:00.000000Z")
    }

    @Test("what counts from the clock is known as such")
    func clock() throws {
        for text in ["now", "3d", "today", "mon", "yesterday 22:00", "22:00", "last-night"] {
            #expect(try TimeExpression(text).dependsOnClock, "\(text)")
        }
        for text in ["2026-10-25", "2026-10-25T12:00", "2026-10-25T12:00Z"] {
            #expect(try !TimeExpression(text).dependsOnClock, "\(text)")
        }
    }

    @Test("an end without a date is the next time after the start that the clock shows it")
    func spans() throws {
        let start = try TimeExpression("22:00").resolve(asEnd: false, on: calendar())
        #expect(start.utcText == "2026-11-20T21:00:00.000000Z")
        for (text, expected) in [
            ("06:00", "2026-11-21T05:00:00.000000Z"), ("23:00", "2026-11-20T22:00:00.000000Z"),
            ("22:00", "2026-11-21T21:00:00.000000Z"),
        ] {
            let end = try TimeExpression(text).resolve(asEnd: true, on: calendar(), after: start)
            #expect(end.utcText == expected)
        }
    }

    @Test(
        "a period has its first and its last moment",
        arguments: [
            (.lastNight, "2026-11-20T21:00:00.000000Z", "2026-11-21T05:00:00.000000Z"),
            (.today, "2026-11-20T23:00:00.000000Z", "2026-11-21T22:59:59.999999Z"),
            (.yesterday, "2026-11-19T23:00:00.000000Z", "2026-11-20T22:59:59.999999Z"),
            (.thisWeek, "2026-11-15T23:00:00.000000Z", "2026-11-22T22:59:59.999999Z"),
            (.lastWeek, "2026-11-08T23:00:00.000000Z", "2026-11-15T22:59:59.999999Z"),
            (.thisMonth, "2026-10-31T23:00:00.000000Z", "2026-11-30T22:59:59.999999Z"),
            (.lastMonth, "2026-09-30T22:00:00.000000Z", "2026-10-31T22:59:59.999999Z"),
        ] as [(NamedPeriod, String, String)])
    func periods(period: NamedPeriod, first: String, last: String) {
        let range = period.range(on: calendar())
        #expect(range.lowerBound.utcText == first)
        #expect(range.upperBound.utcText == last)
    }

    @Test("last night is the night between yesterday and today, at any time of the day")
    func nights() throws {
        // 03:00, 13:00 and 23:30 of the same Saturday.
        for now in ["2026-11-21T02:00Z", "2026-11-21T12:00Z", "2026-11-21T22:30Z"] {
            let now = try TimeExpression(now).resolve(asEnd: false, on: calendar())
            let night = NamedPeriod.lastNight.range(on: calendar(at: now))
            #expect(night.lowerBound.utcText == "2026-11-20T21:00:00.000000Z")
            #expect(night.upperBound.utcText == "2026-11-21T05:00:00.000000Z")
        }
        var own = calendar()
        own.night = try #require(Night("01:00-05:30"))
        let night = NamedPeriod.lastNight.range(on: own)
        #expect(night.lowerBound.utcText == "2026-11-20T00:00:00.000000Z")
        #expect(night.upperBound.utcText == "2026-11-20T04:30:00.000000Z")
        for text in ["", "22:00", "22:00-22:00", "22-6", "22:00-6:00", "today-06:00", "1-2-3"] {
            #expect(Night(text) == nil, "\(text)")
        }
    }

    @Test(
        "everything else is refused",
        arguments: [
            "", "5", "90", "100ms", "-2h", "2x", "h", "1 h", "tomorrow", "8:15", "today ",
            "today 8:15", "2026-11", "2026-11-20T", "2026-11-20Z", "mo", "mondays",
            "2026-11-20T12:00:00+25:00", "1795212000", "99999999999999999999s", "1e3s",
            "2026-11-20T12:00 Z", "last night", "yesterday 22:00 23:00",
        ])
    func refused(text: String) throws {
        let error = #expect(throws: TimeExpressionError.self) { try TimeExpression(text) }
        let message = try #require(error?.description)
        #expect(message == "invalid time '\(text)'")
    }

    @Test(
        "the valid spelling is suggested for what people write elsewhere",
        arguments: [
            ("2days", "2d"), ("2 hours ago", "2h"), ("an hour ago", "1h"), ("-2h", "2h"),
            ("1 h", "1h"), ("15 mins", "15m"), ("3 months", "90d"), ("20.11.2026", "2026-11-20"),
            ("5.1.2026", "2026-01-05"), ("2026/11/20", "2026-11-20"), ("2026-1-5", "2026-01-05"),
            ("11/20/2026", "2026-11-20"), ("20/11/2026", "2026-11-20"), ("5/1/2026", nil),
            ("20.11.2026 8:15", "2026-11-20T08:15"), ("8:15", "08:15"), ("10pm", "22:00"),
            ("12 am", "00:00"), ("today 8:15", "today 08:15"),
            ("yesterday at 10pm", "yesterday 22:00"), ("last night", "last-night"),
            ("Last Month", "last-month"), ("today ", "today"), ("tomorrow", nil), ("5", nil),
            ("", nil), ("2x", nil), ("2026-02-30", nil),
            ("25:00", nil), ("13pm", nil), ("30.2.2026", nil), ("1.2.3", nil),
            ("99999999999999999999 months", nil),
        ] as [(String, String?)])
    func suggestions(text: String, expected: String?) {
        #expect(TimeExpression.suggestion(for: text) == expected)
    }

    @Test(
        "a date or a time of day that does not exist is named as that",
        arguments: [
            ("2026-02-30", "invalid date '2026-02-30': February 2026 has 28 days"),
            ("2026-04-31T10:00", "invalid date '2026-04-31T10:00': April 2026 has 30 days"),
            ("2026-13-01", "invalid date '2026-13-01': months are 01 to 12"),
            ("0000-01-01", "invalid date '0000-01-01': years are 0001 to 9999"),
            ("24:00", "invalid time '24:00': the last minute of a day is 23:59"),
            ("mon 12:60", "invalid time '12:60': minutes are 00 to 59"),
            ("22:75", "invalid time '22:75': minutes are 00 to 59"),
            ("22:15:61", "invalid time '22:15:61': seconds are 00 to 59"),
            (
                "2026-11-20T25:00",
                "invalid time '2026-11-20T25:00': the last minute of a day is 23:59"
            ),
        ])
    func impossible(text: String, message: String) throws {
        let error = #expect(throws: TimeExpressionError.self) { try TimeExpression(text) }
        #expect(error?.description == message)
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
        for (text, duration) in expected { #expect(DurationText.parse(text) == duration) }
        for text in [
            "", "-1", "-1s", "+1s", "s", "1 s", "1S", "1.s", ".5", "1e3", "1y", "9999999999999s",
            "9223372036854775808", "∞",
        ] {
            #expect(DurationText.parse(text) == nil, "\(text)")
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
