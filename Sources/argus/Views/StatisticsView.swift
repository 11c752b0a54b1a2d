import ArgusCore
import ArgusEvents

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

/// A chart of event counts: bars, and an hourly heat strip for each day.
struct StatisticsChart {
    /// The most days with a heat strip; the newest ones.
    private static let maxDays = 31
    private static let eighths = Array("▏▎▍▌▋▊▉█")
    private static let heat = Array("░▒▓█")

    private let statistics: EventStatistics
    private let groups: [EventStatistics.Group]
    private let width: Int
    private let style: Style

    init(_ statistics: EventStatistics, _ groups: [EventStatistics.Group], terminal: Terminal) {
        self.statistics = statistics
        self.groups = groups
        width = max(40, min(terminal.width, 100))
        style = terminal.style
    }

    /// The whole chart, a line feed at its end.
    var text: String {
        var lines = ["\(statistics.total) events"]
        guard statistics.total > 0 else { return lines[0] + "\n" }
        for group in groups where group != .total {
            lines += ["", style.bold(group.rawValue.uppercased())] + bars(statistics.rows(group))
        }
        // Without chosen groups.
        if groups.contains(.total) { lines += ["", style.bold("HOUR BY DAY")] + strips }
        return lines.joined(separator: "\n") + "\n"
    }

    private func bars(_ rows: [EventStatistics.Row]) -> [String] {
        let names = rows.map {
            DisplayWidth.truncate(Sanitizer.visible($0.name ?? $0.key ?? "none"), to: 24)
        }
        let column = names.map(DisplayWidth.of).max() ?? 0
        let most = rows.map(\.count).max() ?? 1
        let digits = String(most).count
        let room = max(8, width - column - digits - 4)
        return zip(names, rows).map { name, row in
            let padding = String(repeating: " ", count: column - DisplayWidth.of(name))
            let number = String(row.count)
            let blanks = String(repeating: " ", count: digits - number.count)
            return "\(name)\(padding)  \(blanks)\(number)  "
                + style.green(bar(row.count, of: most, room))
        }
    }

    private func bar(_ count: Int, of most: Int, _ room: Int) -> String {
        guard count > 0 else { return "" }
        let eighths = max(1, count * room * 8 / max(most, 1))
        let rest = eighths % 8
        return String(repeating: "█", count: eighths / 8)
            + (rest > 0 ? String(Self.eighths[rest - 1]) : "")
    }

    private var strips: [String] {
        let days = statistics.hoursOfDays.sorted { $0.key < $1.key }.suffix(Self.maxDays)
        let most = days.flatMap(\.value).max() ?? 1
        let ruler = "            0     6     12    18    "
        return [style.dim(ruler)]
            + days.map { day, hours in
                "\(day)  "
                    + String(
                        hours.map { count in
                            count == 0
                                ? "·" : Self.heat[min(3, (count * 4 - 1) / max(most, 1))]
                        })
            }
    }
}
