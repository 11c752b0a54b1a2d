import CommandLineKit

// Names: how they look, and that they are unique.
extension Catalogue {
    static func toolFaults(_ tool: ToolDescription) -> [String] {
        let info = tool.info
        var faults = repeated(tool.globalFlags.flatMap(\.spellings)).map {
            "global option \($0) is declared twice"
        }
        faults += tool.globalFlags.flatMap(flagFaults)
        faults += repeated(info.exitStatuses.map(\.code)).map { "exit status \($0) twice" }
        faults += repeated(info.allTopics.map(\.name)).map { "topic '\($0)' twice" }
        for topic in info.allTopics {
            faults += summaryFaults(topic.summary).map { "topic '\(topic.name)': \($0)" }
            if !isExternalName(topic.name) { faults.append("topic '\(topic.name)': bad name") }
            if tool.root.verb(topic.name) != nil {
                faults.append("topic '\(topic.name)': a command has this name")
            }
            let scope = ReferenceScope(tool: tool, command: nil)
            faults += scope.faults(in: topic.paragraphs).map { "topic '\(topic.name)': \($0)" }
        }
        if !info.allTopics.isEmpty, tool.root.verb("help") == nil {
            faults.append("there are topics, but no command 'help' shows them")
        }
        for external in info.externals {
            faults += summaryFaults(external.summary).map { "external '\(external.name)': \($0)" }
            if !isExternalName(external.name) {
                faults.append("external '\(external.name)': bad name")
            }
            if tool.root.verb(external.name) != nil {
                faults.append("external '\(external.name)': a command has this name")
            }
        }
        return faults + tool.aliases.flatMap { aliasFaults($0, tool) }
    }

    private static func aliasFaults(_ alias: CommandAlias, _ tool: ToolDescription) -> [String] {
        let name = "'\(alias.path.joined(separator: " "))'"
        var faults: [String] = []
        if tool.aliases.filter({ $0.path == alias.path }).count > 1 {
            faults.append("alias \(name) twice")
        }
        if command(alias.path, of: tool)?.about.isHidden == false {
            faults.append("alias \(name): a command has this name")
        }
        let target = alias.target.prefix { !$0.hasPrefix("-") }
        if command(Array(target), of: tool)?.about.isHidden != false {
            faults.append("alias \(name): there is no command '\(target.joined(separator: " "))'")
        }
        return faults
    }

    private static func command(
        _ path: [String], of tool: ToolDescription
    ) -> CommandDescription? {
        path.reduce(tool.root) { place, word in place?.verb(word) }
    }

    static func nameFaults(_ command: CommandDescription, _ tool: ToolDescription) -> [String] {
        var faults: [String] = []
        if let name = command.path.last, !isVerbName(name, isHidden: command.about.isHidden) {
            faults.append("a verb is made of lower-case letters and digits, no hyphen")
        }
        faults += repeated(command.verbs.map(\.about.name)).map { "verb '\($0)' twice" }
        if let verb = command.defaultVerb, command.verb(verb) == nil {
            faults.append("its default verb '\(verb)' does not exist")
        }
        let globals = Set(tool.globalFlags.flatMap(\.spellings))
        let own = command.flags.flatMap(\.spellings)
        faults += repeated(own).map { "option \($0) twice" }
        faults += own.filter(globals.contains).map { "option \($0) is a global one" }
        faults += command.flags.flatMap(flagFaults)
        let operands = command.arguments
        faults += repeated(operands.map(\.name)).map { "argument \($0) twice" }
        faults += operands.flatMap { valueFaults($0.completion, of: $0.name) }
        if operands.filter(\.isRepeated).count > 1 { faults.append("two repeated arguments") }
        return faults
    }

    private static func flagFaults(_ flag: FlagInfo) -> [String] {
        var faults: [String] = []
        if !isLongName(flag.long) {
            faults.append("option --\(flag.long): a long name is [a-z0-9-]{2,}")
        }
        if let short = flag.short, !(short.isASCII && (short.isLetter || short.isNumber)) {
            faults.append("option --\(flag.long): the short name '\(short)' is not alphanumeric")
        }
        if flag.hasValue {
            if flag.valueName?.isEmpty != false {
                faults.append("option --\(flag.long): its value has no name")
            }
        } else if flag.completion != .none || flag.valueName != nil {
            faults.append("option --\(flag.long): a switch has no choices")
        }
        faults += valueFaults(flag.completion, of: "--" + flag.long)
        return faults + summaryFaults(flag.summary).map { "option --\(flag.long): \($0)" }
    }

    /// Choices go through shell tables, so they are plain words.
    private static func valueFaults(_ completion: Completion, of name: String) -> [String] {
        switch completion {
        case .choices(let words): plainFaults(words, of: name)
        case .list(let words, let alone): plainFaults(words + alone, of: name)
        case .dynamic(let kind), .dynamicList(let kind):
            isExternalName(kind) ? [] : ["\(name): '\(kind)' is no kind of completion"]
        default: []
        }
    }

    private static func plainFaults(_ words: [String], of name: String) -> [String] {
        words.filter { !isPlainWord($0) }.map { "\(name): the choice '\($0)' is no plain word" }
    }

    /// Hidden commands, made for scripts, may start with `__`.
    private static func isVerbName(_ name: String, isHidden: Bool) -> Bool {
        let word = isHidden && name.hasPrefix("__") ? String(name.dropFirst(2)) : name
        return isExternalName(word) && !word.contains("-")
    }

    private static func isLongName(_ name: String) -> Bool {
        name.utf8.count >= 2 && !name.hasPrefix("-")
            && name.utf8.allSatisfy { isLowerOrDigit($0) || $0 == UInt8(ascii: "-") }
    }

    private static func isLowerOrDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
            || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    private static func isPlainWord(_ word: String) -> Bool {
        !word.isEmpty
            && word.allSatisfy {
                $0.isASCII && ($0.isLetter || $0.isNumber || "_-.:@%+/".contains($0))
            }
    }
}
