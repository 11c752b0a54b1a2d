import ArgusTestSupport
import Foundation
import Testing

@testable import ArgusCore

/// Named zones appear with times that are past, because their future is up to politicians; what
/// follows a table is tested with POSIX strings and made files.
@Suite("Zones")
struct TimeZoneTests {
    private func zone(_ name: String) throws -> TimeZoneRules {
        let zone = LocalZone.find(environment: ["TZ": name])
        try #require(zone.unusable == nil, "the package tzdata must be installed")
        return zone.rules
    }

    /// Reads `YYYY-MM-DDTHH:MM:SS` as the fields of some clock.
    private func fields(_ text: String) throws -> TimeFields {
        TimeFields(utc: try #require(Timestamp(serverText: text)))
    }

    @Test(
        "local times become instants, over the edges of summer time and past the table",
        arguments: [
            ("Europe/Berlin", "2026-03-29T01:59:59", "2026-03-29T00:59:59"),
            // Skipped: moves forward to 03:30.
            ("Europe/Berlin", "2026-03-29T02:30:00", "2026-03-29T01:30:00"),
            ("Europe/Berlin", "2026-03-29T03:00:00", "2026-03-29T01:00:00"),
            // Twice: the earlier one.
            ("Europe/Berlin", "2026-10-25T02:30:00", "2026-10-25T00:30:00"),
            ("Europe/Berlin", "2026-10-25T03:00:00", "2026-10-25T02:00:00"),
            ("CET-1CEST,M3.5.0,M10.5.0/3", "2150-07-01T12:00:00", "2150-07-01T10:00:00"),
            ("CET-1CEST,M3.5.0,M10.5.0/3", "2150-01-01T12:00:00", "2150-01-01T11:00:00"),
            // Local mean time, 53 minutes and 28 seconds.
            ("Europe/Berlin", "1890-01-01T00:00:00", "1889-12-31T23:06:32"),
            ("America/New_York", "2026-03-08T02:30:00", "2026-03-08T07:30:00"),
            ("America/New_York", "2026-11-01T01:30:00", "2026-11-01T05:30:00"),
            // Half an hour of summer time.
            ("Australia/Lord_Howe", "2026-04-05T01:45:00", "2026-04-04T14:45:00"),
            ("Australia/Lord_Howe", "2026-10-04T02:15:00", "2026-10-03T15:45:00"),
            ("Australia/Sydney", "2026-01-15T12:00:00", "2026-01-15T01:00:00"),
            ("Australia/Sydney", "2026-07-15T12:00:00", "2026-07-15T02:00:00"),
            ("<-04>4<-03>,M9.1.6/24,M4.1.6/24", "2199-01-15T12:00:00", "2199-01-15T15:00:00"),
            ("<-04>4<-03>,M9.1.6/24,M4.1.6/24", "2199-07-15T12:00:00", "2199-07-15T16:00:00"),
            // Summer time below standard time.
            ("IST-1GMT0,M10.5.0,M3.5.0/1", "2100-07-01T12:00:00", "2100-07-01T11:00:00"),
            ("Asia/Kathmandu", "2026-01-01T00:00:00", "2025-12-31T18:15:00"),
            // A rule that begins at -1 o'clock of a Sunday.
            ("America/Nuuk", "2026-10-25T00:30:00", "2026-10-25T02:30:00"),
            // A whole day that never was.
            ("Pacific/Apia", "2011-12-30T12:00:00", "2011-12-30T22:00:00"),
            ("Pacific/Apia", "2011-12-31T00:00:00", "2011-12-30T10:00:00"),
            // Midnight is skipped.
            ("America/Sao_Paulo", "2018-11-04T00:00:00", "2018-11-04T03:00:00"),
        ])
    func localToInstant(name: String, local: String, utc: String) throws {
        let time = try zone(name).time(of: try fields(local))
        #expect(time.utcText == utc + ".000000Z")
    }

    @Test("both halves of a repeated hour are shown")
    func repeatedHour() throws {
        let berlin = try zone("Europe/Berlin")
        for (utc, local, offset) in [
            ("2026-10-25T00:59:59Z", "2026-10-25 02:59:59", 7200),
            ("2026-10-25T01:00:00Z", "2026-10-25 02:00:00", 3600),
            ("2026-03-29T00:59:59Z", "2026-03-29 01:59:59", 3600),
            ("2026-03-29T01:00:00Z", "2026-03-29 03:00:00", 7200),
        ] {
            let time = try #require(Timestamp(serverText: utc))
            #expect(time.displayText(in: berlin) == local)
            #expect(berlin.offset(at: time) == offset)
        }
    }

    @Test("a day begins and ends where the clocks say so")
    func edgesOfDays() throws {
        let cases = [
            (
                "Europe/Berlin", 2026, 3, 29, "2026-03-28T23:00:00.000000Z",
                "2026-03-29T21:59:59.999999Z"
            ),
            (
                "America/Sao_Paulo", 2018, 11, 4, "2018-11-04T03:00:00.000000Z",
                "2018-11-05T01:59:59.999999Z"
            ),
            // 23:00 to midnight comes twice, and the day ends with the second one.
            (
                "America/Sao_Paulo", 2018, 2, 17, "2018-02-17T02:00:00.000000Z",
                "2018-02-18T02:59:59.999999Z"
            ),
            (
                "America/Havana", 2019, 11, 3, "2019-11-03T04:00:00.000000Z",
                "2019-11-04T04:59:59.999999Z"
            ),
            ("Etc/UTC", 2024, 2, 29, "2024-02-29T00:00:00.000000Z", "2024-02-29T23:59:59.999999Z"),
            ("Etc/UTC", 2026, 12, 31, "2026-12-31T00:00:00.000000Z", "2026-12-31T23:59:59.999999Z"),
        ]
        for (name, year, month, day, start, end) in cases {
            let zone = try zone(name)
            let date = CivilDate(year: year, month: month, day: day)
            #expect(zone.start(of: date).utcText == start)
            #expect(zone.end(of: date).utcText == end)
        }
    }

    @Test(
        "POSIX strings are zones too",
        arguments: [
            ("CET-1CEST,M3.5.0,M10.5.0/3", "2026-07-01T00:00:00Z", 7200),
            ("CET-1CEST,M3.5.0,M10.5.0/3", "2026-12-01T00:00:00Z", 3600),
            (":Europe/Berlin", "2026-07-01T00:00:00Z", 7200),
            ("/usr/share/zoneinfo/Asia/Tokyo", "2026-07-01T00:00:00Z", 32_400),
            ("UTC0", "2026-07-01T00:00:00Z", 0), ("", "2026-07-01T00:00:00Z", 0),
            ("<+0330>-3:30", "2026-07-01T00:00:00Z", 12_600),
            ("XYZ5ABC", "2026-07-01T00:00:00Z", -14_400),
            ("XYZ5ABC,J60/0,J300/0", "2024-02-29T12:00:00Z", -18_000),
            ("XYZ5ABC,J60/0,J300/0", "2024-03-01T12:00:00Z", -14_400),
            ("XYZ5ABC,59/0,300/0", "2024-02-29T12:00:00Z", -14_400),
            // All the year (RFC 9636, section 3.3.2).
            ("EST5EDT,0/0,J365/25", "2026-12-31T23:30:00Z", -14_400),
            ("EST5EDT,0/0,J365/25", "2027-01-01T00:30:00Z", -14_400),
            ("AEST-10AEDT,M10.1.0,M4.1.0/3", "2026-01-01T00:00:00Z", 39_600),
            ("AEST-10AEDT,M10.1.0,M4.1.0/3", "2026-06-01T00:00:00Z", 36_000),
        ])
    func posixStrings(name: String, utc: String, offset: Int) throws {
        let time = try #require(Timestamp(serverText: utc))
        #expect(try zone(name).offset(at: time) == offset)
    }

    @Test(
        "an invalid zone, or one outside the zone folder, is UTC with a warning",
        arguments: [
            "../../../etc/passwd", "../../usr/share/zoneinfo/Asia/Tokyo", "./Europe/Berlin",
            "Europe/../Asia/Tokyo", "Europe//Berlin", "Europe/", "Europe", "Nowhere/Land",
            "/etc/passwd",
            "/dev/zero", "/dev/stdin", "/", "CE-1", "CET-25", "CET-1CEST,M13.1.0,M10.5.0",
            "CET-1CEST,M3.5.0", "CET-1CEST,M3.6.0,M10.5.0", "CET-1CEST,J0,J365",
            "CET-1CEST,M3.5.0,M10.5.0/168",
            "zone.tab", "Europe/Berlin\u{0}", "<+1-1", "CET-1CEST,M3.5.0,M10.5.0x",
            String(repeating: "A", count: 100_000),
        ])
    func unusable(name: String) {
        let zone = LocalZone.find(environment: ["TZ": name])
        #expect(zone.unusable == name)
        #expect(zone.rules == .utc)
    }

    @Test("without TZ the machine's file counts, and without that UTC does")
    func machineZone() throws {
        let tokyo = LocalZone.find(
            environment: [:], localtimePath: "/usr/share/zoneinfo/Asia/Tokyo")
        #expect(tokyo.rules.offset(at: Timestamp(seconds: 0)) == 32_400)
        let none = LocalZone.find(environment: [:], localtimePath: "/nonexistent")
        #expect(none.rules == .utc && none.unusable == nil)
    }

    @Test("the local zone's name comes from TZ or the machine's link; not every zone has one")
    func localName() throws {
        let link = "/usr/share/zoneinfo/posix/../Asia/Tokyo"
        for (variable, path, name) in [
            ("Europe/Berlin", link, "Europe/Berlin"), (":Europe/Berlin", link, "Europe/Berlin"),
            ("/usr/share/zoneinfo/Europe/Berlin", link, "Europe/Berlin"), ("UTC", link, "UTC"),
            ("Etc/UTC", link, "UTC"), ("CET-1CEST", link, nil), ("", link, nil),
            ("Nowhere/Land", link, nil), (nil, "/etc/passwd", nil), (nil, "/nonexistent", nil),
        ] as [(String?, String, String?)] {
            let environment = variable.map { ["TZ": $0] } ?? [:]
            #expect(
                LocalZone.name(environment: environment, localtimePath: path) == name,
                "\(variable ?? path)")
        }
        let folder = try TemporaryFolder()
        let path = folder.file("localtime")
        try FileManager.default.createSymbolicLink(
            atPath: path, withDestinationPath: "/usr/share/zoneinfo/Asia/Tokyo")
        #expect(LocalZone.name(environment: [:], localtimePath: path) == "Asia/Tokyo")
    }

