/// The words that a command with verbs accepts as operands.
package enum DirectOperands: Sendable, Equatable {
    case none
    case any
    /// Words with one of these characters in them, such as the `:` of an address.
    case containing([Character])

    func accept(_ word: String) -> Bool {
        switch self {
        case .none: false
        case .any: true
        case .containing(let marks): word.contains { marks.contains($0) }
        }
    }
}

/// A command with its types erased, for the parser and the generators.
///
/// Options and verbs are listed on demand, so a command line pays only for its own path.
package struct CommandNode<Invocation: Sendable>: Sendable {
    /// Turns the result of the scanner into an invocation.
    typealias Reader = @Sendable ([ParsedFlag], [String]) throws(UsageError) -> Invocation

    let about: CommandInfo
    /// The heading under which the help of its parent lists it; nil for the general one.
    var section: String?
    /// The verb that runs if none is named.
    var defaultVerb: String?
    var directOperands = DirectOperands.none
    /// Nil: the command cannot run by itself.
    var read: Reader?
    /// Its own options; global ones are the tool's.
    var flags: @Sendable () -> [FlagInfo] = { [] }
    var arguments: @Sendable () -> [ArgumentInfo] = { [] }
    /// Its verbs, hidden ones included.
    var verbs: [CommandNode] = []
    var isLeaf = false

    /// A command without verbs.
    package static func verb<C: Command>(_ command: C.Type) -> Self
    where C.Invocation == Invocation {
        Self(command, directOperands: .any, isLeaf: true)
    }

    /// A command that runs by itself and has verbs too.
    ///
    /// A word that is neither a verb nor accepted by `operands` is a usage error.
    package static func verb<C: Command>(
        _ command: C.Type, operands: DirectOperands = .none, verbs: [CommandNode]
    ) -> Self where C.Invocation == Invocation {
        Self(command, directOperands: operands, isLeaf: false, verbs: verbs)
    }

    /// A command that only groups verbs.
    ///
    /// By itself it runs the verb named by `runs`, else prints its short help with status 2.
    package static func noun(
        _ name: String, _ summary: String, runs defaultVerb: String? = nil, verbs: [CommandNode]
    ) -> Self {
        Self(
            about: CommandInfo(name: name, summary: summary), defaultVerb: defaultVerb,
            verbs: verbs)
    }
}

extension CommandNode {
    /// The same command under a heading of its parent's help.
    package func inSection(_ section: String) -> Self {
        var copy = self
        copy.section = section
        return copy
    }

    private init<C: Command>(
        _ command: C.Type, directOperands: DirectOperands, isLeaf: Bool, verbs: [CommandNode] = []
    ) where C.Invocation == Invocation {
        self.init(
            about: C.about, directOperands: directOperands,
            read: { parsed, operands throws(UsageError) in
                var options = C.defaults
                let flags = C.flags
                try apply(parsed, of: flags, to: &options)
                try distribute(operands, over: C.arguments, to: &options)
                try expectRequired(flags, among: parsed)
                try C.validate(options)
                return C.invocation(options)
            },
            flags: { C.flags.map(\.info) }, arguments: { C.arguments.map(\.info) }, verbs: verbs,
            isLeaf: isLeaf)
    }
}
