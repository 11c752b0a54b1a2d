import Foundation
import Testing

@testable import ArgusCore
@testable import ArgusEvents
@testable import ArgusPush

@Suite("DeliveryFilter")
struct DeliveryFilterTests {
    private static let zones = [
        "UTC", "Europe/Berlin", "Europe/London", "Europe/Lisbon", "Europe/Dublin",
        "Europe/Helsinki",
        "Europe/Moscow", "Europe/Istanbul", "Africa/Cairo", "Africa/Johannesburg", "Africa/Lagos",
        "America/New_York", "America/Chicago", "America/Denver", "America/Phoenix",
        "America/Los_Angeles", "America/Anchorage", "America/Halifax", "America/St_Johns",
        "America/Sao_Paulo", "America/Bogota", "America/Santiago", "America/Havana", "Asia/Tokyo",
        "Asia/Shanghai", "Asia/Kolkata", "Asia/Kathmandu", "Asia/Dubai", "Asia/Jerusalem",
        "Asia/Beirut", "Asia/Singapore", "Asia/Karachi", "Australia/Sydney", "Australia/Adelaide",
        "Australia/Lord_Howe", "Australia/Perth", "Pacific/Auckland", "Pacific/Chatham",
        "Pacific/Honolulu", "Atlantic/Azores",
    ]

    /// A zone as Foundation knows it, with the changes of its clocks in 2024.
    private struct Known {
        var rules: TimeZoneRules
        var other: TimeZone
        var changes: [Int] = []

        init(_ name: String) throws {
            rules = try #require(LocalZone.rules(named: name, environment: [:]))
            other = try #require(TimeZone(identifier: name))
            // 2024-01-01 to 2025-01-01.
            var day = 1_704_067_200
            while day < 1_735_689_600 {
                var (low, high) = (day, day + 86_400)
                if offset(at: low) != offset(at: high) {
                    while high - low > 1 {
                        let middle = (low + high) / 2
                        if offset(at: middle) == offset(at: low) {
                            low = middle
                        } else {
                            high = middle
                        }
                    }
                    changes.append(high)
                }
                day += 86_400
            }
        }

        func offset(at second: Int) -> Int {
            other.secondsFromGMT(for: Date(timeIntervalSince1970: Double(second)))
        }

        /// The minute of the day.
        func minute(at second: Int) -> Int {
            (((second + offset(at: second)) / 60) % 1440 + 1440) % 1440
        }
    }

    /// The rule that keeps an event by the verdict about it, else its outcome.
    private func decision(
        _ event: Event, for token: DeliveryToken, at time: Timestamp, in zone: TimeZoneRules?
    ) -> String {
        let record = DeliveryRecord(deciding: event, for: token, at: time, in: zone)
        return record.reason ?? record.outcome.rawValue
    }

    /// The rules of the design documents, written again: the first rule that keeps the event.
    private func expected(
        _ event: Event, _ token: DeliveryToken, quiet: (start: Int, end: Int)?, minute: Int
    ) -> String {
        guard token.isActive else { return "inactive" }
        if let cameras = token.preferences.cameras, !Set(cameras).contains(event.cameraID ?? "") {
            return "camera"
        }
        if let types = token.preferences.objects {
            var words = Set((event.objects ?? []).map { $0.lowercased() })
            if let smart = event.smartDetectionType { words.insert(smart.lowercased()) }
            let isRing = words.contains("ring") || event.isDoorbellRing == true
            if !words.isEmpty, !isRing, words.isDisjoint(with: types) { return "type" }
        }
        if let quiet {
            var isQuiet = false
            var step = quiet.start
            // Minute by minute from the start to just before the end, over midnight if need be.
            while step != quiet.end, !isQuiet {
                isQuiet = step == minute
                step = (step + 1) % 1440
            }
            if isQuiet { return "quiet_hours" }
        }
        return token.preferences.hasSound ? "sent" : "silent"
    }

