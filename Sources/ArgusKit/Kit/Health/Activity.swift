package import ArgusCore

/// The ten-minute slots of local time in which a camera had events.
///
/// A slot is numbered by local days since 1970-01-01, times 144, plus its number in the day.
package struct Activity: Sendable, Equatable {
    static let slotsADay = 144
    static let slotsAnHour = 6

    /// The slots of each local day, by its number since 1970-01-01.
    private var days: [Int: Set<UInt8>] = [:]
    /// The time of the newest event.
    package private(set) var last: Timestamp?

    package init() {}

    /// The activity of several cameras as if they were one.
    init(joining all: [Activity]) {
        for one in all {
            for (day, slots) in one.days { days[day, default: []].formUnion(slots) }
        }
        last = all.compactMap(\.last).max()
    }

    /// The slot of an instant.
    static func slot(of time: Timestamp, in zone: TimeZoneRules) -> Int {
        let fields = zone.fields(of: time)
        return fields.date.daysSinceEpoch * slotsADay
            + (fields.clock.hour * 60 + fields.clock.minute) / 10
    }

    mutating func add(_ time: Timestamp, in zone: TimeZoneRules) {
        let slot = Self.slot(of: time, in: zone)
        days[day(of: slot), default: []].insert(UInt8(slot.modulo(Self.slotsADay)))
        last = max(last ?? time, time)
    }

    private func day(of slot: Int) -> Int {
        (slot - slot.modulo(Self.slotsADay)) / Self.slotsADay
    }

    /// Removes what happened before a local day.
    mutating func forget(before day: Int) { days = days.filter { $0.key >= day } }

    /// The activity up to an instant, as if it were now.
    func until(_ time: Timestamp, in zone: TimeZoneRules) -> Activity {
        guard let last, last > time else { return self }
        var earlier = Activity()
        let end = Self.slot(of: time, in: zone)
        for slot in slots where slot < end {
            earlier.days[day(of: slot), default: []].insert(UInt8(slot.modulo(Self.slotsADay)))
        }
        earlier.last = earlier.slots.last.map { Self.start(of: $0, in: zone) }
        return earlier
    }

    /// The first instant of a slot.
    private static func start(of slot: Int, in zone: TimeZoneRules) -> Timestamp {
        let part = slot.modulo(slotsADay)
        let clock = TimeOfDay(hour: part / slotsAnHour, minute: part % slotsAnHour * 10)
        let date = CivilDate(daysSinceEpoch: (slot - part) / slotsADay)
        return zone.time(of: TimeFields(date: date, clock: clock))
    }

    /// The first local day with an event.
    var firstDay: Int? { days.keys.min() }

    func isActive(on day: Int) -> Bool { days[day] != nil }

    /// The hours of a local day with an event, 0 to 23.
    func hours(of day: Int) -> Set<Int> {
        Set((days[day] ?? []).map { Int($0) / Self.slotsAnHour })
    }

    /// All slots, in ascending order.
    var slots: [Int] {
        days.flatMap { day, slots in slots.map { day * Self.slotsADay + Int($0) } }.sorted()
    }
}

extension Int {
    /// The remainder, which is never negative.
    fileprivate func modulo(_ divisor: Int) -> Int { (self % divisor + divisor) % divisor }
}

// The stored form: `{"last": "2026-11-26T10:00:00.000000Z", "days": {"20783": "00c0…"}}`; each day has
// a bit for each slot, in hexadecimal.
extension Activity: StateDocument {
    package init(state: JSONValue) throws(StateUnreadable) {
        var object = try JSONObject(state)
        last = try object.time("last")
        guard case .object(let stored)? = object.take("days") else { throw StateUnreadable() }
        for (day, digits) in stored {
            guard let day = Int(day), (0...4_000_000).contains(day), case .text(let text) = digits,
                let slots = Self.slots(of: text)
            else { throw StateUnreadable() }
            days[day] = slots
        }
    }

    package var state: JSONValue {
        var object = JSONObject()
        object.put("last", last)
        let stored = days.map { (String($0.key), JSONValue.text(Self.text(of: $0.value))) }
        object.put("days", .object(Dictionary(uniqueKeysWithValues: stored)))
        return object.value
    }

    private static func text(of slots: Set<UInt8>) -> String {
        stride(from: 0, to: slotsADay, by: 4).map { first in
            let digit = (0..<4).reduce(0) { bits, place in
                bits << 1 | (slots.contains(UInt8(first + place)) ? 1 : 0)
            }
            return String(digit, radix: 16)
        }.joined()
    }

    private static func slots(of text: String) -> Set<UInt8>? {
        let digits = text.map(\.hexDigitValue)
        guard digits.count * 4 == slotsADay else { return nil }
        var slots: Set<UInt8> = []
        for (index, digit) in digits.enumerated() {
            guard let digit else { return nil }
            for place in 0..<4 where digit & (8 >> place) != 0 {
                slots.insert(UInt8(index * 4 + place))
            }
        }
        return slots
    }
}
