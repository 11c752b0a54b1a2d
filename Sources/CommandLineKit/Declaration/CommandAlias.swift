/// Another name of a command: it works, but no help, manual page or completion lists it.
package struct CommandAlias: Sendable, Equatable {
    /// The words of the other name, without the tool's name.
    package let path: [String]
    /// The words of the name in the table.
    ///
    /// A path that is a command of its own runs that command, and the words only name its successor.
    package let target: [String]
    /// True if its use prints a notice with the name in the table.
    package let isFormer: Bool

    private init(_ path: String, _ target: String, isFormer: Bool) {
        self.path = path.split(separator: " ").map(String.init)
        self.target = target.split(separator: " ").map(String.init)
        self.isFormer = isFormer
    }

    /// A name that people also try, such as the singular of a noun.
    package static func synonym(_ path: String, of target: String) -> Self {
        Self(path, target, isFormer: false)
    }

    /// A name that the command had in an earlier release.
    package static func renamed(_ path: String, to target: String) -> Self {
        Self(path, target, isFormer: true)
    }
}

extension [CommandAlias] {
    func first(at path: [String]) -> CommandAlias? { first { $0.path == path } }
}

/// A former name in a command line, and its successor.
struct Renaming: Sendable, Equatable {
    let former: String
    let current: String

    init(_ alias: CommandAlias, of tool: String) {
        former = ([tool] + alias.path).joined(separator: " ")
        current = ([tool] + alias.target).joined(separator: " ")
    }

    init(option: String, of flag: FlagInfo) {
        former = option
        current = "--\(flag.long)"
    }

    var notice: String { "'\(former)' is now '\(current)'" }
}
