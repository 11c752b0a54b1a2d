import ArgusCore
import ArgusEvents
import Glibc

enum StatisticsView {
    static let fields: [Field<EventStatistics.Row>] = [
        .column("group", "what is counted: total, camera, type, hour, day, weekday") {
            $0.group.rawValue
        },
        .hidden("key", "the camera's id, the type, the hour, the day or the weekday") { $0.key },
        .column("name", "the camera's name; else the key") { $0.name ?? $0.key },
        .column("count", "how many events") { $0.count },
        .column("alerts", "how many of them fired an alert rule") { $0.alerts },
    ]
}

/// A picture of event counts: one screen, or long charts of chosen groups.
struct StatisticsChart {
    /// The most days with a heat strip; the newest ones.
    private static let maxDays = 31
    private static let maxBar = 40
    private static let eighths = Array("▏▎▍▌▋▊▉█")
    private static let levels = Array("▁▂▃▄▅▆▇█")

    private let statistics: EventStatistics
    /// The chosen groups; nil for the screen.
    private let groups: [EventStatistics.Group]?
    private let terminal: Terminal

    init(_ statistics: EventStatistics, _ groups: [EventStatistics.Group]?, terminal: Terminal) {
        (self.statistics, self.groups, self.terminal) = (statistics, groups, terminal)
    }

    private var style: Style { terminal.style }

