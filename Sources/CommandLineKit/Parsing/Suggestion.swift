/// The names that resemble a mistyped word, nearest first, at most three.
package func suggestions(for word: String, among names: [String]) -> [String] {
    let wanted = Array(word.utf8)
    guard !wanted.isEmpty, wanted.count <= 40 else { return [] }
    let scored = names.compactMap { name -> (name: String, distance: Int)? in
        let candidate = Array(name.utf8)
        let distance = editDistance(wanted, candidate)
        // One error in three letters is a typing error; more is another word.
        let floor = max(1, max(wanted.count, candidate.count) / 3)
        if distance <= floor, distance < candidate.count { return (name, distance) }
        return wanted.count >= 2 && candidate.starts(with: wanted) ? (name, floor + 1) : nil
    }
    // The sort is stable: equals keep the order of the table.
    return scored.sorted { $0.distance < $1.distance }.prefix(3).map(\.name)
}

/// The hint for a mistyped name, perhaps in another case; nil if no name resembles it.
package func hint(forMistyped word: String, among names: [String]) -> String? {
    let near = suggestions(for: word.lowercased(), among: names.map { $0.lowercased() })
    return didYouMean(near.compactMap { name in names.first { $0.lowercased() == name } })
}

/// Verbs of other programs and their possible names here.
private let synonyms = [
    "ls": ["list"], "get": ["show"], "info": ["show"], "view": ["show"], "cat": ["show"],
    "rm": ["delete", "revoke", "remove", "unset", "drop"],
    "remove": ["delete", "revoke", "drop"],
    "delete": ["revoke", "remove", "drop"], "mv": ["rename"], "add": ["create"],
    "new": ["create"], "tail": ["watch"], "follow": ["watch"], "flush": ["run"],
    "clear": ["drop"],
]

/// The usage error for words of which the first is no verb of a command of the tree `root`.
///
/// `more` are further names that it may have.
func unknownVerb(
    _ words: ArraySlice<String>, of place: CommandDescription, in root: CommandDescription,
    besides more: [String]
) -> UsageError {
    let word = words.first ?? ""
    let names = place.visibleVerbs.map(\.about.name) + more
    let hint =
        didYouMean(root.lines(meantBy: place.path + words.prefix(2)))
        ?? didYouMean(suggestedVerbs(for: word, among: names))
        ?? didYouMean(root.lines(of: root.commands(named: word)))
    guard !place.path.isEmpty else {
        return UsageError("unknown command \(quoted(word))", hint: hint)
    }
    return UsageError(
        "'\(place.path.joined(separator: " "))' has no verb \(quoted(word))",
        hint: hint ?? "its verbs are " + names.joined(separator: ", "), path: place.path)
}

extension CommandDescription {
    /// The command lines of those that list the beginning of a line among their guesses, or `events
    /// list` for `list events`.
    fileprivate func lines(meantBy words: [String]) -> [String] {
        let all = visibleTree
        for count in words.indices.reversed() {
            let line = words[...count].joined(separator: " ")
            let found = all.compactMap { command in
                command.about.details.guesses.first { $0.words == line }
                    .map { lines(of: [command])[0] + ($0.ending.map { " \($0)" } ?? "") }
            }
            if !found.isEmpty { return found }
        }
        guard words.count == 2 else { return [] }
        let nouns = visibleVerbs.filter { !$0.isLeaf }.map(\.about.name)
        guard let noun = suggestions(for: words[1], among: nouns).first.flatMap(verb) else {
            return []
        }
        let verbs = suggestedVerbs(for: words[0], among: noun.visibleVerbs.map(\.about.name))
        return verbs.first.flatMap(noun.verb).map { lines(of: [$0]) } ?? []
    }

    /// The verbs of that name of any command, at most three.
    fileprivate func commands(named word: String) -> [CommandDescription] {
        Array(visibleTree.filter { $0.path.count > 1 && $0.about.name == word }.prefix(3))
    }

    /// The command lines of commands below this one, which is the root.
    fileprivate func lines(of commands: [CommandDescription]) -> [String] {
        commands.map { ([about.name] + $0.path).joined(separator: " ") }
    }
}

extension FlagInfo {
    /// The option and its value for a name that users try instead, and what they typed after it.
    ///
    /// Nil if they did not mean this one: a format must be one that the command prints.
    func line(guessedAs name: String, _ word: String?, for command: CommandInfo?) -> String? {
        let typed = word.flatMap(repeatable)
        guard let guess = guesses.first(where: { $0.words == name && $0.fits(typed) }) else {
            return nil
        }
        guard hasValue else { return "--\(long)" }
        let value = guess.ending(for: isSensitive ? nil : typed)
        if completion == .formats {
            guard let value, command?.formats.contains(value) != false else { return nil }
        }
        return "--\(long) \(value ?? valueName ?? "VALUE")"
    }
}

extension ArgumentInfo {
    /// The operand for an option that users try instead, and what they typed after it.
    func line(guessedAs name: String, _ word: String?) -> String? {
        guesses.contains(name) ? "-- \(word.flatMap(repeatable) ?? self.name)" : nil
    }
}

/// The value of an unknown option if a hint can show it in quotes.
private func repeatable(_ word: String) -> String? {
    let isPlain = !word.isEmpty && word.utf8.count <= 40 && !word.hasPrefix("-")
    return isPlain && !word.contains(where: { $0.isWhitespace || $0 == "'" }) ? word : nil
}

/// The verbs that resemble a word in spelling or meaning.
func suggestedVerbs(for word: String, among names: [String]) -> [String] {
    let same = (synonyms[word] ?? []).filter(names.contains)
    return same.isEmpty ? suggestions(for: word, among: names) : same
}

/// Edits between two words: insert, delete, replace, and swap of neighbours (optimal alignment).
func editDistance(_ from: [UInt8], _ to: [UInt8]) -> Int {
    if from.isEmpty || to.isEmpty { return max(from.count, to.count) }
    var beforeLast: [Int] = []
    var last = Array(0...to.count)
    for i in 1...from.count {
        var row = [i]
        for j in 1...to.count {
            let replaced = last[j - 1] + (from[i - 1] == to[j - 1] ? 0 : 1)
            var best = min(replaced, last[j] + 1, row[j - 1] + 1)
            if i > 1, j > 1, from[i - 1] == to[j - 2], from[i - 2] == to[j - 1] {
                best = min(best, beforeLast[j - 2] + 1)
            }
            row.append(best)
        }
        beforeLast = last
        last = row
    }
    return last[to.count]
}

/// The hint for near names: `did you mean 'list'?`; nil without any.
package func didYouMean(_ names: [String]) -> String? {
    names.isEmpty ? nil : "did you mean " + alternatives(names.map { "'\($0)'" }) + "?"
}
