package import CommandLineKit

// Summaries, references and examples.
extension Catalogue {
    /// A summary starts with a capital, ends without a full stop and is one line.
    static func summaryFaults(_ summary: String) -> [String] {
        var faults: [String] = []
        if summary.first?.isUppercase != true {
            faults.append("the summary starts with no capital")
        }
        if summary.last == "." { faults.append("the summary ends with a full stop") }
        if summary.contains(where: \.isNewline) { faults.append("the summary is not one line") }
        return faults
    }

    static func textFaults(_ command: CommandDescription, _ tool: ToolDescription) -> [String] {
        summaryFaults(command.about.summary)
            + command.arguments.flatMap { argument in
                summaryFaults(argument.summary).map { "argument \(argument.name): \($0)" }
            }
    }

    static func referenceFaults(
        _ command: CommandDescription, _ tool: ToolDescription
    ) -> [String] {
        let scope = ReferenceScope(tool: tool, command: command)
        let globals = command.path.isEmpty ? tool.globalFlags : []
        let blocks = command.about.paragraphs + (command.flags + globals).flatMap(\.details)
        return scope.faults(in: blocks)
    }

    /// Every use of the tool in an example is a line that the parser accepts.
    package static func exampleFaults<Globals, Invocation>(
        _ examples: [Example], _ tool: CommandLineTool<Globals, Invocation>
    ) -> [String] {
        examples.flatMap { example in
            let uses = shellCommands(example.line).compactMap { words(of: tool.info.name, in: $0) }
            if uses.isEmpty { return ["the example '\(example.line)' does not use the tool"] }
            return uses.compactMap { fault(in: $0, tool) }
                .map { "the example '\(example.line)' is refused: \($0)" }
        }
    }

    private static func fault<Globals, Invocation>(
        in words: [String], _ tool: CommandLineTool<Globals, Invocation>
    ) -> String? {
        do throws(UsageError) {
            switch try tool.parse(words) {
            case .run(_, _, _, let notices): return notices.first
            case .help, .version: return nil
            case .verbMissing: return "a verb is missing"
            case .external(_, let name, _):
                let isKnown = tool.info.externals.contains { $0.name == name }
                return isKnown ? nil : tool.unknownCommand(name).message
            }
        } catch {
            return error.message
        }
    }

    /// The words after the tool's name, if the command calls it.
    private static func words(of tool: String, in command: [String]) -> [String]? {
        let keywords = ["if", "while", "until", "then", "do", "else", "!", "time", "exec", "sudo"]
        let call = command.drop { keywords.contains($0) || isAssignment($0) }
        return call.first == tool ? Array(call.dropFirst()) : nil
    }

    private static func isAssignment(_ word: String) -> Bool {
        guard let equals = word.firstIndex(of: "="), equals != word.startIndex else { return false }
        return word[..<equals].allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
    }
}

/// The names that references in a text may use.
struct ReferenceScope {
    let tool: ToolDescription
    /// The command whose options a bare reference means first.
    let command: CommandDescription?

    func faults(in paragraphs: [Paragraph]) -> [String] {
        paragraphs.flatMap(prose).flatMap(faults)
    }

    private func prose(_ paragraph: Paragraph) -> [Prose] {
        switch paragraph {
        case .text(let text): [text]
        case .list(let items): items.flatMap { [$0.term, $0.explanation] }
        case .code: []
        case .options(let flags): flags.flatMap(\.details).flatMap(prose)
        }
    }

    private func faults(in prose: Prose) -> [String] {
        prose.parts.compactMap { part in
            switch part {
            case .text, .code, .value: nil
            case .flag(let name, let path):
                isFlag(name, of: path) ? nil : "it refers to --\(name), which does not exist"
            case .command(let path):
                isCommand(path) ? nil : "it refers to '\(path)', which is no command"
            case .topic(let name):
                tool.info.topic(name) == nil ? "it refers to '\(name)', which is no topic" : nil
            }
        }
    }

    private func isFlag(_ name: String, of path: String?) -> Bool {
        let owner = path.map { tool.command(words($0)) } ?? command
        let flags = (owner?.flags ?? []) + (path == nil ? tool.globalFlags : [])
        return flags.contains { $0.long == name }
    }

    private func isCommand(_ path: String) -> Bool {
        tool.command(words(path)) != nil || tool.info.externals.contains { $0.name == path }
    }

    private func words(_ path: String) -> [String] {
        path.split(separator: " ").map(String.init)
    }
}
