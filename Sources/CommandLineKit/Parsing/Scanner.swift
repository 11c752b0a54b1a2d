/// The result of one pass over the words, before any value is read.
///
/// Keeps the first fault instead of throwing it, because a later `-h` takes precedence.
struct Scanner<Invocation: Sendable> {
    private(set) var node: CommandNode<Invocation>
    private(set) var path: [String] = []
    private(set) var parsedGlobals: [ParsedFlag] = []
    private(set) var parsedFlags: [ParsedFlag] = []
    private(set) var operands: [String] = []
    /// The options with a value right before an operand, by the operand's number.
    private var optionsBefore: [Int: ValuedOption] = [:]
    /// The option whose value is the last word.
    private var lastOption: ValuedOption?
    private(set) var special: SpecialMode?
    /// The first word and all after it, if the tool has no such command.
    private(set) var external: ArraySlice<String>?
    private(set) var fault: UsageError?
    /// The former names in the line.
    private var renamings: [Renaming] = []
    /// The option whose value is missing at the end of the line.
    private(set) var awaiting: FlagInfo?
    var optionsEnded: Bool { plainOperands != nil }
    /// The number of operands before a `--`; nil without one.
    private var plainOperands: Int?
    /// Once true, words are operands, not verbs.
    private(set) var isSettled: Bool

    private let tool: String
    private let root: CommandNode<Invocation>
    private let aliases: [CommandAlias]
    private let globals: [FlagInfo]
    private let externals: [String]
    private var flags: [FlagInfo]
    /// The verbs that were skipped when an option chose the default verb.
    private var skippedVerbs: [String] = []
    private var rest: ArraySlice<String>

    init(
        _ words: [String], tool: String, root: CommandNode<Invocation>, aliases: [CommandAlias],
        globals: [FlagInfo], externals: [String]
    ) {
        node = root
        self.tool = tool
        self.root = root
        self.aliases = aliases
        flags = root.flags()
        isSettled = root.isLeaf
        self.globals = globals
        self.externals = externals
        rest = words[...]
        while external == nil, let word = rest.popFirst() {
            if optionsEnded || word == "-" || !word.hasPrefix("-") {
                optionsBefore[operands.count] = lastOption
                readWord(word)
                lastOption = nil
            } else if word == "--" {
                plainOperands = operands.count
            } else {
                readOptions(word)
            }
        }
    }

    /// The notices on the former names in the line.
    var notices: [String] { renamings.map { $0.notice(hasOptions: !parsedFlags.isEmpty) } }

    private mutating func refuse(_ message: String, hint: String? = nil) {
        if fault == nil { fault = UsageError(message, hint: hint, path: path) }
    }
}

// Words.
extension Scanner {
    private mutating func readWord(_ word: String) {
        if isSettled {
            if skippedVerbs.contains(word), node.arguments().isEmpty {
                refuse(
                    "unexpected argument \(quoted(word))",
                    hint: "the verb '\(word)' must precede its options")
            }
            return operands.append(word)
        }
        let verbs = node.verbs
        let alias = aliases.first(at: path + [word])
        if let alias, alias.isFormer { renamings.append(Renaming(alias, of: tool)) }
        if let verb = verbs.first(where: { $0.about.name == word }) { return enter(verb) }
        if let alias { return enter(alias) }
        if node.directOperands.accept(word) {
            isSettled = true
            return operands.append(word)
        }
        if path.isEmpty, fault == nil, special == nil, isExternalName(word) {
            external = [word] + rest
            return
        }
        let fault = unknownVerb(
            [word] + rest, of: CommandDescription(node, path: path),
            in: CommandDescription(root, path: []), besides: path.isEmpty ? externals : [])
        refuse(fault.message, hint: fault.hint)
        // The rest belongs to an unknown command.
        isSettled = true
    }

    private mutating func enter(_ verb: CommandNode<Invocation>) {
        node = verb
        path.append(verb.about.name)
        flags = verb.flags()
        isSettled = verb.isLeaf
    }

    /// Enters the command with another name.
    private mutating func enter(_ alias: CommandAlias) {
        (node, path) = (root, [])
        for word in alias.target {
            if let verb = node.verbs.first(where: { $0.about.name == word }) { enter(verb) }
        }
    }

    /// Chooses the default verb of a command without a verb.
    mutating func settle() {
        guard external == nil, !isSettled else { return }
        if let verb = defaultVerb { enter(verb) }
        isSettled = true
    }

    var defaultVerb: CommandNode<Invocation>? {
        node.defaultVerb.flatMap { name in node.verbs.first { $0.about.name == name } }
    }
}

// Options.
extension Scanner {
    private typealias Match = (info: FlagInfo, index: Int, isGlobal: Bool)

