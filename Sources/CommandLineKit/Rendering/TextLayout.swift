/// Lines of plain text, wrapped to a width in columns.
struct TextLayout {
    let width: Int
    let isBold: Bool
    private(set) var lines: [String] = []

    var text: String { lines.map { $0 + "\n" }.joined() }

    /// Appends an empty line, unless there is one or the text is empty.
    mutating func gap() {
        if let last = lines.last, !last.isEmpty { lines.append("") }
    }

    mutating func heading(_ title: String) {
        gap()
        lines.append(isBold ? "\u{1b}[1m\(title):\u{1b}[0m" : title + ":")
    }

    mutating func wrapped(_ text: String, indent: Int = 0, hanging: Int = 0) {
        lines += wrap(text, width: width, indent: indent, hanging: hanging)
    }

    mutating func verbatim(_ text: String, indent: Int) {
        let margin = String(repeating: " ", count: indent)
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            lines.append(line.isEmpty ? "" : margin + line)
        }
    }

    /// Appends two aligned columns; a long left cell gets a separate line.
    ///
    /// `names` are the left cells of all tables that share the column.
    mutating func table(_ rows: [(String, String)], sharedWith names: [String] = []) {
        let (indent, widest) = (2, 26)
        let lengths = (rows.map(\.0) + names).map(\.count)
        let left = lengths.filter { $0 <= widest }.max() ?? 12
        let column = indent + left + 2
        let margin = String(repeating: " ", count: indent)
        for (name, explanation) in rows {
            var explained = wrap(explanation, width: width, indent: column)
            if name.count <= left, let first = explained.first {
                explained.removeFirst()
                let padding = String(repeating: " ", count: left - name.count + 2)
                lines.append(margin + name + padding + first.dropFirst(column))
            } else {
                lines.append(margin + name)
            }
            lines += explained
        }
    }
}

/// The text with non-breaking blanks, which `wrap` turns back.
func unbreakable(_ text: String) -> String {
    String(text.map { $0 == " " ? "\u{a0}" : $0 })
}

/// Breaks running text at blanks; words wider than the line stand alone.
func wrap(_ text: String, width: Int, indent: Int = 0, hanging: Int = 0) -> [String] {
    var lines: [String] = []
    var line = String(repeating: " ", count: indent)
    var isEmpty = true
    for word in text.split(whereSeparator: { $0 == " " || $0 == "\n" }) {
        if !isEmpty, line.count + 1 + word.count > width {
            lines.append(line)
            line = String(repeating: " ", count: indent + hanging)
            isEmpty = true
        }
        line += isEmpty ? word : " " + word
        isEmpty = false
    }
    if !isEmpty { lines.append(line) }
    return lines.map { String($0.map { $0 == "\u{a0}" ? " " : $0 }) }
}