    /// The whole chart, a line feed at its end.
    var text: String {
        var lines = [title]
        if statistics.total > 0 {
            if let groups { lines += groups.flatMap(chart) } else { lines += screen }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private var title: String {
        let count = "\(statistics.total) event\(statistics.total == 1 ? "" : "s")"
        let days = statistics.rows(.day).compactMap(\.key)
        guard let first = days.first, let last = days.last else { return count }
        return count + style.dim(first == last ? " on \(first)" : " from \(first) to \(last)")
    }

    // MARK: The screen

    private var screen: [String] {
        let hours = heatMap
        let (cameras, types) = (statistics.rows(.camera), statistics.rows(.type))
        // A title, two headings, three blank lines, and the prompt.
        let room = max(6, min(terminal.height, 60) - hours.count - 7)
        let typeRoom = max(room / 2, room - cameras.count)
        let cameraBars = bars(cameras, .camera, most: room - min(typeRoom, types.count))
        return ["", style.bold("CAMERA")] + cameraBars + ["", style.bold("TYPE")]
            + bars(types, .type, most: typeRoom) + [""] + hours
    }

    /// The events of each hour as one strip, and below it those of each weekday and hour; a blank for
    /// an hour that was not counted.
    private var heatMap: [String] {
        let hours = statistics.hours
        guard let most = hours.compactMap(\.self).max(), most > 0 else { return [] }
        let weekdays =
            statistics.isShort ? [] : statistics.countedRows(.weekday).compactMap(\.key)
        let labels = weekdays.map { weekday in
            weekday.prefix(3).capitalizedFirst + daysText(of: weekday)
        }
        let column = max(4, labels.map(\.count).max() ?? 0) + 2
        // A narrow terminal has one cell for an hour, others two.
        let cells = column + 48 + 14 <= terminal.width ? 2 : 1
        let shades = HeatShades(weekdays.flatMap { statistics.hours(ofWeekday: $0) })
        let strip = hours.map { count in
            HeatShades.cell(count) { Self.levels[min(7, ($0 * 8 - 1) / most)] }
        }
        let lines = zip(labels, weekdays).map { label, weekday in
            label.padded(to: column)
                + shades.strip(statistics.hours(ofWeekday: weekday), cells, style)
        }
        return [
            style.bold("HOUR".padded(to: column)) + style.dim(Self.ruler(cells)),
            "All".padded(to: column) + style.green(strip.map { $0.repeated(cells) }.joined())
                + style.dim("  █ = \(most)"),
        ] + lines + (lines.isEmpty ? [] : ["".padded(to: column) + shades.legend(style)])
    }

    private static func ruler(_ cells: Int) -> String {
        ["0", "6", "12", "18"].map { $0.padded(to: 6 * cells) }.joined()
    }

    /// The number of days behind the count of a weekday, unless it is one.
    private func daysText(of weekday: String) -> String {
        let days = statistics.days(ofWeekday: weekday)
        return days > 1 ? " (\(days) days)" : ""
    }

    // MARK: Bars

    private func chart(of group: EventStatistics.Group) -> [String] {
        let heading = ["", style.bold(group.rawValue.uppercased())]
        let bars = heading + bars(statistics.countedRows(group), group, most: .max)
        return group == .day ? bars + ["", style.bold("HOUR BY DAY")] + strips : bars
    }

    /// A line for each row; the last of `most` lines counts the rows that have none.
    private func bars(
        _ rows: [EventStatistics.Row], _ group: EventStatistics.Group, most limit: Int
    ) -> [String] {
        let rest = rows.count > limit ? rows.count - limit + 1 : 0
        let names = rows.map { row in
            let name = row.name ?? row.key ?? "none"
            let text =
                group == .weekday ? name.capitalizedFirst + daysText(of: row.key ?? "") : name
            return DisplayWidth.truncate(Sanitizer.visible(text), to: 24)
        }
        let column = names.map(DisplayWidth.of).max() ?? 0
        let most = rows.map(\.count).max() ?? 1
        let digits = String(most).count
        let room = min(Self.maxBar, max(8, terminal.width - column - digits - 4))
        let lines = zip(names, rows).dropLast(rest).map { name, row in
            let color = group == .type ? TextColor(eventType: row.key ?? "") : .green
            let number = String(row.count)
            let blanks = String(repeating: " ", count: digits - number.count)
            let bar = style.paint(bar(row.count, of: most, room), color)
            return "\(name.padded(to: column))  \(blanks)\(number)"
                + (row.count == 0 ? "" : "  \(bar)")
        }
        let others = "and \(rest) more: --by \(group.rawValue)"
        return lines + (rest > 0 ? [style.dim(others)] : [])
    }

    private func bar(_ count: Int, of most: Int, _ room: Int) -> String {
        guard count > 0 else { return "" }
        let eighths = max(1, count * room * 8 / max(most, 1))
        let rest = eighths % 8
        return "█".repeated(eighths / 8) + (rest > 0 ? String(Self.eighths[rest - 1]) : "")
    }

    private var strips: [String] {
        let days = statistics.hoursByDay.suffix(Self.maxDays)
        let cells = terminal.width >= 62 ? 2 : 1
        let shades = HeatShades(days.flatMap(\.hours))
        return [style.dim("".padded(to: 12) + Self.ruler(cells))]
            + days.map { "\($0.day)  " + shades.strip($0.hours, cells, style) }
            + ["".padded(to: 12) + shades.legend(style)]
    }
}

/// The shades of a heat map: four steps from the smallest to the largest count of an hour, each by
/// the same factor, so that a rush stands out while ordinary hours still differ.
private struct HeatShades {
    private static let shades = Array("░▒▓█")

    private let least: Int
    private let most: Int
    /// The counts of each shade; nil for one that no hour has.
    private var ranges: [ClosedRange<Int>?] = Array(repeating: nil, count: shades.count)

    init(_ counts: [Int?]) {
        let counts = counts.compactMap(\.self).filter { $0 > 0 }.sorted()
        (least, most) = (counts.first ?? 0, counts.last ?? 0)
        for count in counts {
            let shade = shade(of: count)
            ranges[shade] = (ranges[shade]?.lowerBound ?? count)...count
        }
    }

    private func shade(of count: Int) -> Int {
        let last = Self.shades.count - 1
        guard least < count, count < most else { return count < most ? 0 : last }
        let part = log(Double(count) / Double(least)) / log(Double(most) / Double(least))
        return Int((part * Double(last)).rounded())
    }

    /// The sign of an hour: a blank for one that was not counted, a dot for none.
    static func cell(_ count: Int?, _ sign: (Int) -> Character) -> String {
        guard let count else { return " " }
        return count == 0 ? "·" : String(sign(count))
    }

    func strip(_ counts: [Int?], _ cells: Int, _ style: Style) -> String {
        style.green(
            counts.map { count in
                Self.cell(count) { Self.shades[shade(of: $0)] }.repeated(cells)
            }.joined())
    }

    func legend(_ style: Style) -> String {
        let parts = zip(Self.shades, ranges).compactMap { shade, range in
            range.map { range in
                let (least, most) = (range.lowerBound, range.upperBound)
                return "\(shade) \(least)" + (least == most ? "" : "–\(most)")
            }
        }
        return style.dim((["· 0"] + parts).joined(separator: "  "))
    }
}

extension StringProtocol {
    fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }

    fileprivate func repeated(_ count: Int) -> String {
        String(repeating: String(self), count: count)
    }
}
