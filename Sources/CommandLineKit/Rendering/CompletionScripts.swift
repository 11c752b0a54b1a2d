/// Writes the scripts that teach a shell to complete a tool's command lines.
///
/// All three walk the words with the grammar of the parser over the same table, and ask
/// `TOOL [GUIDES] __complete KIND -- WORD OPERANDS` for the values that only the tool knows: one
/// candidate a line, a TAB and a description may follow. Guides are the options marked by
/// `guidingCompletion()`, operands those before the word, as far as the line has them. A first word
/// that is no command may stand for others: `TOOL __complete expansion -- WORD` prints these, one a
/// line.
package struct CompletionScripts: Sendable {
    /// A shell that a script exists for.
    package enum Shell: String, Choice, Sendable {
        case bash, zsh, fish
    }

    /// What is asked for the words that a first word stands for.
    package static let expansionKind = "expansion"

    let tool: ToolDescription

    package init(_ tool: ToolDescription) {
        self.tool = tool
    }

    /// The script for a shell.
    package func script(for shell: Shell) -> String {
        let table = CompletionTable(tool)
        let template =
            switch shell {
            case .bash: bashTemplate
            case .zsh: zshTemplate
            case .fish: fishTemplate
            }
        let cases = table.entries.map { entry(path: $0.path, rows: $0.rows, shell) }.joined()
        return template.map { line in
            switch line {
            case "@CASES@": cases
            case "@GLOBALS@": rows(table.globalRows, shell, indent: 8) + "\n"
            default: fill(line) + "\n"
            }
        }.joined()
    }

    /// The scripts under the names that their shells look for.
    package var files: [GeneratedFile] {
        let name = tool.info.name
        return [
            GeneratedFile(name: "\(name).bash", contents: script(for: .bash)),
            GeneratedFile(name: "_\(name)", contents: script(for: .zsh)),
            GeneratedFile(name: "\(name).fish", contents: script(for: .fish)),
        ]
    }

    /// The template's names are made for a tool called `TOOL` whose functions start with `FUNC`.
    private func fill(_ line: String) -> String {
        let function = String(tool.info.name.map { $0 == "-" ? "_" : $0 })
        return replace("FUNC", with: function, in: replace("TOOL", with: tool.info.name, in: line))
    }

    private func replace(_ mark: String, with text: String, in line: String) -> String {
        var result = ""
        var rest = line[...]
        while let next = rest.first {
            if rest.hasPrefix(mark) {
                result += text
                rest = rest.dropFirst(mark.count)
            } else {
                result.append(next)
                rest.removeFirst()
            }
        }
        return result
    }

    private func entry(path: String, rows: [String], _ shell: Shell) -> String {
        let body = self.rows(rows, shell, indent: 12)
        return shell == .fish
            ? "        case \(quote(path, shell))\n\(body)\n"
            : "        \(quote(path, shell)))\n\(body)\n            ;;\n"
    }

    /// Appends the rows to the shell's list, one quoted word each.
    private func rows(_ rows: [String], _ shell: Shell, indent: Int) -> String {
        let margin = String(repeating: " ", count: indent)
        // Bash shows no descriptions: they would only make its script slower to read.
        let shown = shell == .bash ? rows.map(withoutSummary) : rows
        let words = shown.map { quote($0, shell) }
        if shell == .fish {
            let separator = " \\\n\(margin)    "
            return words.isEmpty
                ? "" : margin + (["set -a rows"] + words).joined(separator: separator)
        }
        guard !words.isEmpty else { return margin + ":" }
        let lines = words.map { "\n\(margin)    \($0)" }.joined()
        return "\(margin)rows+=(\(lines)\n\(margin))"
    }

    private func withoutSummary(_ row: String) -> String {
        let fields = row.split(separator: "|", omittingEmptySubsequences: false)
        return switch fields.first {
        case "verb": fields.prefix(2).joined(separator: "|")
        case "flag": fields.prefix(3).joined(separator: "|")
        default: row
        }
    }

    private func quote(_ word: String, _ shell: Shell) -> String {
        let inner = word.map { character in
            switch (character, shell) {
            case ("'", .fish): "\\'"
            case ("\\", .fish): "\\\\"
            case ("'", _): "'\\''"
            default: String(character)
            }
        }
        return "'\(inner.joined())'"
    }
}
