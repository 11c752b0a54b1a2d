/// Another name of a command: it works, but no help, manual page or completion lists it.
package struct CommandAlias: Sendable, Equatable {
    /// The words of the other name, without the tool's name.
    package let path: [String]
    /// The words of the name in the table.
    ///
    /// A path that is a command of its own runs that command, and the words only name its successor.
    package let target: [String]
    /// The words of its successor if options are given; nil if they are the same.
    let targetWithOptions: [String]?
    /// True if its use prints a notice with the name in the table.
    package let isFormer: Bool

    private init(
        _ path: String, _ target: String, withOptions other: String? = nil, isFormer: Bool
    ) {
        let words = { (text: String) in text.split(separator: " ").map(String.init) }
        self.path = words(path)
        self.target = words(target)
        targetWithOptions = other.map(words)
        self.isFormer = isFormer
    }

    /// The words of the target that name a command, without options.
    package var command: [String] { Array(target.prefix { !$0.hasPrefix("-") }) }

    /// A name that people also try, such as the singular of a noun.
    package static func synonym(_ path: String, of target: String) -> Self {
        Self(path, target, isFormer: false)
    }

    /// A name that the command had in an earlier release.
    ///
    /// `other` is its successor if options are given.
    package static func renamed(
        _ path: String, to target: String, withOptions other: String? = nil
    ) -> Self {
        Self(path, target, withOptions: other, isFormer: true)
    }
}

extension [CommandAlias] {
    func first(at path: [String]) -> CommandAlias? { first { $0.path == path } }
}

/// A former name in a command line, and its successor.
struct Renaming: Sendable, Equatable {
    let former: String
    private let current: String
    private let currentWithOptions: String

    init(_ alias: CommandAlias, of tool: String) {
        former = ([tool] + alias.path).joined(separator: " ")
        current = ([tool] + alias.target).joined(separator: " ")
        currentWithOptions =
            ([tool] + (alias.targetWithOptions ?? alias.target)).joined(separator: " ")
    }

    init(option: String, of flag: FlagInfo) {
        former = option
        current = "--\(flag.long)"
        currentWithOptions = current
    }

    /// The notice for a command line, with options of the command or without.
    func notice(hasOptions: Bool) -> String {
        "'\(former)' is now '\(hasOptions ? currentWithOptions : current)'"
    }
}
