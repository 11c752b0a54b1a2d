/// The describable half of a command in its place: what help, manual and completions read.
package struct CommandDescription: Sendable {
    /// The words that lead to it, without the tool's name; empty for the root.
    package let path: [String]
    package let about: CommandInfo
    package let defaultVerb: String?
    package let directOperands: DirectOperands
    /// Whether it does something when no verb is named.
    package let runsAlone: Bool
    /// Whether it has no verbs.
    package let isLeaf: Bool
    let listFlags: @Sendable () -> [FlagInfo]
    let listArguments: @Sendable () -> [ArgumentInfo]
    let listVerbs: @Sendable () -> [CommandDescription]

    init<Invocation>(_ node: CommandNode<Invocation>, path: [String]) {
        self.path = path
        about = node.about
        defaultVerb = node.defaultVerb
        directOperands = node.directOperands
        runsAlone = node.read != nil || node.defaultVerb != nil
        isLeaf = node.isLeaf
        listFlags = node.listFlags
        listArguments = node.listArguments
        listVerbs = {
            node.verbs.map { CommandDescription($0, path: path + [$0.about.name]) }
        }
    }
}

extension CommandDescription {
    /// Its own options, hidden ones included.
    package var flags: [FlagInfo] { listFlags() }

    /// Its operands, in order.
    package var arguments: [ArgumentInfo] { listArguments() }

    /// Its verbs, hidden ones included.
    package var verbs: [CommandDescription] { listVerbs() }

    /// The verbs that are shown.
    package var visibleVerbs: [CommandDescription] { verbs.filter { !$0.about.isHidden } }

    /// The options that are shown.
    package var visibleFlags: [FlagInfo] { flags.filter { !$0.isHidden } }

    /// The verb of that name.
    package func verb(_ name: String) -> CommandDescription? {
        verbs.first { $0.about.name == name }
    }

    /// The command that the words lead to from here, if they all name verbs.
    package func descendant(_ words: some Sequence<String>) -> CommandDescription? {
        var place = self
        for word in words {
            guard let next = place.verb(word) else { return nil }
            place = next
        }
        return place
    }

    /// It and everything shown below it, depth first.
    package var visibleTree: [CommandDescription] {
        [self] + visibleVerbs.flatMap(\.visibleTree)
    }
}

/// The describable half of a tool.
package struct ToolDescription: Sendable {
    package var info: ToolInfo
    /// Options of every command, those that the parser answers itself included.
    package var globalFlags: [FlagInfo]
    package var root: CommandDescription

    /// The command at a path without the tool's name; hidden ones are found too.
    package func command(_ path: some Sequence<String>) -> CommandDescription? {
        root.descendant(path)
    }

    /// The global options that are shown.
    package var visibleGlobalFlags: [FlagInfo] { globalFlags.filter { !$0.isHidden } }
}
