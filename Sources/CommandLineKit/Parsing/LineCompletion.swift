/// A completion and its description; without text, the description is a message.
package struct CompletionCandidate: Sendable, Equatable {
    package var text: String
    package var description: String?

    package init(text: String, description: String? = nil) {
        self.text = text
        self.description = description
    }
}

/// A query for the values of `Completion.dynamic` at one position of a command line.
package struct CompletionQuery<Globals: Sendable>: Sendable {
    package var kind: String
    /// The value as far as it is typed.
    package var value: String
    /// The operands before it.
    package var operands: [String]
    /// The names of the command, such as `events` and `list`.
    package var path: [String]
    /// The options of the command before it, with dashes as typed; a switch has no value.
    package var options: [(name: String, value: String?)]
    /// The global options before it; one with a wrong value keeps its default.
    package var globals: Globals
}

extension CommandLineTool {
    /// Lists the candidates for the last word of a command line, for a completion script.
    ///
    /// The first line of the reply is `commands`, `options`, `values`, `list` (a comma may follow the
    /// candidate), `file` or `directory` (the shell lists them itself). After a blank follows the
    /// beginning of the word that the candidates leave out, such as `--format=`. `command 2` means
    /// that the last two words are a command line of their own, which the shell completes. Each further line is
    /// a candidate; a TAB and a description may follow. Candidates are in the order to list. A line
    /// that begins with a TAB is a message for the user, not a candidate. The reply is empty after
    /// `--help` and after the name of a separate program.
    ///
    /// `words` are those after the tool's name, and `values` lists the candidates of a dynamic kind.
    package func completions(
        of words: [String],
        values: @escaping (CompletionQuery<Globals>) -> [CompletionCandidate]
    ) -> String {
        let scan = scanner(of: Array(words.dropLast()))
        guard scan.special == nil, scan.external == nil else { return "" }
        var globals = defaults
        for given in scan.parsedGlobals { try? flags[given.index].update(given.value, &globals) }
        return LineCompletion(tool: self, scan: scan) { kind, value in
            values(
                CompletionQuery(
                    kind: kind, value: value, operands: scan.operands, path: scan.path,
                    options: scan.parsedFlags.map { ($0.spelling, $0.value) }, globals: globals))
        }.reply(to: words.last ?? "")
    }
}

/// The candidates at the end of a line that has been scanned.
private struct LineCompletion<Globals: Sendable, Invocation: Sendable> {
    struct Offer {
        var kind: String
        var candidates: [CompletionCandidate] = []
    }

    let tool: CommandLineTool<Globals, Invocation>
    let scan: Scanner<Invocation>
    let values: (String, String) -> [CompletionCandidate]

    func reply(to word: String) -> String {
        var lead = ""
        let offer: Offer?
        if let option = scan.awaiting {
            offer = self.offer(option.completion, for: word)
        } else if scan.optionsEnded || !word.hasPrefix("-") {
            offer = operands(word)
        } else if word.hasPrefix("--"), let equals = word.firstIndex(of: "=") {
            let name = word[..<equals].dropFirst(2)
            lead = String(word[...equals])
            offer = flags.first { $0.hasValue && $0.long == name }
                .flatMap { self.offer($0.completion, for: String(word.dropFirst(lead.count))) }
        } else {
            let candidates = flags.flatMap { flag in
                flag.spellings.map { CompletionCandidate(text: $0, description: flag.shortSummary) }
            }
            offer = Offer(kind: "options", candidates: candidates)
        }
        guard let offer else { return "" }
        return
            ([lead.isEmpty ? offer.kind : "\(offer.kind) \(lead)"]
            + offer.candidates.filter { isLine($0.text) }.map { candidate in
                candidate.text + (candidate.description.map { "\t\($0)" } ?? "")
            }).map { $0 + "\n" }.joined()
    }

    /// The command whose options may follow; a noun takes those of its default verb.
    private var command: CommandNode<Invocation> {
        scan.isSettled ? scan.node : scan.defaultVerb ?? scan.node
    }

    private var flags: [FlagInfo] { command.flags() + tool.flags.map(\.info) + specialFlags }

    /// The verbs, if one may follow, and the values of the next operand.
    private func operands(_ word: String) -> Offer? {
        let next = scan.operands.count
        let takesOperands = scan.node.directOperands != .none
        let offers = (takesOperands ? scan.node.arguments() : []).enumerated()
            .filter { $0.offset == next || ($0.offset < next && $0.element.isRepeated) }
            .filter { scan.optionsEnded || !$0.element.followsDashes }
            .compactMap { offset, argument in
                argument.completion == .command
                    ? Offer(kind: "command \(next - offset + 1)")
                    : offer(argument.completion, for: word)
            }
        let candidates = offers.flatMap(\.candidates)
        guard !scan.isSettled else {
            return offers.first.map { Offer(kind: $0.kind, candidates: candidates) }
        }
        return Offer(kind: "commands", candidates: commands(word) + candidates)
    }

    private func commands(_ word: String) -> [CompletionCandidate] {
        let verbs = scan.node.verbs.map(\.about)
        let shown = verbs.filter { !$0.isHidden }
            .map { CompletionCandidate(text: $0.name, description: $0.summary) }
        guard scan.path.isEmpty else { return shown }
        let externals = tool.info.externals
            .map { CompletionCandidate(text: $0.name, description: $0.summary) }
        let more = offer(tool.info.moreCommands, for: word)?.candidates ?? []
        let taken = verbs.map(\.name) + externals.map(\.text)
        return shown + externals + more.filter { !taken.contains($0.text) }
    }

    private func offer(_ completion: Completion, for value: String) -> Offer? {
        switch completion {
        case .none, .command: return nil
        case .file: return Offer(kind: "file")
        case .directory: return Offer(kind: "directory")
        case .choices(let words): return Offer(kind: "values", candidates: plain(words))
        case .list(let words, let alone): return list(plain(words), plain(alone), value)
        case .formats:
            let own = command.about.formats
            let all = tool.description.root.visibleTree.flatMap(\.about.formats).distinct
            return Offer(kind: "values", candidates: plain(own.isEmpty ? all : own))
        case .fields:
            let fields = command.about.fields.map {
                CompletionCandidate(text: $0.name, description: $0.summary)
            }
            return list(fields, [], value)
        case .topics:
            let pages =
                tool.info.allTopics.map { ($0.name, $0.summary) }
                + tool.root.verbs.map(\.about).filter { !$0.isHidden }.map {
                    ($0.name, $0.summary)
                }
            return Offer(
                kind: "values",
                candidates: pages.map { CompletionCandidate(text: $0, description: $1) })
        case .dynamic(let kind): return Offer(kind: "values", candidates: values(kind, value))
        case .dynamicList(let kind): return Offer(kind: "list", candidates: values(kind, value))
        }
    }

    /// The typed list plus each word that is not in it, or a word that stands alone.
    private func list(
        _ words: [CompletionCandidate], _ alone: [CompletionCandidate], _ value: String
    ) -> Offer {
        let begun = value.lastIndex(of: ",").map { String(value[...$0]) } ?? ""
        let given = begun.split(separator: ",")
        let more = words.filter { word in !given.contains { $0 == word.text } }
            .map { CompletionCandidate(text: begun + $0.text, description: $0.description) }
        return Offer(kind: "list", candidates: more + (begun.isEmpty ? alone : []))
    }

    private func plain(_ words: [String]) -> [CompletionCandidate] {
        words.map { CompletionCandidate(text: $0) }
    }

    /// Returns true for a name without control characters, which would break the reply.
    private func isLine(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) }
    }
}
