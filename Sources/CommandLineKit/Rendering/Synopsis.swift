extension CommandDescription {
    /// The forms of the command line, one a line, the tool's name first.
    package func synopses(tool: String) -> [String] {
        let words = ([tool] + path).joined(separator: " ")
        if path.isEmpty { return ["\(words) [options] COMMAND [arguments]"] }
        var lines: [String] = []
        if isLeaf || (runsAlone && defaultVerb == nil) {
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
    /// All spellings with the value: `-n, --limit NUM`, `--wait[=MAX]`.
    var label: String {
        (short.map { "-\($0), " } ?? "") + longLabel
    }

    /// The label, moved right where the short spelling is missing.
    var alignedLabel: String {
        (short == nil ? "    " : "") + label
    }

    /// The summary with the values of the option, unless it names them itself, and whether it may be
    /// repeated.
    var wholeSummary: String {
        var whole = summary
        if case .choices(let words) = completion, !words.allSatisfy(summary.contains) {
            whole += " (\(alternatives(words)))"
        }
        return kind == .repeated ? whole + "; may be repeated" : whole
    }

    /// The spellings without blanks, for lists in running text: `-n/--limit NUM`.
    var compactLabel: String {
        (short.map { "-\($0)/" } ?? "") + longLabel
    }

    private var longLabel: String {
        switch kind {
        case .toggle, .counter: "--\(long)"
        case .single, .repeated: "--\(long) \(valueName ?? "VALUE")"
        case .optionalValue: "--\(long)[=\(valueName ?? "VALUE")]"
        }
    }
}

/// Groups values by a key, both in order of first appearance.
func grouped<Value, Key: Hashable>(_ values: [Value], by key: (Value) -> Key) -> [(Key, [Value])] {
    var order: [Key] = []
    var groups: [Key: [Value]] = [:]
    for value in values {
        let name = key(value)
        if groups[name] == nil { order.append(name) }
        groups[name, default: []].append(value)
    }
    return order.map { ($0, groups[$0] ?? []) }
}
