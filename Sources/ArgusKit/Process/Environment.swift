// The C library declares `environ` as plain mutable memory; it is read once, before any thread.
@preconcurrency import Glibc

/// The variables that a process was started with; an empty variable counts as unset (section 6).
package struct Environment: Hashable, Sendable {
    /// All variables, empty ones included, for the parts that read several.
    package private(set) var variables: [String: String]

    /// The variables whose bytes are no UTF-8; in their values such bytes are replaced.
    package private(set) var unreadable: Set<String> = []

    /// The variables by which argus finds files and programs.
    private static let leading = [
        "HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR",
        "STATE_DIRECTORY", "CREDENTIALS_DIRECTORY", "TMPDIR", "TZDIR", "VISUAL", "EDITOR",
    ]

    /// A variable that leads to files or programs, or is argus's own, and whose bytes are no UTF-8:
    /// with others in their place it would lead somewhere else.
    package var misleading: String? {
        unreadable.sorted().first { $0.hasPrefix("ARGUS_") || Self.leading.contains($0) }
    }

    /// Makes an environment of the given variables, for tests and for child processes.
    package init(_ variables: [String: String] = [:]) {
        self.variables = variables
    }

    /// The environment of this process, read once; nothing else reads `environ` or getenv(3).
    package static let process = {
        let environment = Environment(readingFrom: environ)
        for name in secretNames { environment[name].map { HeldSecrets.hold($0) } }
        return environment
    }()

    /// The variables whose values are secrets themselves.
    private static let secretNames = ["ARGUS_TOKEN", "ARGUS_API_KEY"]

    /// The value of a variable, nil when it is absent or empty.
    package subscript(name: String) -> String? {
        guard let value = variables[name], !value.isEmpty else { return nil }
        return value
    }

    /// This environment without some variables, for children that must not inherit them.
    package func removing(_ names: [String]) -> Environment {
        Environment(variables.filter { !names.contains($0.key) })
    }

    /// The variables of this process as `NAME=value` words for the exec functions, byte for byte, but for
    /// those that are set anew or, by nil, left out.
    package static func processWords(
        changing changes: [(name: String, value: String?)]
    ) -> [[CChar]] {
        var words: [[CChar]] = []
        let list: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = environ
        guard var next = list else { return words }
        let names = changes.map { Array($0.name.utf8CString.dropLast()) }
        while let word = next.pointee {
            let bytes = Array(UnsafeBufferPointer(start: word, count: strlen(word) + 1))
            let name = bytes.prefix { $0 != CChar(bitPattern: UInt8(ascii: "=")) }
            if !names.contains(where: name.elementsEqual) { words.append(bytes) }
            next += 1
        }
        for (name, value) in changes {
            if let value { words.append(Array("\(name)=\(value)".utf8CString)) }
        }
        return words
    }

    /// What every program inherits that argus starts, commands called `argus-NAME` excepted: all
    /// but the variables that are secrets themselves.
    package var forChildren: Environment { removing(Self.secretNames) }

    /// The variables as `NAME=value` words, sorted, as the exec functions take them.
    package var words: [String] {
        variables.map { "\($0.key)=\($0.value)" }.sorted()
    }

    private init(readingFrom list: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) {
        variables = [:]
        guard var next = list else { return }
        while let word = next.pointee {
            let valid = String(validatingCString: word)
            let text = valid ?? String(cString: word)
            // The first of two equal names wins, as in getenv(3).
            if let equals = text.firstIndex(of: "="), variables[String(text[..<equals])] == nil {
                variables[String(text[..<equals])] = String(text[text.index(after: equals)...])
                if valid == nil { unreadable.insert(String(text[..<equals])) }
            }
            next += 1
        }
    }
}
