import Testing

@testable import ArgusCore
@testable import ArgusEvents

@Suite("QuietHours")
struct QuietSpanTests {
    private func span(_ start: String, _ end: String) throws -> QuietHours {
        try #require(QuietHours(from: start, to: end))
    }

    private func moment(_ text: String) throws -> Timestamp {
        try #require(Timestamp(serverText: text))
    }

    @Test("times are HH:MM; servers also keep H:MM")
    func clocks() {
        #expect(QuietHours(from: "07:05", to: "8:00")?.text == "07:05-08:00")
        #expect(QuietHours("7:05-08:00")?.text == "07:05-08:00")
        for text in ["", "07:05", "07:05-", "07:05-08:00-", "off"] {
            #expect(QuietHours(text) == nil, "\(text)")
        }
        for text in [
            "", "7", "07", "24:00", "07:60", "007:00", "07:5", "-7:00", "07:00:00", "٧:00",
        ] {
            #expect(QuietHours(from: text, to: "08:00") == nil, "\(text)")
            #expect(QuietHours(from: "08:00", to: text) == nil, "\(text)")
        }
    }

    @Test(
        "the start belongs to the hours, the end does not, across midnight too",
        arguments: [
            ("09:00", "17:00", "08:59", false), ("09:00", "17:00", "09:00", true),
            ("09:00", "17:00", "16:59", true), ("09:00", "17:00", "17:00", false),
            ("22:00", "07:00", "21:59", false), ("22:00", "07:00", "22:00", true),
            ("22:00", "07:00", "00:00", true), ("22:00", "07:00", "06:59", true),
            ("22:00", "07:00", "07:00", false), ("00:00", "00:00", "12:00", false),
        ])
    func contains(start: String, end: String, time: String, isInside: Bool) throws {
        let fields = TimeFields(
            date: CivilDate(year: 2026, month: 11, day: 21), clock: try span(time, time).start)
        #expect(try span(start, end).contains(fields) == isInside)
    }

    @Test("the next change is the next edge, on the next day where it must be")
    func nextChange() throws {
        let night = try span("22:00", "07:00")
        let noon = try moment("2026-11-21T12:00:00Z")
        #expect(try night.nextChange(after: noon, in: .utc) == moment("2026-11-21T22:00:00Z"))
        let late = try moment("2026-11-21T23:30:00Z")
        #expect(try night.nextChange(after: late, in: .utc) == moment("2026-11-22T07:00:00Z"))
        let edge = try moment("2026-11-21T22:00:00Z")
        #expect(try night.nextChange(after: edge, in: .utc) == moment("2026-11-22T07:00:00Z"))
        #expect(try span("00:00", "00:00").nextChange(after: noon, in: .utc) == nil)
    }

    @Test("the clocks are those of the zone, on the nights when they change too")
    func zones() throws {
        let paris = try #require(LocalZone.rules(named: "Europe/Paris", environment: [:]))
        let night = try span("22:00", "07:00")
        // 21:30 UTC is 22:30 in winter.
        #expect(
            try night.nextChange(after: moment("2026-11-21T21:30:00Z"), in: paris)
                == moment("2026-11-22T06:00:00Z"))
        // Summer time begins on 29 March 2026: 07:00 is 05:00 UTC that morning.
        #expect(
            try night.nextChange(after: moment("2026-03-28T22:00:00Z"), in: paris)
                == moment("2026-03-29T05:00:00Z"))
        // 02:30 does not exist that night; the hours begin when the clocks show 03:30.
        #expect(
            try span("02:30", "05:00").nextChange(after: moment("2026-03-29T00:00:00Z"), in: paris)
                == moment("2026-03-29T01:30:00Z"))
    }

    @Test("zones are those of the database, by their exact names")
    func names() {
        for name in ["UTC", "Europe/Paris", "America/Argentina/Buenos_Aires", "Etc/GMT+5"] {
            #expect(LocalZone.rules(named: name, environment: [:]) != nil, "\(name)")
        }
        for name in [
            "", "europe/paris", "Nowhere/City", "CET-1", "../../etc/localtime", "/etc/localtime",
            "zone.tab", "posix/Europe/Paris", "localtime", "Europe/", "Europe//Paris", ":UTC",
        ] {
            #expect(LocalZone.rules(named: name, environment: [:]) == nil, "\(name)")
        }
    }
}
