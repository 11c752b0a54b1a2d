extension CommandDescription {
    /// The forms of the command line, one a line, the tool's name first.
    package func synopses(tool: String) -> [String] {
        let words = ([tool] + path).joined(separator: " ")
        if path.isEmpty { return ["\(words) [options] COMMAND [arguments]"] }
        var lines: [String] = []
        if runsItself {
            let operands = arguments.map { " " + $0.synopsis }.joined()
            lines.append("\(words) [options]\(operands)")
        }
        if !isLeaf {
            lines.append("\(words) \(defaultVerb == nil ? "VERB" : "[VERB]") [options] [arguments]")
        }
        return lines
    }
}

extension ArgumentInfo {
    /// The operand in a synopsis: `EVENT`, `[URL]`, `EVENT...`, `[-- COMMAND...]`.
    var synopsis: String {
        if followsDashes { return "[-- \(name)...]" }
        return switch count {
        case .required: name
        case .optional: "[\(name)]"
        case .repeated(let least): least == 0 ? "[\(name)...]" : "\(name)..."
        }
    }
}

extension FlagInfo {
    /// All spellings with the value, the long ones aligned: `-n, --limit NUM`, `    --wait[=MAX]`.
    var alignedLabel: String { (short.map { "-\($0), " } ?? "    ") + longLabel }

    /// The summary with the option's default.
    package var shortSummary: String { summary(with: []) }

    /// The summary with the option's values, unless it names them, its default, and whether it may
    /// be repeated.
    var wholeSummary: String {
        var notes: [String] = []
        if case .choices(let words) = completion, !words.allSatisfy(summary.contains) {
            notes.append(alternatives(words))
        }
        let whole = summary(with: notes)
        return kind == .repeated ? whole + "; may be repeated" : whole
    }

    private func summary(with notes: [String]) -> String {
        let all = notes + (defaultValue.map { ["default: \($0)"] } ?? [])
        return all.isEmpty ? summary : "\(summary) (\(all.joined(separator: "; ")))"
    }

    /// The spellings without blanks, for lists in running text: `-n/--limit NUM`.
    var compactLabel: String { (short.map { "-\($0)/" } ?? "") + longLabel }

    private var longLabel: String {
        switch kind {
        case .toggle, .counter: "--\(long)"
        case .single, .repeated: "--\(long) \(valueName ?? "VALUE")"
        case .optionalValue: "--\(long)[=\(valueName ?? "VALUE")]"
        }
    }
}

extension [FlagInfo] {
    /// The options by section, both in order of first appearance.
    var sections: [(title: String, flags: [FlagInfo])] {
        map(\.section).distinct.map { title in (title, filter { $0.section == title }) }
    }
}

extension Array where Element: Equatable {
    /// The elements without repetitions.
    var distinct: [Element] { reduce(into: []) { if !$0.contains($1) { $0.append($1) } } }
}
