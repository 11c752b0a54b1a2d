import ArgusTestSupport
import Testing

@testable import ArgusCore
@testable import ArgusEvents
@testable import ArgusKit

@Suite("digests")
struct DigestTests {
    /// A zone whose clocks change at the end of March and of October.
    static let zone = LocalZone.find(environment: ["TZ": "CET-1CEST,M3.5.0,M10.5.0/3"]).rules

    /// The whole local day.
    static func day(_ year: Int, _ month: Int, _ day: Int) -> ClosedRange<Timestamp> {
        let date = CivilDate(year: year, month: month, day: day)
        return zone.start(of: date)...zone.end(of: date)
    }

    static let span = day(2026, 11, 26)

    /// A time on the day, in minutes after midnight.
    static func at(_ minute: Int) -> Timestamp { span.lowerBound + .seconds(60 * Int64(minute)) }

    static func event(_ minute: Int, _ change: (inout Event) -> Void = { _ in }) -> Event {
        var event = Event(id: "e\(minute)", cameraID: "c1", cameraName: "Front Door")
        (event.timestamp, event.smartDetectionType) = (at(minute), "person")
        change(&event)
        return event
    }

    static func digest(
        _ events: [Event], in span: ClosedRange<Timestamp> = span, rules: RuleSet? = nil,
        _ habits: HouseHabits? = nil
    ) -> Digest {
        var counter = DigestCounter(Digest(of: "home", span: span, zone: zone), rules: rules)
        for event in events { counter.add(event, thumbnail: ThumbnailReference()) }
        return counter.finish(habits)
    }

    private func text(_ digest: Digest, width: Int = 80) -> String {
        DigestText(digest, width: width, style: .plain).text
    }

    @Test("a visit ends with a pause of more than ten minutes, whichever event comes first")
    func visits() {
        let events = [0, 9, 19, 20, 31, 32, 60].map { Self.event($0) }
        for events in [events, events.reversed()] {
            let digest = Self.digest(events)
            #expect(digest.events == 7 && digest.visits == 3)
            #expect(digest.cameras.map(\.camera.title) == ["Front Door"])
            #expect(digest.cameras[0].kinds == [.init(kind: "person", visits: 3, events: 7)])
            #expect(digest.hours[0] == 2 && digest.hours[1] == 1)
        }
    }

    @Test("each camera and each kind has its own visits; what is outside the span has none")
    func kinds() {
        let events = [
            Self.event(0), Self.event(1) { $0.smartDetectionType = "vehicle" },
            Self.event(2) { ($0.cameraID, $0.cameraName) = ("c2", nil) },
            Self.event(3) { ($0.smartDetectionType, $0.objects) = (nil, ["package"]) },
            Self.event(4) { $0.smartDetectionType = nil }, Self.event(-1), Self.event(1440),
        ]
        let digest = Self.digest(events)
        #expect(digest.events == 5 && digest.visits == 5)
        #expect(digest.kinds.kinds == ["person", "motion", "package", "vehicle"])
        #expect(digest.cameras.map(\.camera.title) == ["Front Door", "c2"])
        #expect(digest.packages.map(\.visits.visits) == [1])
    }

    @Test(
        "a day has as many hours as the clocks give it",
        arguments: [(3, 29, 23), (10, 25, 25), (11, 26, 24)])
    func clocks(month: Int, day: Int, hours: Int) {
        let now = Self.zone.start(of: CivilDate(year: 2026, month: month, day: day + 1))
        let calendar = LocalCalendar(now: now + .seconds(30_000), zone: Self.zone)
        let span = NamedPeriod.yesterday.range(on: calendar)
        var events: [Event] = []
        // From an hour before to an hour after, every half hour.
        for step in -2..<2 * hours + 2 {
            events.append(
                Self.event(step) { $0.timestamp = span.lowerBound + .seconds(1800 * Int64(step)) })
        }
        let digest = Self.digest(events, in: span)
        #expect(digest.events == 2 * hours && digest.visits == 2 * hours)
        #expect(digest.hours.reduce(0, +) == 2 * hours)
        #expect(digest.hours[2] == (hours == 23 ? 0 : hours == 25 ? 4 : 2))
        #expect(text(digest).hasPrefix(hours == 24 ? "Thursday 26 November" : "Sunday "))
    }

