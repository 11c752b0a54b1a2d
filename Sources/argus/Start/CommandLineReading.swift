import ArgusAccount
import ArgusCore
import ArgusKit
import CommandLineKit

/// The arguments of a command line, and their meaning.
///
/// The config file is read only if the first argument is not a command, since it may be an alias.
struct CommandLineReading: Sendable {
    /// The arguments after the expansion of aliases.
    private(set) var words: [String]
    private(set) var meaning: Result<ParsedLine<GlobalOptions, Invocation>, UsageError>

    /// Reads the arguments after the tool's name; `unreadable` is one that is not UTF-8, and
    /// `configuration` returns the path of the config file, only for a possible alias.
    init(_ words: [String], unreadable: String? = nil, configuration: () -> String? = { nil }) {
        self.words = words
        if let unreadable {
            let message =
                "\(unreadable.inQuotes) is not UTF-8 text, as argus needs every word to be"
            meaning = .failure(UsageError(message))
            return
        }
        meaning = Result { () throws(UsageError) in try Tool.commandLine.parse(words) }
        if case .success(.external(_, let name, _)) = meaning, !Tool.isCommand(name) {
            expandAliases(of: configuration())
        }
    }

    /// The first of the arguments of main(3) that is not UTF-8, repaired; nil if there is none.
    ///
    /// A repaired argument must never be used: it would name another file.
    static func unreadableWord(
        of list: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
    ) -> String? {
        guard list.pointee != nil else { return nil }
        var next = list + 1
        while let word = next.pointee {
            if String(validatingCString: word) == nil { return String(cString: word) }
            next += 1
        }
        return nil
    }

    /// Expands the first word for as long as it is an alias.
    private mutating func expandAliases(of path: String?) {
        let aliases: [String: Settings.Entry]
        do throws(AccountError) {
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
            let expanded = words
            meaning = Result { () throws(UsageError) in try Tool.commandLine.parse(expanded) }
        }
    }
}
