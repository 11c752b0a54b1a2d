import ArgusKit
import CommandLineKit

/// The arguments of a command line, and their meaning.
///
/// The config file is read only if the first argument is not a command, since it may be an alias.
struct CommandLineReading: Sendable {
    /// The arguments after the expansion of aliases.
    private(set) var words: [String]
    private(set) var meaning: Result<ParsedLine<GlobalOptions, Invocation>, UsageError>

    /// - Parameters:
    ///   - words: The arguments after the tool's name.
    ///   - configuration: Returns the path of the config file; called only for a possible alias.
    init(_ words: [String], configuration: () -> String? = { nil }) {
        self.words = words
        meaning = Self.read(words)
        guard case .success(.external(_, let name, _)) = meaning, !Tool.isCommand(name) else {
            return
        }
        expandAliases(of: configuration())
    }

    /// - Parameters: As above, with the arguments as the system stores them.
    init(_ words: RawArguments, configuration: () -> String? = { nil }) {
        let operands = words.operands
        guard let word = operands.unreadable else {
            self.init(operands.words, configuration: configuration)
            return
        }
        self.init(
            refusing: operands.words,
            UsageError("\(word.inQuotes) is not UTF-8 text, as argus needs every word to be"))
    }

    private init(refusing words: [String], _ error: UsageError) {
        self.words = words
        meaning = .failure(error)
    }

    /// Expands the first word for as long as it is an alias.
    private mutating func expandAliases(of path: String?) {
        var aliases: [String: Settings.Entry] = [:]
        do throws(SettingsError) {
            aliases = try Settings.load(path).aliases
        } catch {
            meaning = .failure(UsageError("\(error)"))
            return
        }
        var used: [String] = []
        while case .success(.external(_, let name, let arguments)) = meaning,
            let entry = aliases[name], let replacement = Alias.words(entry.text)
        {
            guard !used.contains(name) else {
                let chain = (used + [name]).joined(separator: "' → '")
                meaning = .failure(UsageError("the alias '\(used[0])' runs itself: '\(chain)'"))
                return
            }
            used.append(name)
            words = words.dropLast(arguments.count + 1) + replacement + arguments
            meaning = Self.read(words)
        }
    }

    private static func read(
        _ words: [String]
    ) -> Result<ParsedLine<GlobalOptions, Invocation>, UsageError> {
        Result { () throws(UsageError) in try Tool.commandLine.parse(words) }
    }
}