    @Test("a copy of a zone's file is known by its content, and the name beside it decides")
    func copiedZone() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("localtime")
        func name() -> String? { LocalZone.name(environment: [:], localtimePath: path) }
        try FileManager.default.copyItem(
            atPath: "/usr/share/zoneinfo/Asia/Kolkata", toPath: path)
        #expect(name() == "Asia/Kolkata")
        #expect(LocalZone.name(environment: ["TZ": ":" + path]) == "Asia/Kolkata")
        // Another name of the same zone.
        try folder.plant("Asia/Calcutta\n", "timezone")
        #expect(name() == "Asia/Calcutta")
        // One that was left behind when the zone was changed.
        try folder.plant("Europe/Berlin\n", "timezone")
        #expect(name() == "Asia/Kolkata")
        try FileManager.default.removeItem(atPath: path)
        try folder.plant("TZif2", "localtime")
        #expect(name() == nil)
    }

    @Test("the dangling link of a container without zones says UTC, others say nothing")
    func danglingLink() throws {
        let folder = try TemporaryFolder()
        for (target, name) in [("Etc/UTC", "UTC"), ("Asia/Tokyo", nil)] as [(String, String?)] {
            let path = folder.file(target.replacing("/", with: "-"))
            try FileManager.default.createSymbolicLink(
                atPath: path, withDestinationPath: "/usr/share/zoneinfo/" + target)
            #expect(
                LocalZone.name(environment: ["TZDIR": "/nonexistent"], localtimePath: path) == name)
        }
    }

    @Test("an unusable TZ is a sentence")
    func fault() {
        #expect(
            LocalZone.find(environment: ["TZ": "Nowhere/City"]).fault
                == "TZ is 'Nowhere/City', which is no time zone here; times are in UTC")
        #expect(LocalZone.find(environment: ["TZ": "XST-5:30"]).fault == nil)
    }

    @Test("UTC needs no zone files")
    func withoutZoneFiles() {
        for name in ["UTC", "GMT", ":UTC"] {
            let zone = LocalZone.find(environment: ["TZ": name, "TZDIR": "/nonexistent"])
            #expect(zone.rules == .utc && zone.unusable == nil)
        }
        #expect(
            LocalZone.find(environment: ["TZ": "Asia/Tokyo", "TZDIR": "/nonexistent"]).unusable
                == "Asia/Tokyo")
    }

    @Test("TZDIR moves the zone folder, a relative one is not used")
    func zoneFolder() {
        let asia = LocalZone.find(
            environment: ["TZ": "Tokyo", "TZDIR": "/usr/share/zoneinfo/Asia"])
        #expect(asia.rules.offset(at: Timestamp(seconds: 0)) == 32_400)
        let relative = LocalZone.find(environment: ["TZ": "Asia/Tokyo", "TZDIR": "tmp"])
        #expect(relative.rules.offset(at: Timestamp(seconds: 0)) == 32_400)
    }
}