    @Test("100,000 pairs in 40 zones decide as a table of their own does")
    func pairs() throws {
        #expect(Set(Self.zones).count == 40)
        let zones = try Self.zones.map(Known.init)
        #expect(zones.count { !$0.changes.isEmpty } > 20)
        var random = SystemRandomNumberGenerator()
        var seen: [String: Int] = [:]
        for number in 0..<100_000 {
            let zone = zones[number % zones.count]
            var second = Int.random(in: 1_704_067_200..<1_735_689_600, using: &random)
            if number % 2 == 0, let change = zone.changes.randomElement(using: &random) {
                second = change + Int.random(in: -10_800...10_800, using: &random)
            }
            let minute = zone.minute(at: second)
            var token = try Self.token(&random)
            var quiet: (start: Int, end: Int)?
            if Bool.random(using: &random) {
                // Often at the edge: from now on, until now, until the next minute, around midnight.
                let other = Int.random(in: 0..<1440, using: &random)
                let pairs = [
                    (minute, other), (other, minute), (other, (minute + 1) % 1440), (1320, 420),
                    (0, other), (other, 0), (minute, minute), (other, Int.random(in: 0..<1440)),
                ]
                let pair = pairs.randomElement(using: &random) ?? (0, 0)
                quiet = pair
                token.preferences.isQuietEnabled = true
                token.preferences.quietStart = Self.clock(pair.0)
                token.preferences.quietEnd = Self.clock(pair.1)
            }
            let event = Self.event(&random)
            let decision = decision(
                event, for: token, at: Timestamp(seconds: Int64(second)), in: zone.rules)
            let wanted = expected(event, token, quiet: quiet, minute: minute)
            if decision != wanted {
                Issue.record("\(zone.other.identifier) \(second): \(decision), not \(wanted)")
                return
            }
            seen[decision, default: 0] += 1
        }
        // Every decision is frequent, so that none is agreed on for lack of cases.
        #expect(seen.count == 6 && seen.values.allSatisfy { $0 > 2000 }, "\(seen)")
    }

    private static func clock(_ minute: Int) -> String {
        "\((minute / 60).padded(to: 2)):\((minute % 60).padded(to: 2))"
    }

    private static func token(
        _ random: inout SystemRandomNumberGenerator
    ) throws -> DeliveryToken {
        var token = shared
        token.isActive = Int.random(in: 0..<8, using: &random) > 0
        let lists = [["c1"], ["c1", "c2"], [], ["c3"]]
        if Bool.random(using: &random) { token.preferences.cameras = lists.randomElement() }
        let types = [["person"], ["person", "vehicle"], [], ["package", "animal"]]
        if Bool.random(using: &random) { token.preferences.objects = types.randomElement() }
        token.preferences.hasSound = Bool.random(using: &random)
        return token
    }

    private static let shared = DeliveryToken(
        id: "t", address: .fcm(token: PushToken(stored: "f")), createdAt: Timestamp(seconds: 0))

    private static func event(_ random: inout SystemRandomNumberGenerator) -> Event {
        var event = Event(id: "e")
        event.cameraID = [nil, "c1", "c2", "c3"].randomElement(using: &random) ?? nil
        let smart = [nil, nil, "person", "Vehicle", "ring", "motion", "package"]
        event.smartDetectionType = smart.randomElement(using: &random) ?? nil
        let objects = [nil, nil, [], ["person"], ["vehicle", "animal"], ["unknown"]]
        event.objects = objects.randomElement(using: &random) ?? nil
        if Int.random(in: 0..<6, using: &random) == 0 { event.isDoorbellRing = true }
        return event
    }

    @Test("a clock that goes back is quiet twice, and one that leaps has a shorter night")
    func summerTime() throws {
        let zone = try #require(LocalZone.rules(named: "Europe/Berlin", environment: [:]))
        var token = Self.shared
        token.preferences.isQuietEnabled = true
        (token.preferences.quietStart, token.preferences.quietEnd) = ("02:00", "03:00")
        func isQuiet(_ text: String) throws -> Bool {
            let time = try #require(Timestamp(serverText: text))
            return decision(Event(id: "e"), for: token, at: time, in: zone) == "quiet_hours"
        }
        // Summer time begins: there is no 02:30 that night.
        for text in ["2026-03-29T00:59:59Z", "2026-03-29T01:00:00Z", "2026-03-29T01:30:00Z"] {
            #expect(try !isQuiet(text))
        }
        // It ends: 02:30 comes twice.
        for text in ["2026-10-25T00:00:00Z", "2026-10-25T00:30:00Z", "2026-10-25T01:59:59Z"] {
            #expect(try isQuiet(text))
        }
        #expect(try !isQuiet("2026-10-25T02:00:00Z") && !isQuiet("2026-10-24T23:59:59Z"))
    }

    @Test("quiet hours that make no sense, or of an unknown zone, keep nothing")
    func senseless() throws {
        var token = Self.shared
        token.preferences.isQuietEnabled = true
        let event = Event(id: "e")
        #expect(decision(event, for: token, at: Deliveries.now, in: .utc) == "sent")
        (token.preferences.quietStart, token.preferences.quietEnd) = ("00:00", "23:59")
        #expect(decision(event, for: token, at: Deliveries.now, in: nil) == "sent")
        let quiet = DeliveryRecord(deciding: event, for: token, at: Deliveries.now, in: .utc)
        #expect(quiet.reason == "quiet_hours" && quiet.value == "00:00-23:59 UTC")
        #expect(quiet.passesAt == Timestamp(serverText: "2026-11-21T23:59:00Z"))
        token.preferences.cameras = []
        let camera = DeliveryRecord(deciding: event, for: token, at: Deliveries.now, in: .utc)
        #expect(camera.reason == "camera" && camera.passesAt == nil)
    }
}
