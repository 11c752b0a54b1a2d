package import ArgusCore

/// A digest as text, for a terminal or a mail.
package struct DigestText {
    /// The most lines of a section.
    private static let mostLines = 20
    private static let margin = "  "

    private let digest: Digest
    private let words: DigestWords
    private let width: Int
    private let style: Style

    /// Prepares the text for a width in cells.
    package init(_ digest: Digest, width: Int, style: Style) {
        (self.digest, self.style) = (digest, style)
        self.width = min(max(width, 40), 100)
        words = DigestWords(digest)
    }

    /// The whole text, with a line feed at its end; texts from the network are made visible.
    package var text: String {
        let head = [style.bold(words.title)] + broken(source + words.summary, indent: "")
        let sections = [
            section("Alarms", rows(digest.alarms ?? [], withCameras: true), .red),
            section("Silent", silence, .red),
            section("Gaps", digest.gaps.flatMap { broken(words.gap($0)) }, .red),
            section("Unusual hours", unusual, .yellow),
            section("Strangers", rows(digest.strangers ?? []), .yellow),
            section("Recognised", rows(digest.entities, withCameras: true)),
            section("Doorbell", rows(digest.rings)),
            section("Packages", rows(digest.packages)),
            visits, hours,
        ]
        let last = ([words.absences] + words.unknowns.map(Optional.some)).compactMap(\.self)
        let end = last.isEmpty ? [] : [""] + broken(last.joined(separator: " "), indent: "")
        return (head + sections.flatMap(\.self) + end).joined(separator: "\n") + "\n"
    }

    private var source: String {
        digest.source.isEmpty ? "" : "\(Sanitizer.visible(digest.source)): "
    }

    /// A heading and lines behind a blank one; nothing without lines.
    private func section(
        _ title: String, _ lines: [String], _ color: TextColor? = nil
    ) -> [String] {
        lines.isEmpty ? [] : ["", style.bold(style.paint(title, color))] + lines
    }

    /// A text in lines behind the margin, the later ones farther in.
    private func broken(_ text: String, indent: String = margin) -> [String] {
        let lines = DisplayWidth.lines(
            of: Sanitizer.visible(text), width: width - 2 * indent.count)
        return lines.enumerated().map { number, line in
            (number == 0 ? indent : indent + indent)
                + DisplayWidth.truncate(line, to: width - 2 * indent.count)
        }
    }

    // MARK: Rows

    private func rows(_ rows: [Digest.Row], withCameras: Bool = false) -> [String] {
        table(
            rows.map { row in
                let cameras = digest.cameras.count > 1 ? row.cameras : []
                let details = withCameras ? cameras : row.carriers
                return Line(
                    name: row.title, number: DigestWords.count(row.visits.visits, "visit"),
                    text: words.times(row.visits), details: details.joined(separator: ", "))
            })
    }

    private var silence: [String] {
        digest.silent.map { silent in
            table(silent.map { Line(name: words.names($0), text: words.silent($0)) })
        } ?? []
    }

    private var unusual: [String] {
        table(
            digest.unusualHours.map {
                Line(
                    name: $0.camera.title, number: words.range($0.span), text: words.unusual($0))
            })
    }

    private struct Line {
        var name: String
        var number = ""
        var text: String
        /// What is said below the text.
        var details = ""
    }

    /// Lines of a name, a number, and a text that continues below its beginning.
    private func table(_ rows: [Line]) -> [String] {
        let shown = rows.prefix(Self.mostLines)
        let names = shown.map { DisplayWidth.truncate(Sanitizer.visible($0.name), to: width / 4) }
        let column = names.map(DisplayWidth.of).max() ?? 0
        let numbers = shown.map(\.number.count).max() ?? 0
        let gap = numbers == 0 ? "" : Self.margin
        let room = width - 4 - column - gap.count - numbers
        func parts(_ text: String) -> [String] {
            text.isEmpty
                ? []
                : DisplayWidth.lines(of: Sanitizer.visible(text), width: room).map {
                    DisplayWidth.truncate($0, to: room)
                }
        }
        let lines = zip(names, shown).flatMap { name, row in
            let start =
                Self.margin + pad(name, to: column) + gap
                + String(repeating: " ", count: numbers - row.number.count) + row.number + "  "
            let indent = String(repeating: " ", count: DisplayWidth.of(start))
            let lines = parts(row.text) + parts(row.details).map(style.dim)
            return lines.enumerated().map { ($0 == 0 ? start : indent) + $1 }
        }
        return lines + more(rows.count - shown.count)
    }

    private func more(_ count: Int) -> [String] {
        count > 0 ? [style.dim("\(Self.margin)and \(count) more")] : []
    }

    private func pad(_ text: String, to cells: Int) -> String {
        text + String(repeating: " ", count: max(0, cells - DisplayWidth.of(text)))
    }

    private func pad(_ number: Int, before cells: Int) -> String {
        let text = number == 0 ? "·" : String(number)
        return String(repeating: " ", count: max(0, cells - text.count)) + text
    }

    // MARK: Numbers

    /// The visits of each camera by kind: as many kinds as there is room for.
    private var visits: [String] {
        guard !digest.cameras.isEmpty else { return [] }
        let shown = digest.cameras.prefix(Self.mostLines)
        let names = shown.map {
            DisplayWidth.truncate(Sanitizer.visible($0.camera.title), to: width / 4)
        }
        let column = max(names.map(DisplayWidth.of).max() ?? 0, 6)
        let table = digest.kinds
        let labels = table.kinds.map { DisplayWidth.truncate(Sanitizer.visible($0), to: 12) }
        let widths = labels.map { max(DisplayWidth.of($0), 4) }
        var room = width - Self.margin.count - column - 6
        var count = 0
        for cells in widths {
            // The column of the others is needed unless this is the last one.
            let rest = count + 1 == widths.count ? 0 : 7
            guard room >= cells + 2 + rest else { break }
            room -= cells + 2
            count += 1
        }
        let hasOthers = count < labels.count
        func line(_ name: String, _ numbers: [Int], _ others: Int, _ all: Int) -> String {
            let cells = zip(numbers, widths).map { "  " + pad($0, before: $1) }.joined()
            return Self.margin + pad(name, to: column) + cells
                + (hasOthers ? "  " + pad(others, before: 5) : "") + "  " + pad(all, before: 4)
        }
        let head =
            Self.margin + String(repeating: " ", count: column)
            + zip(labels, widths).prefix(count).map {
                "  " + String(repeating: " ", count: $1 - DisplayWidth.of($0)) + $0
            }.joined() + (hasOthers ? "  other" : "") + "   all"
        let lines = zip(names, shown).map { name, camera in
            let numbers = table.kinds.prefix(count).map { kind in
                camera.kinds.first { $0.kind == kind }?.visits ?? 0
            }
            let others = camera.visits - numbers.reduce(0, +)
            return line(name, numbers, others, camera.visits)
        }
        let sums = Array(table.visits.prefix(count))
        let total =
            digest.cameras.count == 1
            ? [] : [style.bold(line("all", sums, digest.visits - sums.reduce(0, +), digest.visits))]
        let left = more(digest.cameras.count - shown.count)
        return section("Visits", [style.dim(head)] + lines + left + total)
    }

    /// The visits of each hour of the day, as a strip.
    private var hours: [String] {
        guard let hours = words.hours(cells: 2) else { return [] }
        return section(
            "Hours",
            [
                Self.margin + style.dim(hours.ruler),
                Self.margin + style.green(hours.strip) + style.dim("  █ = \(hours.most)"),
            ])
    }
}

extension Digest {
    /// The kinds of all cameras, the most frequent first, with the visits of each.
    var kinds: (kinds: [String], visits: [Int]) {
        var counts: [String: Int] = [:]
        for kind in cameras.flatMap(\.kinds) { counts[kind.kind, default: 0] += kind.visits }
        let sorted = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        return (sorted.map(\.key), sorted.map(\.value))
    }
}