    /// Reads `--name`, `--name=value`, or a bundle of letters, of which the last may have a value.
    private mutating func readOptions(_ word: String) {
        let isLong = word.hasPrefix("--")
        let equals = isLong ? word.firstIndex(of: "=") : nil
        let long = isLong ? String(word[..<(equals ?? word.endIndex)].dropFirst(2)) : ""
        var letters = isLong ? "" : word.dropFirst()
        repeat {
            let letter = letters.popFirst()
            let spelling = letter.map { "-\($0)" } ?? "--" + long
            if let mode = SpecialMode(spelling) {
                special = special ?? mode
                continue
            }
            let isMatch = { (flag: FlagInfo) in
                letter.map { flag.short == $0 }
                    ?? (flag.long == long || flag.formerNames.contains(long))
            }
            guard let match = find(isMatch) else {
                // Letters after an unknown one are not read, since they may be its value.
                guard let letter else {
                    let value = equals.map { String(word[word.index(after: $0)...]) }
                    return refuseUnknown(long: long, value: value ?? rest.first)
                }
                return refuseUnknown(
                    short: letter, in: word.dropFirst(),
                    value: letters.isEmpty ? rest.first : String(letters))
            }
            if letter == nil, match.info.long != long {
                renamings.append(Renaming(option: spelling, of: match.info))
            }
            var value = equals.map { String(word[word.index(after: $0)...]) }
            if match.info.takesNextWord {
                value = value ?? (letters.isEmpty ? rest.popFirst() : String(letters))
                letters = ""
                guard value != nil else {
                    awaiting = match.info
                    return refuse("\(spelling) needs a value: \(match.info.valueName ?? "VALUE")")
                }
            } else if value != nil, !match.info.hasValue {
                let near = namesakes(of: match.info.long)
                return refuse("\(spelling) takes no value", hint: didYouMean(near))
            }
            let flag = ParsedFlag(index: match.index, spelling: spelling, value: value)
            if match.isGlobal { parsedGlobals.append(flag) } else { parsedFlags.append(flag) }
            lastOption = nil
            if let value, match.info.takesNextWord, !match.info.isSensitive, Int(value) == nil {
                lastOption = ValuedOption(info: match.info, spelling: spelling, value: value)
            }
        } while !letters.isEmpty
    }

    /// Looks up an option; an option of the default verb chooses that verb.
    private mutating func find(_ isMatch: (FlagInfo) -> Bool) -> Match? {
        if let index = flags.firstIndex(where: isMatch) {
            isSettled = true
            return (flags[index], index, isGlobal: false)
        }
        if let index = globals.firstIndex(where: isMatch) {
            return (globals[index], index, isGlobal: true)
        }
        guard !isSettled, let verb = defaultVerb,
            let index = verb.flags().firstIndex(where: isMatch)
        else { return nil }
        skippedVerbs = node.verbs.map(\.about.name)
        enter(verb)
        isSettled = true
        return (flags[index], index, isGlobal: false)
    }

    private mutating func refuseUnknown(long name: String, value: String?) {
        let near = suggestions(for: name, among: knownLongNames).map { "--" + $0 }
        refuse(
            "unknown option \(quoted("--" + name))",
            hint: placeHint("--" + name) { $0.long == name } ?? guessHint(name, value)
                ?? didYouMean(siblings { $0.long == name }) ?? didYouMean(near) ?? placeHint)
    }

    private mutating func refuseUnknown(
        short letter: Character, in body: Substring, value: String?
    ) {
        var meant = knownLongNames.contains(String(body)) ? ["--" + body] : []
        // Other programs have -V or -H.
        if meant.isEmpty, letter.isUppercase {
            let start = letter.lowercased()
            meant = specialFlags.filter { $0.long.hasPrefix(start) }.map { "--" + $0.long }
        }
        let numberHint = letter.isNumber ? "put -- before a negative number" : nil
        refuse(
            "unknown option \(quoted("-\(letter)"))",
            hint: placeHint("-\(letter)") { $0.short == letter } ?? didYouMean(meant) ?? numberHint
                ?? guessHint(String(letter), value) ?? didYouMean(siblings { $0.short == letter })
                ?? placeHint)
    }

    /// The hint for a superfluous operand: `--quiet 1:00-2:00` may mean `--quiet-hours`, `--camera
    /// Front Door` needs quotes, and `logout home` an option.
    var meantOption: String? {
        let arguments = node.arguments()
        guard operands.count > arguments.count, !arguments.contains(where: \.isRepeated) else {
            return nil
        }
        let first = arguments.count
        if let option = node.about.details.operandOption, optionsBefore[first] == nil {
            return "did you mean \(quoted("\(option) \(operands[first])"))?"
        }
        if let option = optionsBefore[first] { return option.hint(joining: operands[first]) }
        let switches = parsedGlobals.filter { $0.value == nil }.map(\.index)
        return didYouMean(switches.flatMap { namesakes(of: globals[$0].long) })
    }

