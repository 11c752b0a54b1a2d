import CommandLineKit

/// The words of a command line, and what they mean; read without a look at anything else.
struct CommandLineReading: Sendable {
    let words: [String]
    let meaning: Result<ParsedLine<GlobalOptions, Invocation>, UsageError>

    init(_ words: [String]) {
        self.words = words
        meaning = Result { () throws(UsageError) in try Tool.commandLine.parse(words) }
    }

    /// Whether a request is likely to follow.
    var asksServer: Bool {
        if case .success(.run(_, let invocation, path: _)) = meaning {
            return invocation.asksServer
        }
        return false
    }
}