    @Test("people, rings, packages and alarms")
    func rows() throws {
        let rule = try #require(
            AlertRule(
                JSONView.parse(
                    Array(
                        #"{"id":"r1","name":"Night","conditions":{"object_types":["person"]}}"#.utf8
                    ))))
        let events = [
            Self.event(10) { ($0.hasEntity, $0.objects) = (false, ["person"]) },
            Self.event(12) { ($0.hasEntity, $0.isDoorbellRing) = (false, true) },
            Self.event(15) { ($0.hasEntity, $0.entityID, $0.entityName) = (true, "p1", "Ann") },
            Self.event(20) {
                ($0.cameraID, $0.cameraName) = ("c2", "Porch")
                ($0.hasEntity, $0.entityID, $0.entityName) = (true, "p1", "Ann")
            },
            Self.event(90) { ($0.hasEntity, $0.smartDetectionType) = (false, "vehicle") },
            Self.event(100) { ($0.smartDetectionType, $0.carrier) = ("package", "dhl") },
            Self.event(101) { $0.alertTriggered = true },
        ]
        let digest = Self.digest(events, rules: RuleSet([rule], in: .utc))
        #expect(digest.strangers?.map(\.title) == ["Front Door"])
        #expect(digest.strangers?.first?.visits.events == 2)
        #expect(digest.entities.map(\.title) == ["Ann"])
        #expect(digest.entities.first?.visits.visits == 1)
        #expect(digest.entities.first?.cameras == ["Front Door", "Porch"])
        #expect(digest.rings.first?.visits.starts == [Self.at(12)])
        #expect(digest.packages.first?.carriers == ["dhl"])
        #expect(digest.alarms?.map(\.title) == ["Night", "by the server"])
        #expect(digest.pictures.last?.reason == .alarm)
        let text = text(digest)
        #expect(text.contains("\n  Front Door  1 visit  00:12\n"))
        #expect(text.hasSuffix("\nNo unusual hours, no gaps. Silence could not be judged.\n"))
    }

    @Test("what no event tells is not known, and an empty day has nothing")
    func unknown() {
        let digest = Self.digest([Self.event(1)])
        #expect(digest.alarms == nil && digest.strangers == nil && digest.silent == nil)
        let empty = Self.digest([])
        #expect(empty.alarms == [] && empty.strangers == [] && empty.pictures.isEmpty)
        #expect(
            text(empty) == """
                Thursday 26 November 2026
                home: no events

                No alarms, no unusual hours, no strangers, no rings, no packages, no gaps.
                Silence could not be judged.

                """)
    }

    @Test("an hour is unusual if the camera was quiet around it for weeks, on enough days")
    func unusual() {
        func habits(days: Int) -> HouseHabits {
            var house = HouseActivity()
            let events = (1...days).flatMap { day in
                [480, 720, 1080].map { Self.event($0 - 1440 * day) }
            }
            house.add(events, until: Self.span.upperBound, in: Self.zone)
            var habits = HouseHabits()
            habits.learn(
                house, [.init(id: "c1", source: nil)], before: Self.span.lowerBound,
                silentAt: Self.span.upperBound, in: Self.zone)
            return habits
        }
        let events = [61, 100, 130, 430, 485, 1380].map { Self.event($0) }
        let digest = Self.digest(events, habits(days: 20))
        #expect(digest.unusualHours.count == 2)
        #expect(digest.unusualHours.first?.span == Self.at(60)..<Self.at(180))
        #expect(digest.unusualHours.first?.events == 3 && digest.unusualHours.first?.days == 20)
        #expect(text(digest).contains("  Front Door  01:00–03:00  3 events; none at these hours"))
        #expect(text(digest).contains("23:00–24:00"))
        #expect(Self.digest(events, habits(days: 6)).unusualHours.isEmpty)
    }

    @Test("a camera is silent if it was at the end of the span, though it has woken since")
    func silent() {
        var house = HouseActivity()
        let days = (1...28).flatMap { day in
            stride(from: 0, to: 1440, by: 20).map { Self.event($0 - 1440 * day) }
        }
        house.add(days + [Self.event(5), Self.event(2000)], until: Self.at(2100), in: Self.zone)
        var habits = HouseHabits()
        habits.learn(
            house, [.init(id: "c1", source: nil)], before: Self.span.lowerBound,
            silentAt: Self.span.upperBound, in: Self.zone)
        habits.name({ _ in "Porch" }, keeping: { $0.id == "c1" })
        let digest = Self.digest([], habits)
        #expect(digest.silent?.map(\.cameras) == [[.init(id: "c1", name: "Porch")]])
        #expect(text(digest).contains("\nSilent\n  Porch  no event since 00:00; in 28 days never"))
        habits.name({ _ in nil }, keeping: { $0.id == "c2" })
        #expect(Self.digest([], habits).silent == [])
    }

    @Test("pictures are those of the visits that matter most, one for each, and counted")
    func pictures() {
        var events = (0..<90).flatMap { visit in
            [0, 1].map { minute in
                Self.event(visit * 15 + minute) { $0.isDoorbellRing = visit < 5 && minute == 1 }
            }
        }
        events.append(Self.event(1400) { $0.hasThumbnail = false })
        let digest = Self.digest(events)
        #expect(digest.pictures.count == 24 && digest.picturesLeftOut == 66)
        #expect(digest.pictures.count { $0.reason == .ring } == 5)
        #expect(digest.pictures.first?.event.id == "e1")
        #expect(Set(digest.pictures.map(\.event.id)).count == 24)
    }

    @Test("no line is wider than the terminal, whatever things are called")
    func hostile() {
        let names = HostileNames.all
        let events = names.enumerated().flatMap { index, name in
            [0, 30, 60].map { minute in
                Self.event(minute + index) {
                    ($0.cameraID, $0.cameraName) = ("c\(index)", name)
                    ($0.entityID, $0.entityName, $0.hasEntity) = ("p\(index)", name, true)
                    ($0.smartDetectionType, $0.carrier) = (name, name)
                    ($0.isDoorbellRing, $0.objects) = (true, ["package"])
                }
            }
        }
        var digest = Self.digest(events)
        digest.source = names.joined()
        for width in [60, 80, 100] {
            for line in text(digest, width: width).split(separator: "\n") {
                #expect(DisplayWidth.of(String(line)) <= width, "\(line)")
                #expect(line.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0 != "\u{202E}" })
            }
        }
    }
}

/// Names that try to be something else.
enum HostileNames {
    static let all = [
        "Door\nBcc: eve@example.org\n\nhello", "Door\r\n.\r\n", "<script>alert(1)</script>",
        "\u{202E}rood\u{202C}", String(repeating: "w", count: 4000), "👨‍👩‍👧‍👦 前庭 Tür",
        "=?utf-8?q?evil?=", "\"><img src=x onerror=alert(1)>", "--=_argus_alternative--",
        "From the garden", ".", "\u{1B}[2J", "../../etc/passwd", "",
    ]
}
