/// What the three shells are told about a tool, before any shell's language.
///
/// A row is one line of fields separated by `|`:
/// `verb|NAME|SUMMARY`, `flag|SPELLING|KIND|SUMMARY`, `operand|KIND` and, for the one that takes
/// all remaining words, `operands|KIND`. A kind is `switch`, or what the value is: `none`, `file`,
/// `directory`, `words A B`, `list A B`, `list A B -- C` where C is never one of several,
/// `dynamic KIND`, `several KIND` for a dynamic list; `optional` and a blank stand before it where
/// the value may only follow a `=`. `guide|SPELLING` marks an option that is passed on when the
/// tool is asked for values.
struct CompletionTable {
    /// The place of one command in the tree and its rows.
    struct Entry {
        /// The words that lead to it, joined by blanks.
        var path: String
        var rows: [String]
    }

    var entries: [Entry]
    /// Rows that hold at every place.
    var globalRows: [String]

    init(_ tool: ToolDescription) {
        let isLocal: (FlagInfo) -> Bool = { $0.completion == .formats || $0.completion == .fields }
        let globals = tool.visibleGlobalFlags
        let here = Resolution(tool)
        globalRows =
            globals.filter { !isLocal($0) }.flatMap { here.rows(for: $0, of: tool.root) }
            + globals.filter(\.guidesCompletion).flatMap(\.spellings).map { "guide|\($0)" }
        entries = tool.root.visibleTree.map { command in
            // A noun offers the options of the verb that it runs when alone.
            let runs = command.defaultVerb.flatMap(command.verb) ?? command
            var rows = command.visibleVerbs.map { "verb|\($0.about.name)|\($0.about.summary)" }
            if command.path.isEmpty {
                rows += tool.info.externals.map { "verb|\($0.name)|\($0.summary)" }
                if tool.info.moreCommands != .none {
                    rows.append("operand|\(here.kind(of: tool.info.moreCommands, for: command))")
                }
            }
            rows += runs.visibleFlags.flatMap { here.rows(for: $0, of: runs) }
            rows += globals.filter(isLocal).flatMap { here.rows(for: $0, of: runs) }
            if command.isLeaf || command.directOperands != .none {
                rows += command.arguments.map { argument in
                    let kind = here.kind(of: argument.completion, for: command)
                    return "\(argument.isRepeated ? "operands" : "operand")|\(kind)"
                }
            }
            return Entry(path: command.path.joined(separator: " "), rows: rows)
        }
    }
}

/// Turns what the table leaves open (formats, fields, topics) into words.
private struct Resolution {
    let topics: [String]
    let formats: [String]

    init(_ tool: ToolDescription) {
        topics = tool.info.allTopics.map(\.name) + tool.root.visibleVerbs.map(\.about.name)
        formats = tool.root.visibleTree.flatMap(\.about.formats).reduce(into: []) { all, format in
            if !all.contains(format) { all.append(format) }
        }
    }

    func rows(for flag: FlagInfo, of command: CommandDescription) -> [String] {
        let isOptional = flag.kind == .optionalValue
        let kind =
            flag.hasValue
            ? (isOptional ? "optional " : "") + self.kind(of: flag.completion, for: command)
            : "switch"
        return flag.spellings.map { spelling in
            let isNegation = flag.negation.map { "--" + $0 == spelling } ?? false
            let summary = isNegation ? "Undo --\(flag.long)" : flag.summary
            return "flag|\(spelling)|\(kind)|\(summary)"
        }
    }

    func kind(of completion: Completion, for command: CommandDescription) -> String {
        switch completion {
        case .none: "none"
        case .file: "file"
        case .directory: "directory"
        case .choices(let words): oneOf(words)
        case .list(let words, let alone):
            words.isEmpty
                ? "none"
                : (["list"] + words + (alone.isEmpty ? [] : ["--"] + alone))
                    .joined(separator: " ")
        case .formats: oneOf(command.about.formats.isEmpty ? formats : command.about.formats)
        case .fields: kind(of: .list(command.about.fields.map(\.name)), for: command)
        case .topics: oneOf(topics)
        case .dynamic(let kind): "dynamic " + kind
        case .dynamicList(let kind): "several " + kind
        }
    }

    private func oneOf(_ words: [String]) -> String {
        words.isEmpty ? "none" : "words " + words.joined(separator: " ")
    }
}