    /// The hint for a line without an operand: its meaning, and the line with the operand.
    func hint(operand: Example) -> String {
        let options = parsedFlags.filter { !flags[$0.index].isSensitive }.flatMap { flag in
            [flag.spelling] + (flag.value.map { [$0.contains(" ") ? "'\($0)'" : $0] } ?? [])
        }
        let line = ([tool] + path + [operand.line] + options).joined(separator: " ")
        return "'\(operand.line)' is \(operand.explanation): \(line)"
    }

    /// The options that take a value and begin with the name of a switch.
    private func namesakes(of name: String) -> [String] {
        flags.filter { $0.hasValue && $0.long.hasPrefix(name + "-") }.map { "--" + $0.long }
    }

    /// - Throws: `UsageError` for a command to run that is not behind a `--`, or a `--` without one.
    func expectDashes() throws(UsageError) {
        let arguments = node.arguments()
        guard let last = arguments.last, last.followsDashes else { return }
        if (plainOperands ?? operands.count) >= arguments.count {
            let word = operands[arguments.count - 1]
            throw UsageError(
                "unexpected argument \(quoted(word))", hint: "a command to run follows --")
        }
        if optionsEnded, operands.count < arguments.count {
            throw UsageError("missing \(last.name) after --")
        }
    }

    /// The options of the command, or of the noun's default verb.
    private var ownFlags: [FlagInfo] {
        isSettled ? flags : flags + (defaultVerb?.flags() ?? [])
    }

    /// The hint for a name that users try instead of an option or a command to run.
    private func guessHint(_ name: String, _ value: String?) -> String? {
        let command = isSettled ? node.about : defaultVerb?.about
        let options = (ownFlags + globals).compactMap {
            $0.line(guessedAs: name, value, for: command)
        }
        let operands = node.arguments().compactMap { $0.line(guessedAs: name, value) }
        return didYouMean(Array((options + operands).prefix(2)))
    }

    /// The command lines of the verbs of the same noun that have an option, if there are few.
    private func siblings(_ isMatch: (FlagInfo) -> Bool) -> [String] {
        let nounPath = node.verbs.isEmpty ? Array(path.dropLast()) : path
        guard !nounPath.isEmpty else { return [] }
        let noun = nounPath.reduce(root) { place, word in
            place.verbs.first { $0.about.name == word } ?? place
        }
        let found = noun.verbs.filter { !$0.about.isHidden && $0.flags().contains(where: isMatch) }
        guard found.count <= 3 else { return [] }
        return found.map { ([tool] + nounPath + [$0.about.name]).joined(separator: " ") }
    }

    private var knownLongNames: [String] {
        (ownFlags + globals.filter { $0.isUsed(by: node.about) } + specialFlags).map(\.long)
    }

    /// The hint for an option that stands before the command that has it.
    private func placeHint(_ spelling: String, _ isMatch: (FlagInfo) -> Bool) -> String? {
        guard path.isEmpty, !isSettled else { return nil }
        var (place, path) = (node, path)
        for word in rest {
            guard let verb = place.verbs.first(where: { $0.about.name == word }) else { continue }
            place = verb
            path.append(word)
        }
        let verb = place.verbs.first { $0.about.name == place.defaultVerb }
        guard !path.isEmpty, (place.flags() + (verb?.flags() ?? [])).contains(where: isMatch)
        else { return nil }
        return "put \(spelling) after '\(path.joined(separator: " "))'"
    }

    private var placeHint: String? {
        isSettled || defaultVerb != nil ? nil : "only global options may precede the command"
    }
}

/// An option and its value, as typed.
private struct ValuedOption: Sendable {
    var info: FlagInfo
    var spelling: String
    var value: String

    /// The hint for a word after the value that may belong to it.
    func hint(joining word: String) -> String {
        let quoting = "quote a value with blanks: \(spelling) '\(value) \(word)'"
        guard info.isList else { return quoting }
        let joining = "several values are one word: \(spelling) \(value),\(word)"
        return info.hasBlanks ? "\(quoting); \(joining)" : joining
    }
}

/// A request that the parser handles itself.
enum SpecialMode: Sendable, Equatable {
    case shortHelp, longHelp, version

    init?(_ option: String) {
        switch option {
        case "-h": self = .shortHelp
        case "--help": self = .longHelp
        case "--version": self = .version
        default: return nil
        }
    }
}

/// Returns true if a first word can name a separate program: `[a-z][a-z0-9-]*`.
package func isExternalName(_ word: String) -> Bool {
    guard let first = word.utf8.first, (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first)
    else { return false }
    return word.utf8.allSatisfy {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0)
            || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 == UInt8(ascii: "-")
    }
}
