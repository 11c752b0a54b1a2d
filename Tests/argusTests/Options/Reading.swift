import CommandLineKit

@testable import argus

/// A verb of argus that only hands its options over: what its table makes of words.
private enum Reading<Verb: ArgusCommand>: Command {
    static var about: CommandInfo { Verb.about }
    static var defaults: Verb.Options { Verb.defaults }
    static var flags: [Flag<Verb.Options>] { Verb.flags }
    static var arguments: [Argument<Verb.Options>] { Verb.arguments }

    static func validate(_ options: Verb.Options) throws(UsageError) {
        try Verb.validate(options)
    }

    static func invocation(_ options: Verb.Options) -> Verb.Options { options }
}

/// The options of a verb after these words, among the real global options.
func options<Verb: ArgusCommand>(
    of verb: Verb.Type, _ words: [String]
) throws(UsageError) -> Verb.Options {
    let tool = CommandLineTool(
        ToolInfo(name: "argus", version: "0", date: "2026-11-21", summary: "A test"),
        defaults: GlobalOptions(), globals: GlobalOptions.flags,
        validate: { _ in }, commands: [.verb(Reading<Verb>.self)])
    let line = try tool.parse([verb.about.name] + words)
    guard case .run(_, let options, _, _) = line else {
        throw UsageError("the line does not run")
    }
    return options
}

/// What the table of a verb says against these words; nil when it takes them.
func refusal<Verb: ArgusCommand>(of verb: Verb.Type, _ words: String...) -> String? {
    do throws(UsageError) {
        _ = try options(of: verb, words)
        return nil
    } catch {
        return error.message
    }
}

/// The global options of a line.
func globals(_ words: String...) throws(UsageError) -> GlobalOptions {
    guard case .run(let globals, _, _, _) = try Tool.commandLine.parse(words + ["version"])
    else { throw UsageError("the line does not run") }
    return globals
}
