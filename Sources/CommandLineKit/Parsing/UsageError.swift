/// A command line that cannot be understood.
package struct UsageError: Error, Equatable, Sendable {
    /// What is wrong, lower case, no full stop; words in it are as they were typed.
    package var message: String
    /// What may help, when more than the command's help is known.
    package var hint: String?
    /// The command that the words had led to, without the tool's name.
    package var path: [String]

    package init(_ message: String, hint: String? = nil, path: [String] = []) {
        self.message = message
        self.hint = hint
        self.path = path
    }

    /// What may help: the hint, else where the command's help is.
    package func hint(for tool: String) -> String {
        hint ?? "run '\(([tool] + path + ["-h"]).joined(separator: " "))'"
    }
}
