/// The description of a command for help and manual pages.
package struct CommandDescription: Sendable {
    /// The words that lead to it, without the tool's name; empty for the root.
    package let path: [String]
    package let about: CommandInfo
    /// The heading under which the help of its parent lists it; nil for the general one.
    let section: String?
    package let defaultVerb: String?
    /// True if it runs without a verb, and not as a default verb.
    package let runsItself: Bool
    /// True if it has no verbs.
    package let isLeaf: Bool
    /// Its verbs, hidden ones included.
    package let verbs: [CommandDescription]
    private let listFlags: @Sendable () -> [FlagInfo]
    private let listArguments: @Sendable () -> [ArgumentInfo]

    init<Invocation>(_ node: CommandNode<Invocation>, path: [String]) {
        self.path = path
        about = node.about
        section = node.section
        defaultVerb = node.defaultVerb
        runsItself = node.read != nil
        isLeaf = node.isLeaf
        verbs = node.verbs.map { CommandDescription($0, path: path + [$0.about.name]) }
        listFlags = node.flags
        listArguments = node.arguments
    }
}

extension CommandDescription {
    /// Its own options.
    package var flags: [FlagInfo] { listFlags() }

    /// Its operands, in order.
    package var arguments: [ArgumentInfo] { listArguments() }

    /// The verbs that are not hidden.
    package var visibleVerbs: [CommandDescription] { verbs.filter { !$0.about.isHidden } }

    /// The verb of that name.
    package func verb(_ name: String) -> CommandDescription? {
        verbs.first { $0.about.name == name }
    }

    /// The command below this one, which is the root, that has this path as another name.
    func aliased(_ path: [String], _ aliases: [CommandAlias]) -> CommandDescription? {
        guard let alias = aliases.first(at: path) else { return nil }
        return alias.command.reduce(self) { place, word in place?.verb(word) }
    }

    /// The command and all visible ones below it, depth first.
    package var visibleTree: [CommandDescription] {
        [self] + visibleVerbs.flatMap(\.visibleTree)
    }
}

/// The description of a tool for help and manual pages.
package struct ToolDescription: Sendable {
    package var info: ToolInfo
    /// The options of every command, including those that the parser handles itself.
    package var globalFlags: [FlagInfo]
    package var root: CommandDescription
    /// The other names of commands.
    package var aliases: [CommandAlias]
}

/// The subject of a page of help.
package enum HelpSubject: Sendable {
    case command(CommandDescription)
    case topic(HelpTopic)
}

extension ToolDescription {
    /// Finds the subject of `help` with these operands: none is the tool, one word may be a topic,
    /// several words are the path of a command.
    ///
    /// - Throws: `UsageError` with the nearest names.
    package func helpSubject(_ words: [String]) throws(UsageError) -> HelpSubject {
        if words.count == 1, let topic = info.topic(words[0]) { return .topic(topic) }
        var place = root
        for (index, word) in words.enumerated() {
            let path = place.path + [word]
            let verb =
                root.aliased(path, aliases.filter(\.isFormer)) ?? place.verb(word)
                ?? root.aliased(path, aliases)
            guard let verb else {
                throw unknownSubject(words[index...], after: place)
            }
            place = verb
        }
        return .command(place)
    }

    private func unknownSubject(
        _ words: ArraySlice<String>, after place: CommandDescription
    ) -> UsageError {
        let topics = place.path.isEmpty ? info.allTopics.map(\.name) : []
        var error = unknownVerb(words, of: place, in: root, besides: topics)
        guard place.path.isEmpty else { return error }
        error.message = "no help on \(quoted(words.first ?? ""))"
        error.hint = error.hint ?? "run '\(info.name) -h' for all commands and topics"
        return error
    }
}
