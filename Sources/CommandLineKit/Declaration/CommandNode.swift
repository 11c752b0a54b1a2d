/// The words that a command with verbs accepts as operands.
package enum DirectOperands: Sendable, Equatable {
    case none
    case any
    /// Words with this text in them, such as `://`.
    case containing(String)

    /// Returns true if the word is an operand.
    func accept(_ word: String) -> Bool {
        switch self {
        case .none: false
        case .any: true
        case .containing(let mark): word.contains(mark)
        }
    }
}

/// A command with its types erased, for the parser and the generators.
///
/// Options and verbs are listed on demand, so a command line pays only for its own path.
package struct CommandNode<Invocation: Sendable>: Sendable {
    /// Turns the result of the scanner into an invocation.
    typealias Reader =
        @Sendable ([ParsedFlag], [String]) throws(UsageError) -> Invocation

    package let about: CommandInfo
    /// The verb that runs if none is named.
    package let defaultVerb: String?
    package let directOperands: DirectOperands
    /// Nil: the command cannot run by itself.
    let read: Reader?
    let listFlags: @Sendable () -> [FlagInfo]
    let listArguments: @Sendable () -> [ArgumentInfo]
    let listVerbs: @Sendable () -> [CommandNode]
    let isLeaf: Bool

    /// A command without verbs.
    package static func verb<C: Command>(_ command: C.Type) -> Self
    where C.Invocation == Invocation {
        Self(command, directOperands: .any, isLeaf: true, listVerbs: { [] })
    }

    /// A command that runs by itself and has verbs too.
    ///
    /// A word that is neither a verb nor accepted by `operands` is a usage error.
    package static func verb<C: Command>(
        _ command: C.Type, operands: DirectOperands = .none,
        verbs: @escaping @Sendable @autoclosure () -> [CommandNode]
    ) -> Self where C.Invocation == Invocation {
        Self(command, directOperands: operands, isLeaf: false, listVerbs: verbs)
    }

    /// A command that only groups verbs.
    ///
    /// By itself it runs the verb named by `runs`, if any, else prints its short help with status
    /// 2.
    package static func noun(
        _ name: String, _ summary: String, runs defaultVerb: String? = nil,
        verbs: @escaping @Sendable @autoclosure () -> [CommandNode]
    ) -> Self {
        noun(CommandInfo(name: name, summary: summary), runs: defaultVerb, verbs: verbs)
    }

    static func noun(
        _ about: CommandInfo, runs defaultVerb: String? = nil,
        verbs: @escaping @Sendable () -> [CommandNode]
    ) -> Self {
        Self(
            about: about, defaultVerb: defaultVerb, directOperands: .none, read: nil,
            listFlags: { [] }, listArguments: { [] }, listVerbs: verbs, isLeaf: false)
    }
}

extension CommandNode {
    private init<C: Command>(
        _ command: C.Type, directOperands: DirectOperands, isLeaf: Bool,
        listVerbs: @escaping @Sendable () -> [CommandNode]
    ) where C.Invocation == Invocation {
        self.init(
            about: C.about, defaultVerb: nil, directOperands: directOperands,
            read: { parsed, operands throws(UsageError) in
                var options = C.defaults
                let flags = C.flags
                try apply(parsed, of: flags, to: &options)
                try distribute(operands, over: C.arguments, to: &options)
                try expectRequired(flags, among: parsed)
                try C.validate(options)
                return C.invocation(options)
            },
            // Closures, because a key path would be built at run time here.
            listFlags: { C.flags.map { $0.info } }, listArguments: { C.arguments.map { $0.info } },
            listVerbs: listVerbs, isLeaf: isLeaf)
    }

    /// Its verbs, hidden ones included.
    package var verbs: [CommandNode] { listVerbs() }

    /// Its own options; global ones are the tool's.
    package var flags: [FlagInfo] { listFlags() }

    /// Its operands, in order.
    package var arguments: [ArgumentInfo] { listArguments() }
}
