// The C library declares `environ` as plain mutable memory; argus reads it before any thread.
@preconcurrency import Glibc

/// The environment of a process; an empty variable counts as unset.
package struct Environment: Hashable, Sendable {
    /// All variables, including empty ones.
    package private(set) var variables: [String: String]
    /// The names of variables whose values are not UTF-8; the stored values are repaired.
    package private(set) var unreadable: Set<String> = []

    /// The variables by which argus finds files and programs.
    private static let leading = [
        "HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR",
        "STATE_DIRECTORY", "CREDENTIALS_DIRECTORY", "TMPDIR", "TZDIR", "VISUAL", "EDITOR",
    ]

    /// The name of a variable that is not UTF-8, and is argus's own or leads to files or programs:
    /// repaired, it would lead to others.
    package var misleading: String? {
        unreadable.sorted().first { $0.hasPrefix("ARGUS_") || Self.leading.contains($0) }
    }

    /// Makes an environment for tests and child processes.
    package init(_ variables: [String: String] = [:]) { self.variables = variables }

    /// The environment of this process, read once; nothing else reads `environ` or getenv(3).
    package static let process = {
        let environment = Environment(words: rawWords)
        for name in secretNames { environment[name].map { HeldSecrets.hold($0) } }
        return environment
    }()

    /// The variables whose values are secrets.
    private static let secretNames = ["ARGUS_TOKEN", "ARGUS_API_KEY"]

    /// The value of a variable; nil if it is absent or empty.
    package subscript(name: String) -> String? {
        guard let value = variables[name], !value.isEmpty else { return nil }
        return value
    }

    /// The variables of this process as `NAME=value` words for exec(3), byte for byte, after changes;
    /// nil removes a variable.
    package static func processWords(
        changing changes: [(name: String, value: String?)]
    ) -> [[CChar]] {
        processWords(removing: changes.map { "\($0.name)=" })
            + changes.compactMap { name, value in
                value.map { Array("\(name)=\($0)".utf8CString) }
            }
    }

    /// The variables of this process as `NAME=value` words for exec(3), byte for byte, without those
    /// whose names begin with one of `prefixes`.
    package static func processWords(removing prefixes: [String]) -> [[CChar]] {
        let prefixes = prefixes.map { Array($0.utf8CString.dropLast()) }
        return rawWords.map { Array(UnsafeBufferPointer(start: $0, count: strlen($0) + 1)) }
            .filter { word in !prefixes.contains { word.starts(with: $0) } }
    }

    /// The environment for helper programs: all variables but the secret ones, which only commands
    /// called `argus-NAME` inherit.
    package var forChildren: Environment {
        Environment(variables.filter { !Self.secretNames.contains($0.key) })
    }

    /// The variables as sorted `NAME=value` words for exec(3).
    package var words: [String] { variables.map { "\($0.key)=\($0.value)" }.sorted() }

    /// The words of `forChildren`, for `Subprocess`.
    var childWords: [[CChar]] { forChildren.words.map { Array($0.utf8CString) } }

    /// The words of `environ`.
    private static var rawWords: [UnsafeMutablePointer<CChar>] {
        let list: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = environ
        var words: [UnsafeMutablePointer<CChar>] = []
        while let word = list?[words.count] { words.append(word) }
        return words
    }

    private init(words: [UnsafeMutablePointer<CChar>]) {
        variables = [:]
        for word in words {
            let valid = String(validatingCString: word)
            let text = valid ?? String(cString: word)
            // The first of two equal names wins, as in getenv(3).
            guard let equals = text.firstIndex(of: "="), variables[String(text[..<equals])] == nil
            else { continue }
            variables[String(text[..<equals])] = String(text[text.index(after: equals)...])
            if valid == nil { unreadable.insert(String(text[..<equals])) }
        }
    }
}
