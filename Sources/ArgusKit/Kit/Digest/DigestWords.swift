import ArgusCore
import ArgusEvents

/// The words of a digest, which its text and its page have in common.
struct DigestWords {
    private let digest: Digest
    private let zone: TimeZoneRules
    private let first: TimeFields
    private let last: TimeFields

    init(_ digest: Digest) {
        self.digest = digest
        zone = digest.zone
        first = zone.fields(of: digest.span.lowerBound)
        last = zone.fields(of: digest.span.upperBound)
    }

    /// True if all times are of one local day.
    private var isOneDay: Bool { first.date == last.date }

    /// The span: `Thursday 26 November 2026`, or with times if it is not made of whole days.
    var title: String {
        func day(_ date: CivilDate) -> String {
            "\(date.weekdayName) \(date.day) \(date.monthName) \(date.year)"
        }
        func clock(_ fields: TimeFields) -> String {
            "\(fields.clock.hour.padded(to: 2)):\(fields.clock.minute.padded(to: 2))"
        }
        let before = digest.span.lowerBound - .microseconds(1)
        let after = digest.span.upperBound + .microseconds(1)
        let startsDay = zone.fields(of: before).date != first.date
        let endsDay = zone.fields(of: after).date != last.date
        let start = startsDay ? "" : ", \(clock(first))"
        let end = endsDay ? "" : " \(clock(last))"
        if isOneDay {
            guard !startsDay || !endsDay else { return day(first.date) }
            return "\(day(first.date)), \(clock(first)) to "
                + (endsDay ? "24:00" : clock(last))
        }
        return day(first.date) + start + " to " + day(last.date) + (end.isEmpty ? "" : ",\(end)")
    }

    /// `238 events in 74 visits at 4 cameras`.
    var summary: String {
        guard digest.events > 0 else { return "no events" }
        return "\(Self.count(digest.events, "event")) in \(Self.count(digest.visits, "visit")) at "
            + Self.count(digest.cameras.count, "camera")
    }

    static func count(_ number: Int, _ thing: String) -> String {
        "\(number) \(thing)\(number == 1 ? "" : "s")"
    }

    /// The time of day; with the day where there are several.
    func time(_ time: Timestamp) -> String {
        let text = time.displayText(in: zone)
        let clock = String(text.dropFirst(11).prefix(5))
        if isOneDay { return clock }
        let date = zone.fields(of: time).date
        return "\(date.weekdayName.prefix(3)) \(date.day) \(clock)"
    }

    /// The beginnings of visits, or the first and the last of many.
    func times(_ visits: VisitCount) -> String {
        if !visits.starts.isEmpty { return visits.starts.map(time).joined(separator: ", ") }
        return [visits.first, visits.last].compactMap(\.self).map(time).joined(separator: " – ")
    }

    /// The hours: `02:00–04:00`.
    func range(_ span: Range<Timestamp>) -> String {
        let end = span.upperBound.displayText(in: zone).dropFirst(11).prefix(5)
        return "\(time(span.lowerBound))–\(end == "00:00" ? "24:00" : String(end))"
    }

    func unusual(_ hours: Digest.UnusualHours) -> String {
        "\(Self.count(hours.events, "event")); none at these hours in \(hours.days) days before"
    }

    /// The names of silent cameras.
    func names(_ silence: Digest.Silence) -> String {
        silence.cameras.map(\.title).joined(separator: ", ")
    }

    func silent(_ silence: Digest.Silence) -> String {
        let near = NearTimeFormat(now: digest.span.upperBound, zone: zone)
        let since = silence.since.map { "no event since \(near.text($0))" } ?? "no event"
        let habit =
            silence.longest.map {
                "in \(silence.days) days never quiet at these hours for more than "
                    + DurationText.short($0)
            } ?? "for more than three weeks"
        return "\(since); \(habit)"
    }

    func gap(_ gap: Digest.Gap) -> String {
        let server = gap.server.map { "\($0): " } ?? ""
        let span = gap.span.map { "from \(time($0.lowerBound)) to \(time($0.upperBound))" } ?? ""
        return switch gap.reason {
        case .unreadable: server + "the server fails to list the events \(span)"
        case .notArchived: server + "nothing was archived \(span)"
        case .damaged:
            "the archive's copies of \(Self.count(gap.count ?? 0, "event")) are damaged"
        }
    }

    /// The visits of each hour of the day as a strip of so many cells an hour, below a ruler; nil
    /// without visits.
    func hours(cells: Int) -> (ruler: String, strip: String, most: Int)? {
        guard let most = digest.hours.max(), most > 0 else { return nil }
        let levels = Array("▁▂▃▄▅▆▇█")
        let strip = digest.hours.map { count in
            String(
                repeating: count == 0 ? "·" : levels[min(7, (count * 8 - 1) / most)], count: cells)
        }
        let ruler = ["0", "6", "12", "18"].map { hour in
            hour + String(repeating: " ", count: 6 * cells - hour.count)
        }
        return (ruler.joined(), strip.joined(), most)
    }

    /// What did not happen: `No alarms, no rings.`; nil if everything did, or nothing is known.
    var absences: String? {
        let absent = [
            (digest.alarms?.isEmpty, "alarms"), (digest.silent?.isEmpty, "silent cameras"),
            (digest.unusualHours.isEmpty, "unusual hours"),
            (digest.strangers?.isEmpty, "strangers"), (digest.rings.isEmpty, "rings"),
            (digest.packages.isEmpty, "packages"), (digest.gaps.isEmpty, "gaps"),
        ].filter { $0.0 == true }.map { "no \($0.1)" }
        guard let first = absent.first else { return nil }
        return "N" + ([first] + absent.dropFirst()).joined(separator: ", ").dropFirst() + "."
    }

    /// What is not known: `The server does not report …`; empty if nothing is missing.
    var unknowns: [String] {
        [
            digest.alarms == nil ? "Nothing is known of alarms." : nil,
            digest.strangers == nil ? "The server does not say whom it recognised." : nil,
            digest.silent == nil ? "Silence could not be judged." : nil,
        ].compactMap(\.self)
    }

    /// A caption's label for the reason of a picture; nil for an ordinary visit.
    func label(_ picture: Digest.Picture) -> String? {
        switch picture.reason {
        case .visit: nil
        case .recognised: picture.event.entityName
        case .package: picture.event.carrier.map { "package, \($0)" } ?? "package"
        case .stranger: "stranger"
        case .ring: "rang"
        case .alarm:
            picture.rules.isEmpty ? "alarm" : "alarm: \(picture.rules.joined(separator: ", "))"
        }
    }
}
