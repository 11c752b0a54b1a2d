import ArgusCore

/// A line of a report for people: a mark, the name of what was checked, what was found, and what to do.
///
/// On a terminal, a long text continues below its beginning, and what to do has a line of its own.
struct ReportLine {
    /// The sign on terminals that show one, and the word elsewhere.
    var sign: String
    var word: String
    var color: TextColor
    var name: String
    var message: String
    var remedy: String?

    func text(on terminal: Terminal) -> String {
        let style = terminal.style
        let hasSigns = terminal.isOutputTerminal && terminal.hasSigns && style.isOn
        let mark = hasSigns ? "  \(sign)" : word.padded(to: 8)
        let start = style.paint(mark, color) + " \(name.padded(to: 13))  "
        let text = Sanitizer.visible(message)
        // A message may end in the command that is the remedy.
        let advice = remedy.flatMap { message.contains($0) ? nil : Sanitizer.visible($0) }
        guard terminal.isOutputTerminal else {
            return start + text + (advice.map { "; \($0)" } ?? "") + "\n"
        }
        let margin = "".padded(to: DisplayWidth.of(mark) + 16)
        func broken(_ text: String, after label: String = "") -> String {
            let room = terminal.width - margin.count - label.count
            return DisplayWidth.lines(of: text, width: room)
                .joined(separator: "\n" + margin + "".padded(to: label.count)) + "\n"
        }
        let label = "hint: "
        return start + broken(text)
            + (advice.map { margin + style.green(label) + broken($0, after: label) } ?? "")
    }
}
